// A thread of bench/objects.ts: the people who log in and book, and the server that hashes for the object's front. Apart from
// the thread that reads the queue, which would wait for what these compute.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { parentPort } from 'node:worker_threads';
import { demoIds, demoPassword } from '../src/modules/demo/demo.ts';
import { passwordHashingThreads } from '../src/runtime/node/hashing/password-hashing-threads.ts';
import { giveWay } from '../src/runtime/node/hashing/thread-priority.ts';

/** What the thread is asked to do; it answers each with a number, or numbers by what was answered. */
export type Asked = { do: 'log in'; people: number } | { do: 'stop' } | { do: 'book'; people: number };

// Elsewhere on the platform: here the object and who reads its queue come first, and one hash at a time leaves them a core.
giveWay();
const hasher = passwordHashingThreads(1);
const server = createServer(async (request, response) => {
  const { phc, password } = JSON.parse(await text(request)) as { phc: string | null; password: string };
  const done = phc === null ? await hasher.hash(password) : await hasher.verify(phc, password);
  response.end(JSON.stringify(done));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');

let url = '';
const ask = async (path: string, json?: object, token?: string) => {
  const answer = await fetch(`${url}${path}`, {
    method: json === undefined ? 'GET' : 'POST',
    headers: {
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
};

let logins = 0;
let isOver = true;
let people: Promise<unknown> = Promise.resolve();
const logInOnAndOn = async (): Promise<void> => {
  while (!isOver) {
    const { status } = await ask('/v1/auth/login', {
      email: 'pasien@klinik.example',
      password: demoPassword,
    });
    if (status !== 200) throw new Error(`A login answered ${status}.`);
    logins += 1;
  }
};

const register = async (at: number): Promise<string> => {
  const { status, body } = await ask('/v1/auth/register', {
    ...{ name: `Pasien ${at}`, email: `pasien${at}@contoh.example`, device_id: '' },
    ...{ phone_number: '81234567890', phone_country_code: '62' },
    ...{ password: demoPassword, password_confirmation: demoPassword },
  });
  if (status !== 200 && status !== 201)
    throw new Error(`A registration answered ${status}: ${JSON.stringify(body)}`);
  return body.data.access_token;
};

/** So many patients book the same seat at once: how many got which answer. */
const bookOneSeat = async (count: number): Promise<Record<string, number>> => {
  const tokens: string[] = [];
  // An object lets 80 passwords wait: more at once are 503.
  while (tokens.length < count) {
    const at = tokens.length;
    const step = Math.min(50, count - at);
    tokens.push(...(await Promise.all(Array.from({ length: step }, (_, nth) => register(at + nth)))));
  }
  const [doctor_id] = demoIds.doctors;
  const [session_id] = demoIds.sessions;
  const { body: slots } = await ask(`/v1/doctors/${doctor_id}/slots`);
  const [{ schedule_date, schedule_time }] = slots.data;
  const seat = { doctor_id, session_id, schedule_date, schedule_time };
  const answers = await Promise.all(tokens.map((token) => ask('/v1/bookings', seat, token)));
  const counted: Record<string, number> = {};
  for (const { status, body } of answers) {
    const got = `${status} ${body.code ?? ''}`.trim();
    counted[got] = (counted[got] ?? 0) + 1;
  }
  return counted;
};

const doAsked = async (asked: Asked): Promise<number | Record<string, number>> => {
  if (asked.do === 'log in') {
    isOver = false;
    logins = 0;
    people = Promise.all(Array.from({ length: asked.people }, logInOnAndOn));
    // Told of by `stop`, which waits for them.
    people.catch(() => {});
    return 0;
  }
  if (asked.do === 'book') return bookOneSeat(asked.people);
  isOver = true;
  await people;
  return logins;
};

parentPort?.on('message', async (given: { at: number; url: string; asked: Asked }) => {
  url = given.url;
  try {
    parentPort?.postMessage({ at: given.at, done: await doAsked(given.asked) });
  } catch (error) {
    parentPort?.postMessage({ at: given.at, failure: error instanceof Error ? error.message : 'unknown' });
  }
});
parentPort?.postMessage({ port: (server.address() as AddressInfo).port });
