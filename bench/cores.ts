// Measures the gain of a second process on the same file: the same load on one process and divided between two, in
// turn. node bench/cores.ts [--seconds 3] [--rounds 5] [--connections 32] [--figures profile,history,bookings] The load
// generator needs a core as well: requests/s are meaningful for more processes only with spare cores, the CPU time of a
// request always.

import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkBookings } from './bookings.ts';
import { copyDataset, makeDataset, startJanji } from './dataset.ts';
import { shotsFor } from './figures.ts';
import { median, type Shot } from './load.ts';
import { machineSpeed } from './machine-speed.ts';
import { openLoad, quantile } from './open-load.ts';
import { cpuSecondsOf, type Served, threadMillisecondsOf } from './processes.ts';
import { printTable } from './table.ts';
import { makeTokens } from './tokens.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
    figures: { type: 'string', default: 'profile,history,bookings' },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const figures = values.figures.split(',');

interface Round {
  perSecond: number;
  p99: number;
  cpuMicros: number;
  /** Answers that were no success: a process may find the file locked by the other. */
  refused: number;
  generatorCores: number;
}

const folder = mkdtempSync(join(tmpdir(), 'janji-bench-'));
const database = copyDataset(await makeDataset(folder), folder, 'janji');
// Measures the requests that are served, not those refused beyond that.
const settings = { QUEUE_TARGET_MS: '0' };
const first = await startJanji(database, [], undefined, settings);
const both = [first, await startJanji(database, [], undefined, settings)];
const makeShot = shotsFor(await makeTokens());
const rounds = new Map<string, { one: Round[]; two: Round[] }>();
let booked = 0;

const measure = async (servers: readonly Served[], shot: () => Shot): Promise<Round> => {
  const cpu = () => servers.reduce((sum, { pid }) => sum + threadMillisecondsOf(pid), 0);
  const loads = await Promise.all(servers.map((served) => openLoad(served, connections / servers.length)));
  const [before, ownBefore] = [cpu(), cpuSecondsOf(process.pid)];
  const answers = (
    await Promise.all(loads.map((load) => load.closed(shot, connections / servers.length, seconds)))
  ).flat();
  const [used, own] = [cpu() - before, cpuSecondsOf(process.pid) - ownBefore];
  for (const load of loads) load.end();
  const served = answers.filter(({ status }) => status < 300);
  return {
    perSecond: served.length / seconds,
    p99: quantile(
      served.map(({ ms }) => ms),
      0.99,
    ),
    cpuMicros: (used / served.length) * 1000,
    refused: answers.length - served.length,
    generatorCores: own / seconds,
  };
};

try {
  for (const figure of figures) {
    const given = await makeShot(figure, 'janji', first);
    const shot = typeof given === 'function' ? given : () => given;
    const held = { one: [] as Round[], two: [] as Round[] };
    // Round 0 warms up and does not count.
    for (let round = 0; round <= Number(values.rounds); round++)
      for (const way of round % 2 === 0 ? (['one', 'two'] as const) : (['two', 'one'] as const)) {
        const measured = await measure(way === 'one' ? [first] : both, shot);
        if (figure === 'bookings') booked += Math.round(measured.perSecond * seconds);
        if (round > 0) held[way].push(measured);
      }
    rounds.set(figure, held);
  }
} finally {
  await Promise.all(both.map(({ stop }) => stop()));
}
checkBookings(database, booked);
rmSync(folder, { recursive: true });

const of = (measured: readonly Round[], field: keyof Round) => median(measured.map((one) => one[field]));
const ratio = ({ one, two }: { one: Round[]; two: Round[] }, field: keyof Round) =>
  median(two.map((each, at) => each[field] / (one[at]?.[field] ?? Number.NaN)));

printTable(
  [
    `${connections} connections, ${availableParallelism()} cores`,
    'requests/s, one',
    'two',
    'two to one',
    'p99 ms, one',
    'two',
    'CPU µs/request, one',
    'two',
    'two to one',
    'refused, two',
    "generator's cores, one",
    'two',
  ],
  [...rounds].map(([figure, held]) => [
    figure,
    of(held.one, 'perSecond').toFixed(0),
    of(held.two, 'perSecond').toFixed(0),
    ratio(held, 'perSecond').toFixed(2),
    of(held.one, 'p99').toFixed(1),
    of(held.two, 'p99').toFixed(1),
    of(held.one, 'cpuMicros').toFixed(0),
    of(held.two, 'cpuMicros').toFixed(0),
    ratio(held, 'cpuMicros').toFixed(2),
    String(of(held.two, 'refused')),
    of(held.one, 'generatorCores').toFixed(2),
    of(held.two, 'generatorCores').toFixed(2),
  ]),
);
process.stdout.write(`machine speed ${machineSpeed()}\n`);
