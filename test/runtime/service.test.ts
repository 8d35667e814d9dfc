import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoIds } from '../../src/modules/demo/demo.ts';
import { crowdForNode, crowdForWorker, crowdSecret } from '../support/crowd.ts';
import { registerOver, send } from '../support/http-client.ts';
import { type Server, startNode, startWorker } from '../support/servers.ts';

const [sari, budi] = demoIds.doctors;
const [consultation, vaccination] = demoIds.sessions;
const crowd = 500;

interface Slot {
  schedule_date: string;
  schedule_time: string;
}

/** Slots of the day after tomorrow, so that none begins while the test runs. */
const slotsOf = async (url: string, doctorId: string, sessionId: string): Promise<Slot[]> => {
  const date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const { body } = await send(
    url,
    `/v1/doctors/${doctorId}/slots?from=${date}&to=${date}&session_id=${sessionId}`,
  );
  return body.data.map(({ schedule_date, schedule_time }: Slot) => ({ schedule_date, schedule_time }));
};

const commitsOf = async (url: string): Promise<number> =>
  Number(/^janji_database_commits_total (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);

/** Sends a write on a connection of its own, without waiting for anybody to take it. */
const sendRename = async (url: string, token: string): Promise<Socket> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const body = '{"name":"Nama Baru"}';
  socket.write(
    `PATCH /v1/auth/profile HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
  return socket;
};

const firstLine = async (socket: Socket): Promise<string | undefined> =>
  (await text(socket)).split('\r\n')[0];

const bookingInputFor = (doctorId: string, sessionId: string, slot: Slot | undefined) => ({
  doctor_id: doctorId,
  session_id: sessionId,
  ...slot,
  notes: '',
});

const runtimes = [
  { name: 'npm start', gather: crowdForNode, start: startNode },
  { name: 'npm run dev', gather: crowdForWorker, start: startWorker },
];

describe.each(runtimes)('over HTTP against $name', ({ gather, start }) => {
  let server: Server;
  let tokens: string[];
  beforeAll(async () => {
    const gathered = await gather(crowd);
    tokens = gathered.tokens;
    server = await start(gathered.folder, { JWT_SECRET: crowdSecret });
  });
  afterAll(async () => {
    expect(await server.stop()).toBe(0);
  });

  it.each(['/health', '/pasien/'])(
    'says in the headers of %s what time it is, for phones whose clock is wrong',
    async (path) => {
      const { headers } = await fetch(`${server.url}${path}`);
      expect(Math.abs(Date.parse(headers.get('Date') ?? '') - Date.now())).toBeLessThan(60_000);
    },
  );

  // A file of another release: a browser that kept its 404 would not ask again when this release is there.
  it('lets nobody keep that a hashed file is missing', async () => {
    const answer = await fetch(`${server.url}/assets/konsol-B2xnolongr.js`);
    expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([404, 'no-store']);
    expect(await answer.json()).toMatchObject({ status: 'error', code: 'not_found' });
  });

  it('serves the whole path: register, slots, book, history, cancel, history, logout, 401', async () => {
    const { url } = server;
    const token = await registerOver(url, 'jalan');
    const [slot] = await slotsOf(url, sari, consultation);
    const booked = await send(url, '/v1/bookings', token, bookingInputFor(sari, consultation, slot));
    expect([booked.status, booked.body.data.status]).toEqual([201, 'waiting']);
    const { id } = booked.body.data;
    expect((await send(url, '/v1/bookings/history', token)).body.data).toHaveLength(1);
    const canceled = await send(url, `/v1/bookings/${id}/cancel`, token, {});
    expect(canceled.body.data).toEqual({ id, status: 'canceled' });
    expect((await send(url, '/v1/bookings/history', token)).body.data[0].status).toBe('canceled');
    expect((await send(url, '/v1/auth/logout', token, {})).status).toBe(200);
    expect((await send(url, '/v1/bookings/history', token)).status).toBe(401);
  });

  it.each([
    { capacity: 1, doctorId: sari, sessionId: consultation },
    { capacity: 5, doctorId: budi, sessionId: vaccination },
  ])('gives $capacity of 500 simultaneous patients a seat', async ({ capacity, doctorId, sessionId }) => {
    const slot = (await slotsOf(server.url, doctorId, sessionId))[capacity];
    const bookingInput = bookingInputFor(doctorId, sessionId, slot);
    const answers = await Promise.all(
      tokens.map((token) => send(server.url, '/v1/bookings', token, bookingInput)),
    );
    const outcomes = answers.map(({ status, body }) => (status === 201 ? '201' : `${status} ${body.code}`));
    expect(outcomes.filter((outcome) => outcome === '201')).toHaveLength(capacity);
    expect(new Set(outcomes)).toEqual(new Set(['201', '409 slot_full']));
  });

  // Node lets in one connection a turn of its event loop: with a commit in each, the last would wait for seconds.
  it.runIf(start === startNode)(
    'accepts all connections that wait before it commits what they write',
    async () => {
      const { url, signal } = server;
      const before = await commitsOf(url);
      signal('SIGSTOP');
      // Fewer than the least that a kernel keeps waiting.
      const crowd = Promise.all(tokens.slice(0, 120).map((token) => sendRename(url, token)));
      const waiting = await crowd.finally(() => signal('SIGCONT'));
      const lines = await Promise.all(waiting.map(firstLine));
      expect(new Set(lines)).toEqual(new Set(['HTTP/1.1 200 OK']));
      // 64 writes share a commit where the machine is idle; a group ends after 10 ms, so that a busy one makes more of them.
      expect((await commitsOf(url)) - before).toBeLessThan(60);
    },
  );
});

describe('two server processes on one file', () => {
  const servers: Server[] = [];
  let tokens: string[];
  beforeAll(async () => {
    const gathered = await crowdForNode(crowd);
    tokens = gathered.tokens;
    for (let nth = 0; nth < 2; nth++)
      servers.push(await startNode(gathered.folder, { JWT_SECRET: crowdSecret }));
  });
  afterAll(async () => {
    expect(await Promise.all(servers.map(({ stop }) => stop()))).toEqual([0, 0]);
  });

  it.each([
    { capacity: 1, doctorId: sari, sessionId: consultation },
    { capacity: 5, doctorId: budi, sessionId: vaccination },
  ])(
    'give $capacity of 500 simultaneous patients a seat between them',
    async ({ capacity, doctorId, sessionId }) => {
      const urls = servers.map(({ url }) => url);
      const slot = (await slotsOf(urls[0] as string, doctorId, sessionId))[3];
      const bookingInput = bookingInputFor(doctorId, sessionId, slot);
      const book = async (token: string, at: number): Promise<string> => {
        const { status, body } = await send(urls[at % 2] as string, '/v1/bookings', token, bookingInput);
        if (status === 503) return book(token, at);
        return status === 201 ? '201' : `${status} ${body.code}`;
      };
      const outcomes = await Promise.all(tokens.map(book));
      expect(outcomes.filter((outcome) => outcome === '201')).toHaveLength(capacity);
      expect(new Set(outcomes)).toEqual(new Set(['201', '409 slot_full']));
    },
  );
});
