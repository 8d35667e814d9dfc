import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { watchArrivals } from '../../../src/runtime/node/serve/arrivals.ts';

it('counts the connections that a server has let in', async () => {
  const arrivals = watchArrivals();
  const server = createServer();
  arrivals.of(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  expect(arrivals.count()).toBe(0);
  const { port } = server.address() as AddressInfo;
  for (const expected of [1, 2]) {
    const letIn = once(server, 'connection');
    const socket = connect(port, '127.0.0.1');
    await letIn;
    expect(arrivals.count()).toBe(expected);
    socket.destroy();
  }
  server.close();
});
