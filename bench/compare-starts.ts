// Measures the effect of a change on a Worker's start: this checkout's against another's, in turn, each beyond an empty
// Worker. node bench/compare-starts.ts --with ../before [--starts 30]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from './load.ts';
import { root } from './processes.ts';
import { starter } from './start-up.ts';
import { printTable } from './table.ts';
import { buildWorker } from './worker-bundle.ts';

const { values } = parseArgs({
  options: { with: { type: 'string' }, starts: { type: 'string', default: '30' } },
});
if (values.with === undefined) throw new Error('--with takes a checkout.');

const folder = mkdtempSync(join(tmpdir(), 'janji-bench-'));
const sides = Object.entries({ before: resolve(values.with), now: root }).map(([name, checkout]) => {
  const built = join(folder, name);
  return { name, start: starter(built, buildWorker(built, checkout)), ms: [] as number[] };
});
for (let round = 0; round < Number(values.starts); round++)
  for (const { start, ms } of round % 2 === 0 ? sides : sides.toReversed()) ms.push(await start());
rmSync(folder, { recursive: true });

const [before = [], now = []] = sides.map(({ ms }) => ms);
printTable(
  ['start of a Worker, CPU beyond an empty one', 'median ms', 'least ms', 'worst ms'],
  [
    ...sides.map(({ name, ms }) => [
      name,
      median(ms).toFixed(1),
      Math.min(...ms).toFixed(1),
      Math.max(...ms).toFixed(1),
    ]),
    [
      'now less before, by pairs',
      median(now.map((each, at) => each - (before[at] ?? Number.NaN))).toFixed(1),
      '',
      '',
    ],
  ],
);
