// What a change brings: this checkout of the service against another, in paired rounds on the same data.
//   node bench/compare.ts --with ../before [--figure profile] [--seconds 2] [--rounds 10]
// The other one needs its own node_modules; `git worktree add ../before <commit>` makes it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkBookings, copyDataset, makeDataset, makeTokens, startJanji } from './dataset.ts';
import { figures, shotsFor } from './figures.ts';
import { type Measured, measure, median } from './load.ts';
import { root } from './processes.ts';
import { printTable } from './table.ts';

const { values } = parseArgs({
  options: {
    with: { type: 'string' },
    figure: { type: 'string', default: 'profile' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '10' },
  },
});
const figure = figures.find(({ name }) => name === values.figure);
if (values.with === undefined || figure === undefined)
  throw new Error(`--with takes a checkout, --figure one of ${figures.map(({ name }) => name).join(', ')}.`);

const folder = mkdtempSync(join(tmpdir(), 'janji-bench-'));
const base = await makeDataset(folder);
const tokens = await makeTokens();

const begin = async (name: string, checkout: string) => {
  const database = copyDataset(base, folder, name);
  const served = await startJanji(database, [], checkout);
  const shot = await shotsFor(tokens)(figure.name, 'janji', served);
  return { name, database, served, shot, measured: [] as Measured[], accepted: 0 };
};
const before = await begin('before', resolve(values.with));
const now = await begin('now', root);

try {
  // Round 0 warms up and does not count; the order changes with each round.
  for (let round = 0; round <= Number(values.rounds); round++)
    for (const side of round % 2 === 0 ? [before, now] : [now, before]) {
      const { connections } = figure;
      const load = { connections, seconds: Number(values.seconds), shot: side.shot };
      const measured = await measure(side.served, load);
      side.accepted += measured.accepted;
      if (round > 0) side.measured.push(measured);
    }
} finally {
  for (const { served } of [before, now]) await served.stop();
}
if (figure.name === 'bookings')
  for (const { database, accepted } of [before, now]) checkBookings(database, accepted);
rmSync(folder, { recursive: true });

const ratioOf = (field: 'perSecond' | 'cpuMicros') =>
  median(now.measured.map((measured, at) => measured[field] / (before.measured[at]?.[field] ?? Number.NaN)));

printTable(
  [`${figure.name} @${figure.connections}`, 'requests/s', 'p99 ms', 'CPU µs/request'],
  [
    ...[before, now].map(({ name, measured }) => [
      name,
      median(measured.map(({ perSecond }) => perSecond)).toFixed(0),
      median(measured.map(({ p99 }) => p99)).toFixed(2),
      median(measured.map(({ cpuMicros }) => cpuMicros)).toFixed(0),
    ]),
    ['now to before, by round', ratioOf('perSecond').toFixed(3), '', ratioOf('cpuMicros').toFixed(3)],
  ],
);
