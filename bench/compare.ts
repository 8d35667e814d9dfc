// What a change brings: this checkout of the service against another, in paired rounds on the same data, each in the
// schema of its own migrations. Against itself it tells the spread.
//   node bench/compare.ts --with ../before [--figure profile] [--connections 32] [--seconds 2] [--rounds 10]
// `git worktree add ../before <commit>` makes the other one, `npm ci` in it its node_modules.

import { partialDeepStrictEqual } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkBookings, makeDataset, makeTokens, startJanji } from './dataset.ts';
import { answerTo, figures, shotsFor } from './figures.ts';
import { type Load, type Measured, measure, median, pairedRatio, type Shot } from './load.ts';
import { root, type Served } from './processes.ts';
import { printTable } from './table.ts';

const { values } = parseArgs({
  options: {
    with: { type: 'string' },
    figure: { type: 'string', default: 'profile' },
    connections: { type: 'string' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '10' },
  },
});
const figure = figures.find(({ name }) => name === values.figure);
if (values.with === undefined || figure === undefined)
  throw new Error(`--with takes a checkout, --figure one of ${figures.map(({ name }) => name).join(', ')}.`);
const connections = Number(values.connections ?? figure.connections);

interface Side {
  name: string;
  database: string;
  served: Served;
  shot: Load['shot'];
  measured: Measured[];
  accepted: number;
}

const folder = mkdtempSync(join(tmpdir(), 'janji-bench-'));
const sides: Side[] = [];

const compare = async (): Promise<void> => {
  const tokens = await makeTokens();
  const checkouts = { before: resolve(values.with ?? ''), now: root };
  for (const [name, checkout] of Object.entries(checkouts)) {
    const database = await makeDataset(folder, checkout, name);
    const served = await startJanji(database, [], checkout);
    const shot = await shotsFor(tokens)(figure.name, 'janji', served);
    sides.push({ name, database, served, shot, measured: [], accepted: 0 });
  }
  if (figure.name === 'profile' || figure.name === 'history') {
    const [before, now] = await Promise.all(sides.map(({ served, shot }) => answerTo(served, shot as Shot)));
    // A field may have come since.
    partialDeepStrictEqual(now, before);
  }
  // Round 0 warms up and does not count; the order changes with each round.
  for (let round = 0; round <= Number(values.rounds); round++)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const load = { connections, seconds: Number(values.seconds), shot: side.shot };
      const measured = await measure(side.served, load);
      side.accepted += measured.accepted;
      if (round > 0) side.measured.push(measured);
    }
};

try {
  await compare();
} finally {
  await Promise.allSettled(sides.map(({ served }) => served.stop()));
}
if (figure.name === 'bookings') for (const { database, accepted } of sides) checkBookings(database, accepted);
rmSync(folder, { recursive: true });

const [before = [], now = []] = sides.map(({ measured }) => measured);
const faster = now.filter(({ perSecond }, at) => perSecond > (before[at]?.perSecond ?? 0)).length;

printTable(
  [`${figure.name} @${connections}`, 'least served', 'requests/s', 'p99 ms', 'CPU µs/request'],
  [
    ...sides.map(({ name, measured }) => [
      name,
      String(Math.min(...measured.map(({ connectionsServed }) => connectionsServed))),
      median(measured.map(({ perSecond }) => perSecond)).toFixed(0),
      median(measured.map(({ p99 }) => p99)).toFixed(2),
      median(measured.map(({ cpuMicros }) => cpuMicros)).toFixed(0),
    ]),
    [
      `now to before; faster in ${faster} of ${now.length} rounds`,
      '',
      pairedRatio(now, before, 'perSecond').toFixed(3),
      '',
      pairedRatio(now, before, 'cpuMicros').toFixed(3),
    ],
  ],
);
