import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { watchArrivals } from '../../src/node/arrivals.ts';

it('tells once of connections that came in since it was asked', async () => {
  const arrivals = watchArrivals();
  const server = createServer();
  arrivals.of(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  expect(arrivals.areArriving()).toBe(false);
  const letIn = once(server, 'connection');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await letIn;
  expect([arrivals.areArriving(), arrivals.areArriving()]).toEqual([true, false]);
  socket.destroy();
  server.close();
});
