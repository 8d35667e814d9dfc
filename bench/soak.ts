// Mixed load at a share of the top rate for some minutes: no error, no growth of the heap or of the handles, and a
// sound database afterwards.
//   node bench/soak.ts [--minutes 30] [--share 0.5] [--clients 16]

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { demoAccounts, demoPassword } from '../src/modules/demo/demo.ts';
import { findProblems } from '../src/runtime/node/database/invariants.ts';
import { freePort, root, untilItAnswers } from './processes.ts';
import { makeCaller, makeGate, makePatient, type Tally } from './soak-load.ts';
import type { Holding } from './soak-probe.ts';
import { growthOf } from './trend.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    share: { type: 'string', default: '0.5' },
    clients: { type: 'string', default: '16' },
  },
});
const minutes = Number(values.minutes);
const clients = Number(values.clients);
/** In the first minutes caches still fill the heap: only a longer run can show a leak. */
const judgesHeap = minutes >= 20;
const warmUpSeconds = Math.min(20, minutes * 6);
const maxGrowth = 0.1;
/** A timer or a connection more or less is no leak. */
const handlesByChance = 5;

const folder = mkdtempSync(join(tmpdir(), 'janji-soak-'));
const path = join(folder, 'janji.db');
const port = await freePort();
const base = `http://127.0.0.1:${port}`;

const service: ChildProcess = spawn(
  process.execPath,
  ['--expose-gc', '--import', './bench/soak-probe.ts', 'src/node.ts'],
  {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DEMO: 'on',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: `file:${path}`,
      JWT_SECRET: 'a-secret-of-the-soak-and-of-nothing-else-0123456789',
      DATA_KEY: Buffer.alloc(32, 'a key of this bench').toString('base64url'),
      RATE_LIMIT: 'off',
      MAX_LIVE_BOOKINGS: '0',
      MAX_ADVANCE_DAYS: '700',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  },
);

const holding = async (): Promise<Holding> => {
  const answer = once(service, 'message');
  service.send('measure');
  const [message] = await answer;
  return message as Holding;
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const inMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
const inPercent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const tally: Tally = { answers: 0, refused: 0, errors: [] };
const call = makeCaller(base, tally);
const gate = makeGate();
const failures: string[] = [];
let running = true;

const stopService = async (): Promise<number | null> => {
  if (service.exitCode === null && service.signalCode === null) {
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
  return service.exitCode;
};

try {
  await untilItAnswers(service, `${base}/ready`);
  const [, staff] = demoAccounts;
  const login = { email: staff.email, password: demoPassword };
  const staffToken = async () =>
    (await call(200, 'POST', '/v1/auth/login', null, login))?.body.data.access_token as string;
  const patients = [];
  for (let at = 0; at < clients; at++) patients.push(await makePatient(call, at, await staffToken()));
  const lives = patients.map(async (act) => {
    while (running) await gate.turn(act);
  });

  // As fast as it goes: the top rate, and the warming up.
  const atStart = tally.answers;
  await sleep(warmUpSeconds * 1000);
  const topRate = (tally.answers - atStart) / warmUpSeconds;
  const rate = topRate * Number(values.share);
  gate.setRate(rate);
  say(`top rate ${topRate.toFixed(0)}/s in ${warmUpSeconds} s; ${rate.toFixed(0)}/s for ${minutes} minutes`);

  const samples: (Holding & { seconds: number })[] = [];
  const startedAt = performance.now();
  const answersBefore = tally.answers;
  const everyMs = Math.min(15_000, minutes * 2_500);
  while (performance.now() - startedAt < minutes * 60_000) {
    await sleep(everyMs);
    const seconds = (performance.now() - startedAt) / 1000;
    samples.push({ seconds, ...(await gate.whileClosed(holding)) });
    const { heapBytes, externalBytes, rssBytes, sockets, handles } = samples.at(-1) as Holding;
    if (samples.length % 8 === 0)
      say(
        `${seconds.toFixed(0)} s: heap ${inMegabytes(heapBytes)}, outside it ${inMegabytes(externalBytes)}, resident ${inMegabytes(rssBytes)}, ${sockets} connections, ${handles} other handles, ${tally.answers - answersBefore} answers, ${tally.errors.length} errors`,
      );
  }
  running = false;
  await Promise.all(lives);

  const judged = samples.filter(({ seconds }) => seconds > minutes * 10);
  const growth = (key: keyof Holding) => growthOf(judged.map((sample) => [sample.seconds, sample[key]]));
  const [heap, external, handles] = [growth('heapBytes'), growth('externalBytes'), growth('handles')];
  const last = judged.at(-1) as Holding;
  say(
    `${tally.answers - answersBefore} answers, ${tally.refused} lost races for a slot, ${tally.errors.length} errors; over the last five sixths: heap after collection ${inPercent(heap)} to ${inMegabytes(last.heapBytes)}, memory outside it ${inPercent(external)} to ${inMegabytes(last.externalBytes)}, handles but connections ${inPercent(handles)} to ${last.handles}`,
  );
  if (judgesHeap && heap > maxGrowth) failures.push(`The heap grew by ${inPercent(heap)}.`);
  if (handles > maxGrowth && handles * last.handles > handlesByChance)
    failures.push(`The handles grew by ${inPercent(handles)}.`);
  // The clients' pool replaces connections, so that for a while there are up to two for each: a leak would never come
  // down again.
  const sockets = Math.min(...judged.slice(-Math.ceil(judged.length / 3)).map((sample) => sample.sockets));
  if (sockets > 2 * clients) failures.push(`${sockets} connections stayed open for ${clients} clients.`);
} catch (error) {
  running = false;
  failures.push(error instanceof Error ? error.message : String(error));
} finally {
  const code = await stopService();
  if (code !== 0) failures.push(`The service ended with ${code}.`);
}
for (const [error, count] of Map.groupBy(tally.errors, (each) => each))
  failures.push(`${count.length} × ${error}`);
failures.push(...findProblems(path));
rmSync(folder, { recursive: true });
for (const failure of failures) process.stderr.write(`${failure}\n`);
process.exitCode = failures.length > 0 ? 1 : 0;
