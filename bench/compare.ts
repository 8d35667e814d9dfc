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
import { copyDataset, makeDataset, startJanji } from './dataset.ts';
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
const readFigures = ['profile', 'history', 'list', 'doctors'];
const connections = Number(values.connections ?? figure.connections);

interface Side {
  name: string;
  database: string;
  start: (database: string) => Promise<Served>;
  measured: Measured[];
}

const fileKey = randomBytes(32).toString('base64url');
const quiet = () => {};
const folder = mkdtempSync(join(tmpdir(), 'janji-bench-'));
// On any end, and after the services were ended.
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
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
    const start = (copy: string) => startJanji(copy, [], checkout, settings);
    sides.push({ name, database, start, measured: [] });
  }
  for (let started = 0; started < Number(values.starts); started++)
    await measureStarted(started % 2 === 0 ? sides : sides.toReversed(), tokens);
};

interface Running {
  side: Side;
  /** Its own copy of the data: each start finds as many free slots as the first. */
  database: string;
  served: Served;
  shot: Load['shot'];
  accepted: number;
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

/** Paths whose answers need nothing but who asks. */
const plainPaths = async ({ url }: Served): Promise<string[]> => {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, { get?: { parameters?: { required?: boolean }[] } }>;
  };
  const isPlain = (path: string): boolean => {
    const get = paths[path]?.get;
    return get !== undefined && get.parameters?.some(({ required }) => required) !== true;
  };
  return Object.keys(paths).filter((path) => path.startsWith('/v1/') && !path.includes('{') && isPlain(path));
};

/**
 * Has each kind of plain answer given once, as a service in use has. SQLite gives the small memory that is quickest to
 * have to the statements that a connection prepares first: a version that prepares more of them at its start would
 * otherwise seem a tenth slower than one that prepares as many a minute later.
 */
const askForEach = async (tokens: readonly string[], served: Served): Promise<void> => {
  for (const path of await plainPaths(served))
    for (const token of [tokens[0], tokens.at(-1)])
      await (await fetch(served.url + path, { headers: { authorization: `Bearer ${token}` } })).arrayBuffer();
};

const removeCopy = (database: string): void => {
  for (const end of ['', '-wal', '-shm']) rmSync(database + end, { force: true });
};

const assertBooked = async ({ database, accepted }: Running): Promise<void> => {
  const readable = `${database}.readable`;
  await copyLive(database, readable, quiet, fileKey, null);
  checkBookings(readable, accepted);
  removeCopy(readable);
};

/** Starts both in this order and measures them in turn; round 0 warms up and does not count. */
const measureStarted = async (inOrder: readonly Side[], tokens: readonly string[]): Promise<void> => {
  const up: Running[] = [];
  try {
    for (const side of inOrder) {
      const database = copyDataset(side.database, folder, `${side.name}-started`);
      const served = await side.start(database);
      const shot = await shotsFor(tokens)(figure.name, 'janji', served);
      up.push({ side, database, served, shot, accepted: 0 });
    }
    for (const { served } of up) await askForEach(tokens, served);
    if (readFigures.includes(figure.name)) await assertSameAnswer(up);
    for (let round = 0; round <= Number(values.rounds); round++)
      for (const running of round % 2 === 0 ? up : up.toReversed()) {
        const { side, served, shot } = running;
        const measured = await measure(served, { connections, seconds: Number(values.seconds), shot });
        running.accepted += measured.accepted;
        if (round > 0) side.measured.push(measured);
      }
  } finally {
    await Promise.allSettled(up.map(({ served }) => served.stop()));
  }
  for (const running of up) {
    if (figure.name === 'bookings') await assertBooked(running);
    removeCopy(running.database);
  }
};

await compare();

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
