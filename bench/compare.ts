// What a change brings: this checkout of the service against another, in paired rounds on the same data, each in the
// schema of its own migrations. Against itself it tells the spread.
//   node bench/compare.ts --with ../before | --encrypted [--figure profile] [--connections 32] [--seconds 2] [--rounds 10]
// With --encrypted both are this checkout, and the second one has its database encrypted with DATABASE_KEY.
// `git worktree add ../before <commit>` makes the other one, `npm ci` in it its node_modules.

import { partialDeepStrictEqual } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { copyLive } from '../src/node/backup/live-copy.ts';
import { checkBookings, makeDataset, makeTokens, startJanji } from './dataset.ts';
import { answerTo, figures, shotsFor } from './figures.ts';
import { type Load, type Measured, measure, median, pairedRatio, type Shot } from './load.ts';
import { root, type Served } from './processes.ts';
import { printTable } from './table.ts';

const { values } = parseArgs({
  options: {
    with: { type: 'string' },
    encrypted: { type: 'boolean', default: false },
    figure: { type: 'string', default: 'profile' },
    connections: { type: 'string' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '10' },
  },
});
const figure = figures.find(({ name }) => name === values.figure);
const before = values.encrypted ? root : values.with;
if (before === undefined || figure === undefined)
  throw new Error(
    `--with takes a checkout (or --encrypted stands), --figure one of ${figures.map(({ name }) => name).join(', ')}.`,
  );
const connections = Number(values.connections ?? figure.connections);

interface Side {
  name: string;
  database: string;
  served: Served;
  shot: Load['shot'];
  measured: Measured[];
  accepted: number;
}

const fileKey = randomBytes(32).toString('base64url');
const quiet = () => {};
const folder = mkdtempSync(join(tmpdir(), 'janji-bench-'));
const sides: Side[] = [];

const compare = async (): Promise<void> => {
  const tokens = await makeTokens();
  const checkouts = { before: resolve(before), now: root };
  for (const [name, checkout] of Object.entries(checkouts)) {
    const made = await makeDataset(folder, checkout, name);
    const isEncrypted = values.encrypted && name === 'now';
    const database = isEncrypted ? `${made}.encrypted` : made;
    if (isEncrypted) await copyLive(made, database, quiet, undefined, fileKey);
    const settings = isEncrypted ? { DATABASE_KEY: fileKey } : {};
    const served = await startJanji(database, [], checkout, settings);
    const shot = await shotsFor(tokens)(figure.name, 'janji', served);
    sides.push({ name, database, served, shot, measured: [], accepted: 0 });
  }
  if (figure.name === 'profile' || figure.name === 'history') {
    const [other, now] = await Promise.all(sides.map(({ served, shot }) => answerTo(served, shot as Shot)));
    // A field may have come since.
    partialDeepStrictEqual(now, other);
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
if (figure.name === 'bookings')
  for (const { database, accepted } of sides) {
    const readable = `${database}.readable`;
    await copyLive(database, readable, quiet, fileKey, null);
    checkBookings(readable, accepted);
  }
rmSync(folder, { recursive: true });

const [others = [], now = []] = sides.map(({ measured }) => measured);
const faster = now.filter(({ perSecond }, at) => perSecond > (others[at]?.perSecond ?? 0)).length;

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
      pairedRatio(now, others, 'perSecond').toFixed(3),
      '',
      pairedRatio(now, others, 'cpuMicros').toFixed(3),
    ],
  ],
);
