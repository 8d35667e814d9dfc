// The second table: the cost of a request by the number of connections. node bench/concurrency.ts [--seconds 2]
// [--rounds 3] [--connections 1,8,32,128,512] [--figures profile,bookings]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkBookings } from './bookings.ts';
import { copyDataset, makeDataset, startJanji } from './dataset.ts';
import { shotsFor } from './figures.ts';
import { type Measured, measure, median } from './load.ts';
import { printTable } from './table.ts';
import { makeTokens } from './tokens.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '1,8,32,128,512' },
    figures: { type: 'string', default: 'profile,bookings' },
  },
});
const rounds = Number(values.rounds);
const figures = values.figures.split(',');
const connections = values.connections.split(',').map(Number);

const folder = mkdtempSync(join(tmpdir(), 'janji-bench-'));
const database = copyDataset(await makeDataset(folder), folder, 'janji');
// Measures the requests that are served, not those refused under overload.
const janji = await startJanji(database, [], undefined, { QUEUE_TARGET_MS: '0' });
const makeShot = shotsFor(await makeTokens());
const results = new Map<string, Measured[]>();
let accepted = 0;

try {
  // Round 0 warms up and does not count.
  for (let round = 0; round <= rounds; round++)
    for (const figure of figures)
      for (const at of connections) {
        const shot = await makeShot(figure, 'janji', janji);
        const measured = await measure(janji, { connections: at, seconds: Number(values.seconds), shot });
        if (figure === 'bookings') accepted += measured.accepted;
        const key = `${figure} ${at}`;
        if (round > 0) results.set(key, [...(results.get(key) ?? []), measured]);
      }
} finally {
  await janji.stop();
}
checkBookings(database, accepted);
rmSync(folder, { recursive: true });

const medianOf = (key: string, of: (measured: Measured) => number) =>
  median((results.get(key) ?? []).map(of));
const minServed = (key: string) =>
  Math.min(...(results.get(key) ?? []).map(({ connectionsServed }) => connectionsServed));
const spread = ({ p50, p99 }: Measured) => p99 / p50;

printTable(
  ['figure', 'connections', 'least served', 'requests/s', 'p50 ms', 'p99 ms', 'p99/p50', 'CPU µs/request'],
  figures.flatMap((figure) =>
    connections.map((at) => {
      const of = (field: (measured: Measured) => number, digits: number) =>
        medianOf(`${figure} ${at}`, field).toFixed(digits);
      return [
        figure,
        String(at),
        String(minServed(`${figure} ${at}`)),
        of(({ perSecond }) => perSecond, 0),
        of(({ p50 }) => p50, 2),
        of(({ p99 }) => p99, 2),
        of(spread, 2),
        of(({ cpuMicros }) => cpuMicros, 0),
      ];
    }),
  ),
);
for (const figure of figures) {
  const quotient = medianOf(`${figure} 512`, spread) / medianOf(`${figure} 32`, spread);
  if (!Number.isNaN(quotient))
    process.stdout.write(
      `${figure}: p99/p50 at 512 connections is ${quotient.toFixed(2)} times that at 32\n`,
    );
}
