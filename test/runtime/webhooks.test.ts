import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { demoIds, demoPassword } from '../../src/modules/demo/demo.ts';
import { registerOver, send } from '../support/http-client.ts';
import { startNode, temporaryFolder } from '../support/servers.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, later: (work: () => void) => void) => void;

const writeEach = (ms: number, write: () => unknown, later: (work: () => void) => void): void => {
  const timer = setInterval(write, ms);
  later(() => clearInterval(timer));
};

const bad: Record<string, Answer> = {
  'switches protocols': ({ socket }) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
  hangs: () => {},
  'sends a byte a second': ({ socket }, _response, later) => {
    socket.write('HTTP/1.1 200 OK\r\nX: ');
    writeEach(1_000, () => socket.write('a'), later);
  },
  'closes early': ({ socket }) => socket.destroy(),
  redirects: (_request, response) => response.writeHead(307, { Location: '/elsewhere' }).end(),
  'answers after 8 s': (_request, response, later) => {
    const timer = setTimeout(() => response.writeHead(204).end(), 8_000);
    later(() => clearTimeout(timer));
  },
};

/** The day whose bookings the test makes. */
const date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);

type Counts = (data: { schedule_date?: string }) => boolean;

/** A receiver on a port of its own, which counts what came. */
const startReceiver = async (answer: Answer, counts: Counts = () => true) => {
  const cleanups: (() => void)[] = [];
  const types: string[] = [];
  let tell = () => {};
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { type, data } = JSON.parse(body);
    if (counts(data)) types.push(type);
    answer(request, response, (work) => cleanups.push(work));
    tell();
  });
  server.on('clientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const work of cleanups) work();
    server.closeAllConnections();
    server.close();
  });
  /** Waits until so many have come; fails after a time that is long for a healthy receiver. */
  const came = (count: number, withinMs: number) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${types.length} of ${count} events came.`)), withinMs);
      tell = () => {
        if (types.length < count) return;
        clearTimeout(timer);
        resolve();
      };
      tell();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, types, came };
};

it('a healthy receiver gets each event within a second beside six bad ones, and SIGTERM ends the service well', async () => {
  const folder = temporaryFolder();
  const server = await startNode(folder, { WEBHOOK_ALLOW_PRIVATE: 'true' });
  const login = { email: 'admin@klinik.example', password: demoPassword };
  const admin = (await send(server.url, '/v1/auth/login', undefined, login)).body.data.access_token;
  const add = async (answer: Answer, counts?: Counts) => {
    const receiver = await startReceiver(answer, counts);
    expect((await send(server.url, '/v1/admin/webhooks', admin, { url: receiver.url })).status).toBe(201);
    return receiver;
  };
  const others = await Promise.all(Object.values(bad).map((answer) => add(answer)));
  // The demo clinic has a day of its own, whose events come as well.
  const healthy = await add(
    (_request, response) => response.writeHead(204).end(),
    (data) => data.schedule_date === date,
  );

  const token = await registerOver(server.url, 'kait');
  const [doctor] = demoIds.doctors;
  const [session] = demoIds.sessions;
  const { body: slots } = await send(
    server.url,
    `/v1/doctors/${doctor}/slots?from=${date}&to=${date}&session_id=${session}`,
  );
  for (let nth = 0; nth < 3; nth++) {
    const { schedule_date, schedule_time } = slots.data[nth];
    const bookingInput = { doctor_id: doctor, session_id: session, schedule_date, schedule_time };
    const booked = await send(server.url, '/v1/bookings', token, bookingInput);
    expect(booked.status).toBe(201);
    // The demo's day is sent before the first of them.
    await healthy.came(2 * nth + 1, nth === 0 ? 20_000 : 1_000);
    const canceled = await send(server.url, `/v1/bookings/${booked.body.data.id}/cancel`, token, {});
    expect(canceled.status).toBe(200);
    await healthy.came(2 * nth + 2, 1_000);
  }
  const both = ['booking.created', 'booking.canceled'];
  expect(healthy.types).toEqual([...both, ...both, ...both]);
  await Promise.all(others.map(({ came }) => came(1, 10_000)));

  expect(existsSync(join(folder, 'janji.db-wal'))).toBe(true);
  expect(await server.stop()).toBe(0);
  // A database that was closed leaves no log behind.
  expect(existsSync(join(folder, 'janji.db-wal'))).toBe(false);
  expect(server.printed()).not.toContain('"level":50');
});
