// The effect on the event loop of another process that holds the write lock: its longest delay, and the reads
// meanwhile. node bench/lock-wait.ts [--seconds 15]

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { demoPassword } from '../src/modules/demo/demo.ts';
import type { Delay } from './delay-probe.ts';
import { type Measured, measure } from './load.ts';
import { freePort, root, untilItAnswers } from './processes.ts';
import { printTable } from './table.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '15' } } });
const seconds = Number(values.seconds);
const writers = 8;
const readers = 8;
const readsPerSecond = 400;
const wantedMs = 50;

const folder = mkdtempSync(join(tmpdir(), 'janji-lock-'));
const path = join(folder, 'janji.db');
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const service = spawn(process.execPath, ['--import', './bench/delay-probe.ts', 'src/node.ts'], {
  cwd: root,
  env: {
    ...process.env,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: `file:${path}`,
    JWT_SECRET: 'a-secret-of-this-bench-and-of-nothing-else-0123456789',
    DATA_KEY: Buffer.alloc(32, 'a key of this bench').toString('base64url'),
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
  },
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
});

const delay = async (): Promise<Delay> => {
  const answer = once(service, 'message');
  service.send('delay');
  return (await answer)[0] as Delay;
};

const send = async (method: string, route: string, token: string | null, body: object): Promise<Response> => {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (token !== null) headers.Authorization = `Bearer ${token}`;
  return fetch(url + route, { method, headers, body: JSON.stringify(body) });
};

const register = async (at: number): Promise<string> => {
  const response = await send('POST', '/v1/auth/register', null, {
    name: `Pasien Beban ${at}`,
    phone_number: '81234567890',
    phone_country_code: '62',
    email: `beban${at}@klinik.example`,
    password: demoPassword,
    password_confirmation: demoPassword,
  });
  return ((await response.json()) as { data: { access_token: string } }).data.access_token;
};

/** Everybody changes the own profile again and again, until the returned function is awaited: it gives the answers. */
const writeRepeatedly = (tokens: readonly string[]) => {
  const statuses: number[] = [];
  let isOver = false;
  const lives = tokens.map(async (token) => {
    for (let turn = 0; !isOver; turn++) {
      const response = await send('PATCH', '/v1/auth/profile', token, {
        name: `Pasien Beban ke-${turn % 2}`,
      });
      await response.arrayBuffer();
      statuses.push(response.status);
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(lives);
    return statuses;
  };
};

interface Phase extends Measured, Delay {
  written: number;
  refused: number;
}

const phase = async (tokens: readonly string[], lock: () => Promise<void>): Promise<Phase> => {
  await delay();
  const stop = writeRepeatedly(tokens);
  const headers = { Authorization: `Bearer ${tokens[0]}` };
  const shot = { path: '/v1/bookings/history', headers };
  const [read] = await Promise.all([
    measure(
      { port, url, pid: service.pid ?? 0, stop: async () => {} },
      { connections: readers, seconds, shot, perSecond: readsPerSecond },
    ),
    lock(),
  ]);
  const delayed = await delay();
  const statuses = await stop();
  const count = (status: number) => statuses.filter((each) => each === status).length;
  return { ...read, ...delayed, written: count(200), refused: count(503) };
};

/** Holds the write lock for so many milliseconds again and again, with a rest in between. */
const holding = (other: DatabaseSync, heldMs: number, restMs: number) => async () => {
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    try {
      other.exec('BEGIN IMMEDIATE');
    } catch {
      // The service was quicker.
      await sleep(1);
      continue;
    }
    await sleep(Math.min(heldMs, until - performance.now()));
    other.exec('ROLLBACK');
    await sleep(restMs);
  }
};

const ms = (value: number): string => `${value.toFixed(1)} ms`;
try {
  await untilItAnswers(service, `${url}/ready`);
  // As another program would hold it, and without waiting for it: that would hold up the readers here.
  const other = new DatabaseSync(path, { timeout: 0 });
  const tokens: string[] = [];
  for (let at = 0; at < writers; at++) tokens.push(await register(at));
  await phase(tokens, async () => {});
  const phases: [string, Phase][] = [
    ['no lock', await phase(tokens, async () => {})],
    ['400 of every 500 ms', await phase(tokens, holding(other, 400, 100))],
    ['all the time', await phase(tokens, holding(other, Number.POSITIVE_INFINITY, 0))],
  ];
  printTable(
    [
      'lock held by another process',
      'longest delay',
      'wanted',
      'holds',
      'delay p99',
      'read p50, p99',
      'written',
      'refused',
    ],
    phases.map(([what, { maxMs, p99Ms, p50, p99, written, refused }]) => [
      what,
      ms(maxMs),
      `≤ ${wantedMs} ms`,
      maxMs <= wantedMs ? 'yes' : 'NO',
      ms(p99Ms),
      `${ms(p50)}, ${ms(p99)}`,
      String(written),
      String(refused),
    ]),
  );
} finally {
  service.kill('SIGTERM');
  await once(service, 'exit');
  rmSync(folder, { recursive: true });
}
