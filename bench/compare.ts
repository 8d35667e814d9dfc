// Compares this checkout of the service with another, in paired rounds on the same data, each in the schema of its own
// migrations. Both are started again several times, since one start can be a tenth faster than the next one of the same
// code: how V8 compiles it is partly chance. Compared with itself it shows the spread. node bench/compare.ts --with
// ../before | --encrypted [--figure profile] [--connections 32] [--seconds 2] [--rounds 3] [--starts 6] With
// --encrypted both are this checkout, and the second one has its database encrypted with DATABASE_KEY. `git worktree
// add ../before <commit>` makes the other one, `npm ci` in it its node_modules.

import { partialDeepStrictEqual, strictEqual } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { copyLive } from '../src/runtime/node/backup/live-copy.ts';
import { checkBookings } from './bookings.ts';
import { makeDataset, startJanji } from './dataset.ts';
import { answerTo, figures, shotsFor } from './figures.ts';
import { type Load, type Measured, measure, median, pairedRatio, type Shot } from './load.ts';
import { root, type Served } from './processes.ts';
import { printTable } from './table.ts';
import { makeTokens } from './tokens.ts';

const { values } = parseArgs({
  options: {
    with: { type: 'string' },
    encrypted: { type: 'boolean', default: false },
    figure: { type: 'string', default: 'profile' },
    connections: { type: 'string' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '3' },
    starts: { type: 'string', default: '6' },
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
  start: () => Promise<Served>;
  shots: ReturnType<typeof shotsFor>;
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
    const start = () => startJanji(database, [], checkout, settings);
    sides.push({ name, database, start, shots: shotsFor(tokens), measured: [], accepted: 0 });
  }
  for (let started = 0; started < Number(values.starts); started++)
    await measureStarted(started % 2 === 0 ? sides : sides.toReversed());
};

interface Running {
  side: Side;
  served: Served;
  shot: Load['shot'];
}

const assertSameAnswer = async (up: readonly Running[]): Promise<void> => {
  const answers = new Map<string, unknown>();
  for (const { side, served, shot } of up) {
    // The number of the demo clinic's events, in the list's `meta`, depends on the work that was due at the start.
    const { data } = (await answerTo(served, shot as Shot)) as { data: unknown };
    answers.set(side.name, data);
  }
  const [now, before] = [answers.get('now'), answers.get('before')];
  const rowsOf = (data: unknown) => (Array.isArray(data) ? data.length : null);
  strictEqual(rowsOf(now), rowsOf(before), 'Both list as many rows: what one lacks costs it nothing.');
  // A field may have come since.
  partialDeepStrictEqual(now, before);
};

/** Starts both in this order and measures them in turn; round 0 warms up and does not count. */
const measureStarted = async (inOrder: readonly Side[]): Promise<void> => {
  const up: Running[] = [];
  try {
    for (const side of inOrder) {
      const served = await side.start();
      up.push({ side, served, shot: await side.shots(figure.name, 'janji', served) });
    }
    if (['profile', 'history', 'list', 'doctors'].includes(figure.name)) await assertSameAnswer(up);
    for (let round = 0; round <= Number(values.rounds); round++)
      for (const { side, served, shot } of round % 2 === 0 ? up : up.toReversed()) {
        const measured = await measure(served, { connections, seconds: Number(values.seconds), shot });
        side.accepted += measured.accepted;
        if (round > 0) side.measured.push(measured);
      }
  } finally {
    await Promise.allSettled(up.map(({ served }) => served.stop()));
  }
};

await compare();
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
