// The effect of a login storm on other requests, and on itself: readers beside 60 and beside 100 logins, 300 logins at
// once, logins a second. Of 100 in flight the queue refuses a third, and their clients ask again without waiting. node
// bench/login-storm.ts [--seconds 5] [--rounds 5]

import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { demoPassword } from '../src/modules/demo/demo.ts';
import { copyDataset, makeDataset, startJanji } from './dataset.ts';
import { bareArgon2 } from './figures.ts';
import { type Measured, measure, median, type Shot } from './load.ts';
import type { Served } from './processes.ts';
import { printTable } from './table.ts';
import { makeTokens } from './tokens.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, rounds: { type: 'string', default: '5' } },
});
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
const inFlight = 60;
const beyondQueue = 100;
const crowd = 300;
const readers = 8;

const wanted = { slower: 4, refusalMs: 250, toArgon2: 0.85 };

const login: Shot & { body: string } = {
  method: 'POST',
  path: '/v1/auth/login',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ email: 'pasien@klinik.example', password: demoPassword }),
};

interface Answer {
  status: number;
  retryAfter: string | undefined;
  ms: number;
}

/** Sends one login on a connection that is already open. */
const send = ({ port }: Served, agent: Agent, { method = 'GET', path, headers, body }: Shot) =>
  new Promise<Answer>((resolve, reject) => {
    const startedAt = performance.now();
    const call = request({ port, host: '127.0.0.1', agent, method, path, headers }, (response) => {
      const ms = performance.now() - startedAt;
      response.resume().on('end', () => {
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], ms });
      });
    });
    call.on('error', reject).end(body);
  });

/** As many logins as the crowd has people, all sent in the same moment. */
const rush = async (janji: Served): Promise<Answer[]> => {
  const agent = new Agent({ keepAlive: true, maxSockets: crowd });
  const all = (shot: Shot) => Promise.all(Array.from({ length: crowd }, () => send(janji, agent, shot)));
  await all({ path: '/health' });
  const answers = await all(login);
  agent.destroy();
  return answers;
};

/** Waits until the logins whose clients have gone are done: hashing is first come, first served. */
const settle = async (janji: Served): Promise<void> => {
  const agent = new Agent({ keepAlive: true });
  while ((await send(janji, agent, login)).status !== 200) await sleep(100);
  agent.destroy();
};

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

const folder = mkdtempSync(join(tmpdir(), 'janji-bench-'));
const database = copyDataset(await makeDataset(folder), folder, 'janji');
const janji = await startJanji(database);
const [token] = await makeTokens();
const profile: Shot = { path: '/v1/auth/profile', headers: { Authorization: `Bearer ${token}` } };
const read = () => measure(janji, { connections: readers, seconds, shot: profile, perSecond: 400 });
const storm = async (connections = inFlight, lasts = seconds) => {
  const load = { connections, seconds: lasts, shot: login, mayRefuse: connections > inFlight };
  const measured = await measure(janji, load);
  await settle(janji);
  return measured;
};
/** Readers beside a storm that is up before the first of them asks, and lasts until the last of them has its answer. */
const lead = 0.5;
const stormSeconds = seconds + 3 * lead;
const readBeside = async (connections: number): Promise<[beside: Measured, storm: Measured]> => {
  const storming = storm(connections, stormSeconds);
  await sleep(lead * 1_000);
  return [await read(), await storming];
};

interface Round {
  idle: Measured;
  beside: Measured;
  fewer: Measured;
  besideMore: Measured;
  more: Measured;
  logins: number;
  bare: number;
  answers: Answer[];
}
const held: Round[] = [];
try {
  // Round 0 warms up and does not count.
  for (let round = 0; round <= rounds; round++) {
    const idle = await read();
    const [beside, fewer] = await readBeside(inFlight);
    const [besideMore, more] = await readBeside(beyondQueue);
    const logins = (await storm()).perSecond;
    const bare = bareArgon2(seconds);
    const answers = await rush(janji);
    if (round > 0) held.push({ idle, beside, fewer, besideMore, more, logins, bare, answers });
  }
} finally {
  await janji.stop();
  rmSync(folder, { recursive: true });
}

// Rounds are paired: noise that lasts longer than one round falls out of the ratios.
const over = (of: (round: Round) => number): number => median(held.map(of));
const answers = held.flatMap(({ answers }) => answers);
const refused = answers.filter(({ status }) => status === 503);
const strange = answers.filter(({ status }) => status !== 200 && status !== 503);
const refusalMs = refused.map(({ ms }) => ms);
const saysWhenToRetry = refused.length > 0 && refused.every(({ retryAfter }) => Number(retryAfter) >= 1);
const slower = over(({ idle, beside }) => beside.p99 / idle.p99);
const slowerBeyond = over(({ idle, besideMore }) => besideMore.p99 / idle.p99);
/** Each connection has one login under way, and sends the next as soon as it is answered. */
const leastOf = (of: (round: Round) => Measured) =>
  Math.min(...held.map((round) => of(round).connectionsServed));
const flying = [leastOf(({ fewer }) => fewer), leastOf(({ more }) => more)];
const toArgon2 = over(({ logins, bare }) => logins / bare);
const ms = (value: number) => `${value.toFixed(2)} ms`;
const verdict = (holds: boolean) => (holds ? 'yes' : 'NO');

printTable(
  ['figure', 'measured', 'wanted', 'holds'],
  [
    ['profile p50, p99, idle', `${ms(over((r) => r.idle.p50))}, ${ms(over((r) => r.idle.p99))}`, '', ''],
    [
      `profile p50, p99, ${inFlight} logins in flight`,
      `${ms(over((r) => r.beside.p50))}, ${ms(over((r) => r.beside.p99))}`,
      '',
      '',
    ],
    [
      'logins in flight: connections served, the fewest of a round',
      flying.join(', '),
      `${inFlight}, ${beyondQueue}`,
      verdict(flying.join() === [inFlight, beyondQueue].join()),
    ],
    ['p99 to the idle p99', slower.toFixed(2), `≤ ${wanted.slower}`, verdict(slower <= wanted.slower)],
    [
      `profile p50, p99, ${beyondQueue} logins in flight`,
      `${ms(over((r) => r.besideMore.p50))}, ${ms(over((r) => r.besideMore.p99))}`,
      '',
      '',
    ],
    [
      `p99 to the idle p99, ${beyondQueue} in flight`,
      slowerBeyond.toFixed(2),
      `≤ ${wanted.slower}`,
      verdict(slowerBeyond <= wanted.slower),
    ],
    [
      `logins/s served, refusals/s, ${beyondQueue} in flight`,
      `${over((r) => r.more.accepted / stormSeconds).toFixed(1)}, ${over((r) => r.more.perSecond - r.more.accepted / stormSeconds).toFixed(0)}`,
      '',
      '',
    ],
    [
      `${crowd} at once: served, refused, other, a round`,
      [answers.length - refused.length - strange.length, refused.length, strange.length]
        .map((count) => (count / held.length).toFixed(0))
        .join(', '),
      'no other',
      verdict(strange.length === 0),
    ],
    ['each refusal has Retry-After', String(saysWhenToRetry), 'true', verdict(saysWhenToRetry)],
    [
      'refusal p50, p99 after the rush began',
      `${ms(quantile(refusalMs, 0.5))}, ${ms(quantile(refusalMs, 0.99))}`,
      `≤ ${wanted.refusalMs} ms`,
      verdict(quantile(refusalMs, 0.99) <= wanted.refusalMs),
    ],
    ['logins/s together', over((r) => r.logins).toFixed(1), '', ''],
    ['bare @node-rs/argon2 verifies/s', over((r) => r.bare).toFixed(1), '', ''],
    ['logins to bare', toArgon2.toFixed(2), `≥ ${wanted.toArgon2}`, verdict(toArgon2 >= wanted.toArgon2)],
  ],
);
