// Behaviour beyond the maximum load: requests at half and at twice the rate that the service can serve, whatever the
// answers, and at half again a while later, then beside 2,000 connections that idle and one that never reads. node
// bench/overload.ts [--figure mix | profile | history | bookings] [--seconds 20] [--rest 60] [--target 25]

import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { checkBookings } from './bookings.ts';
import { copyDataset, makeDataset, startJanji } from './dataset.ts';
import { shotsFor } from './figures.ts';
import type { Shot } from './load.ts';
import { machineSpeed } from './machine-speed.ts';
import { type Answered, openLoad, quantile } from './open-load.ts';
import type { Served } from './processes.ts';
import { printTable } from './table.ts';
import { makeTokens } from './tokens.ts';

const { values } = parseArgs({
  options: {
    figure: { type: 'string', default: 'mix' },
    seconds: { type: 'string', default: '20' },
    rest: { type: 'string', default: '60' },
    target: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const wantedRatio = 4;
/** The maximum of concurrent users; a request that finds all of them waiting is counted as unsent. */
const connections = 1_000;
const idling = 2_000;
/** How often each is asked of ten requests. */
const shares = { profile: 5, history: 3, bookings: 2 };

/** Asks whether the service is well, as a watcher does, until the returned function is called. */
const watch = ({ url }: Served) => {
  const slowest = { ms: 0, failed: 0, asked: 0 };
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      for (const path of ['/health', '/ready']) {
        const began = performance.now();
        const { ok } = await fetch(url + path).catch(() => ({ ok: false }));
        slowest.asked += 1;
        slowest.failed += ok ? 0 : 1;
        slowest.ms = Math.max(slowest.ms, performance.now() - began);
      }
      await sleep(100);
    }
  })();
  return async () => {
    isOver = true;
    await asking;
    return slowest;
  };
};

/** Connections that say nothing, and one that asks again and again and never reads. */
const burden = async ({ port }: Served, shot: Shot) => {
  const sockets = Array.from({ length: idling + 1 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  while (sockets.some(({ connecting }) => connecting)) await sleep(20);
  const [deaf] = sockets;
  deaf?.pause();
  const headers = Object.entries(shot.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
  const asked = `GET ${shot.path} HTTP/1.1\r\nhost: bench\r\n${headers.join('')}\r\n`;
  deaf?.write(asked.repeat(5_000));
  return () => {
    for (const socket of sockets) socket.destroy();
  };
};

const folder = mkdtempSync(join(tmpdir(), 'janji-bench-'));
const database = copyDataset(await makeDataset(folder), folder, 'janji');
const settings = values.target === undefined ? {} : { QUEUE_TARGET_MS: values.target };
const janji = await startJanji(database, [], undefined, { ...settings, LOG_LEVEL: 'warn' });
const makeShot = shotsFor(await makeTokens());
const shotOf = async (figure: string): Promise<() => Shot> => {
  const shot = await makeShot(figure, 'janji', janji);
  return typeof shot === 'function' ? shot : () => shot;
};
const names = values.figure === 'mix' ? Object.keys(shares) : [values.figure];
const kinds = await Promise.all(names.map(shotOf));
const turns = names.flatMap((name, at) =>
  Array.from({ length: shares[name as keyof typeof shares] ?? 1 }, () => kinds[at] as () => Shot),
);
let turn = 0;
const next = (): Shot => {
  turn += 1;
  return (turns[turn % turns.length] as () => Shot)();
};

const rows: string[][] = [];
const load = await openLoad(janji, connections);
let booked = 0;
const isAccepted = ({ status }: Answered) => status < 300;
const accepted = (answers: readonly Answered[]): number[] => answers.filter(isAccepted).map(({ ms }) => ms);

const run = async (what: string, perSecond: number, halfP99?: number): Promise<number> => {
  const ended = watch(janji);
  const { answers, unsent } = await load.open(next, perSecond, seconds);
  const watched = await ended();
  const refused = answers.filter(({ status }) => status === 503).map(({ ms }) => ms);
  const served = accepted(answers);
  const strange = answers.length - served.length - refused.length;
  booked += served.length;
  const p99 = quantile(served, 0.99);
  rows.push([
    what,
    perSecond.toFixed(0),
    (served.length / seconds).toFixed(0),
    (refused.length / seconds).toFixed(0),
    `${strange}, ${unsent}`,
    quantile(served, 0.5).toFixed(1),
    p99.toFixed(1),
    halfP99 === undefined ? '' : (p99 / halfP99).toFixed(2),
    refused.length === 0 ? '' : quantile(refused, 0.99).toFixed(1),
    `${watched.failed} of ${watched.asked}, ${watched.ms.toFixed(0)}`,
    String(machineSpeed()),
  ]);
  return p99;
};

try {
  await load.closed(next, 32, 4);
  const top = accepted(await load.closed(next, 32, 5)).length / 5;
  await sleep(500);
  const half = await run('half', top / 2);
  await run('twice', top * 2, half);
  await sleep(Number(values.rest) * 1000);
  await run(`half, ${values.rest} s later`, top / 2, half);
  const relieve = await burden(janji, (await shotOf('history'))());
  await run(`half, ${idling} idle and one never reads`, top / 2, half);
  relieve();
  printTable(
    [
      `${values.figure}, top ${top.toFixed(0)}/s`,
      'sent/s',
      'accepted/s',
      'refused/s',
      'other, unsent',
      'p50 ms',
      'p99 ms',
      `to half (≤ ${wantedRatio})`,
      'refusal p99 ms',
      'health failed, slowest ms',
      'machine',
    ],
    rows,
  );
  if (load.lost() > 0)
    process.stdout.write(`${load.lost()} connections were lost with a request under way\n`);
} finally {
  load.end();
  await janji.stop();
}
if (values.figure === 'bookings') checkBookings(database, booked);
rmSync(folder, { recursive: true });
