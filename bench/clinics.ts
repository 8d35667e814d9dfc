// The figures of many clinics in one process, each beside the one that it must reach. node bench/clinics.ts [--clinics
// 1000] [--only memory,cold,…] [--seconds 5]. Run it on a quiet machine; the ratios are of one run.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import Database from 'libsql';
import { runDueOnce } from '../src/runtime/node/clinics/timers.ts';
import { findProblems } from '../src/runtime/node/database/invariants.ts';
import { migrationsFolder } from '../src/runtime/node/database/migrations.ts';
import {
  ask,
  bookAndCancel,
  bookingOf,
  environment,
  hostFor,
  idFor,
  listSlots,
  makeClinics,
  makePatientTokens,
  makeTemplate,
  openMany,
  patients,
  removeAll,
  type Slot,
} from './many.ts';
import { freePort, root, untilItAnswers } from './processes.ts';
import { printTable } from './table.ts';

const { values } = parseArgs({
  options: {
    clinics: { type: 'string', default: '1000' },
    only: { type: 'string' },
    seconds: { type: 'string', default: '5' },
  },
});
const count = Number(values.clinics);
const runMs = Number(values.seconds) * 1_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

type Row = readonly [figure: string, atLeast: string, measured: string];
const rows: Row[] = [];
const note = (...row: Row): void => {
  rows.push(row);
  process.stderr.write(`${row.join(' | ')}\n`);
};

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
const sort = (all: readonly number[]): number[] => [...all].sort((a, b) => a - b);
const oneDigit = (value: number): string => value.toFixed(1);
const inProc = (what: string): number => readdirSync(`/proc/self/${what}`).length;
const rssMb = (): number => process.memoryUsage().rss / 2 ** 20;

interface Given {
  folder: string;
  template: string;
  tokens: readonly string[];
}

/** 1,000 clinics opened, one after another, and what they hold. */
const measureMemory = async ({ folder }: Given): Promise<void> => {
  const many = await openMany(folder, count);
  await ask(many, 0, '/v1/doctors');
  collectGarbage();
  const before = rssMb();
  for (let at = 1; at < count; at++) await ask(many, at, '/v1/doctors');
  collectGarbage();
  await sleep(500);
  note(
    `memory a clinic, of ${count} open`,
    '≤ 0.7 MB',
    `${((rssMb() - before) / (count - 1)).toFixed(2)} MB, ${rssMb().toFixed(0)} MB in all`,
  );
  note('threads', `≤ ${availableParallelism() + 16}`, String(inProc('task')));
  await many.close();
};

/** Opening a clinic that is closed, by its first request. */
const measureColdOpen = async ({ folder, tokens }: Given): Promise<void> => {
  const many = await openMany(folder, count);
  await ask(many, 0, '/v1/doctors');
  const took: number[] = [];
  for (let at = 1; at < Math.min(count, 400); at++) {
    const began = performance.now();
    await ask(many, at, '/ready');
    took.push(performance.now() - began);
  }
  const cold = sort(took);
  note(
    'cold open p50, p99',
    '6, 15 ms',
    `${oneDigit(quantile(cold, 0.5))}, ${oneDigit(quantile(cold, 0.99))} ms`,
  );
  const [slot] = await listSlots(many, 0);
  const booked: number[] = [];
  for (let at = Math.min(count, 400); at < Math.min(count, 600); at++) {
    const began = performance.now();
    await ask(many, at, '/v1/bookings', tokens[0], bookingOf(slot));
    booked.push(performance.now() - began);
  }
  note('with the first booking p99', '50 ms', `${oneDigit(quantile(sort(booked), 0.99))} ms`);
  await many.close();
};

/** Random requests over all clinics, of which 200 are open at once. */
const measureDescriptors = async ({ folder, tokens }: Given): Promise<void> => {
  const many = await openMany(folder, 200);
  const [slot] = await listSlots(many, 0);
  const requests = 10_000;
  let asked = 0;
  let most = 0;
  const caller = async (): Promise<void> => {
    while (asked < requests) {
      asked += 1;
      const at = Math.floor(Math.random() * count);
      if (asked % 10 === 0) await bookAndCancel(many, at, slot, tokens[asked % patients]);
      else await ask(many, at, '/v1/doctors');
      if (asked % 50 === 0) most = Math.max(most, inProc('fd'));
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: 8 }, caller));
  const perSecond = (requests / (performance.now() - began)) * 1_000;
  await sleep(200);
  note(
    `descriptors with 200 open, after ${requests} requests over ${count}`,
    '≤ 660',
    `${inProc('fd')}, at most ${most}; ${perSecond.toFixed(0)} requests/s`,
  );
  await many.close();
};

type Many = Awaited<ReturnType<typeof openMany>>;

/** Pairs of a booking and its cancellation by so many callers, over so many clinics, in pairs a second. */
/** The free slots of each clinic: the clinics of all measures are copies of one. */
const slotsOf: Slot[][] = [];

const load = async (many: Many, tokens: readonly string[], over: number, callers: number, ms: number) => {
  for (let at = slotsOf.length; at < over; at++) slotsOf.push(await listSlots(many, at));
  let done = 0;
  let refused = 0;
  const until = performance.now() + ms;
  const caller = async (number: number): Promise<void> => {
    for (let turn = 0; performance.now() < until; turn++) {
      const at = (number + turn * callers) % over;
      const slot = slotsOf[at]?.[number % (slotsOf[at]?.length ?? 1)];
      if ((await bookAndCancel(many, at, slot, tokens[number % patients])) === null) refused += 1;
      else done += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, number) => caller(number)));
  return { perSecond: (done / ms) * 1_000, refused };
};

/** Two bookings at each clinic: however slow the machine, none of them is used for the first time afterwards. */
const warmUp = async (many: Many, tokens: readonly string[]): Promise<void> => {
  let next = 0;
  const caller = async (number: number): Promise<void> => {
    while (next < 2 * count) {
      const at = next % count;
      next += 1;
      const slots = await listSlots(many, at);
      await bookAndCancel(many, at, slots[number % slots.length], tokens[number % patients]);
    }
  };
  await Promise.all(Array.from({ length: 32 }, (_, number) => caller(number)));
};

const spreadRounds = 5;

const measureSpread = async ({ folder, tokens }: Given): Promise<void> => {
  const many = await openMany(folder, count);
  await warmUp(many, tokens);
  await load(many, tokens, 1, 32, runMs / 2);
  // In turn, in pairs: other work on the machine then slows both alike.
  const pairs: { one: number; spread: number }[] = [];
  for (let round = 0; round < spreadRounds; round++) {
    const one = (await load(many, tokens, 1, 32, runMs / 2)).perSecond;
    pairs.push({ one, spread: (await load(many, tokens, count, 32, runMs / 2)).perSecond });
  }
  const middle = (of: (pair: (typeof pairs)[number]) => number): number => quantile(sort(pairs.map(of)), 0.5);
  note(
    `bookings/s over ${count} clinics to one, the middle of ${spreadRounds} pairs`,
    '≥ 0.5',
    `${middle(({ one, spread }) => spread / one).toFixed(2)} (${middle(({ spread }) => spread).toFixed(0)} to ${middle(({ one }) => one).toFixed(0)}, each with its cancellation)`,
  );
  await many.close();
};

const measureNeighbour = async ({ folder, tokens }: Given): Promise<void> => {
  const many = await openMany(folder, count);
  const flooded = await listSlots(many, 0);
  const quiet = await listSlots(many, 1);
  const bookAlone = async (times: number): Promise<number> => {
    const took: number[] = [];
    for (let at = 0; at < times; at++) {
      const ms = await bookAndCancel(many, 1, quiet[at % quiet.length], tokens[at % patients]);
      if (ms !== null) took.push(ms);
    }
    return quantile(sort(took), 0.99);
  };
  await bookAlone(100);
  await load(many, tokens, 1, 32, runMs / 2);
  const alone = await bookAlone(400);
  let isOver = false;
  const flood = Array.from({ length: 64 }, async (_, number) => {
    while (!isOver) {
      const slot = flooded[number % flooded.length];
      if ((await bookAndCancel(many, 0, slot, tokens[number])) === null) await sleep(1);
    }
  });
  const beside = await bookAlone(400);
  isOver = true;
  await Promise.all(flood);
  note(
    "a quiet clinic's booking p99 beside one flooded by 64 callers, to alone",
    '≤ 3',
    `${(beside / alone).toFixed(1)} (${oneDigit(beside)} to ${oneDigit(alone)} ms)`,
  );
  await many.close();
};

const measureIdle = async ({ folder }: Given): Promise<void> => {
  const many = await openMany(folder, count);
  for (let at = 0; at < 50; at++) await ask(many, at, '/v1/doctors');
  const before = many.threads.operations();
  let now = Date.now();
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  for (let minute = 0; minute < 60; minute++) {
    now += 60_000;
    const parts = { directory: many.directory, clinics: many.clinics, clock: () => now, log };
    await runDueOnce(parts, new AbortController().signal);
  }
  note(
    'statements of 50 open clinics with nothing due, in an hour',
    '0',
    String(many.threads.operations() - before),
  );
  await many.close();
};

const post = (port: number, at: number, token: string | undefined, body: object): Promise<string | null> =>
  new Promise((resolve) => {
    const headers = {
      Host: hostFor(at),
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
    };
    const sent = request(
      { port, host: '127.0.0.1', path: '/v1/bookings', method: 'POST', headers },
      (answer) => {
        let text = '';
        answer.on('data', (part) => {
          text += part;
        });
        answer.on('end', () => resolve(answer.statusCode === 201 ? JSON.parse(text).data.id : null));
        answer.on('error', () => resolve(null));
      },
    );
    sent.on('error', () => resolve(null));
    sent.end(JSON.stringify(body));
  });

/** A server of 100 clinics killed under load: what it acknowledged is in the files, and each of them is sound. */
const measureKill = async ({ template, tokens }: Given): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-killed-'));
  const clinics = 100;
  await makeClinics(folder, template, clinics);
  const known = await openMany(folder, 1);
  const slots = await listSlots(known, 0);
  await known.close();
  const acknowledged = new Map<string, number>();
  for (let round = 0; round < 2; round++) {
    const port = await freePort();
    const child: ChildProcess = spawn(
      process.execPath,
      ['--import', join(root, 'src/runtime/node/quick-start.ts'), join(root, 'src/node.ts')],
      { env: { ...process.env, ...environment(folder, 200), PORT: String(port) }, stdio: 'ignore' },
    );
    await untilItAnswers(child, `http://127.0.0.1:${port}/health`);
    let isOver = false;
    const callers = Array.from({ length: 32 }, async (_, number) => {
      for (let turn = 0; !isOver; turn++) {
        const at = Math.floor(Math.random() * clinics);
        const slot = slots[Math.floor(Math.random() * slots.length)];
        const id = await post(port, at, tokens[(number + turn) % patients], bookingOf(slot));
        if (id !== null) acknowledged.set(id, at);
      }
    });
    await sleep(runMs);
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    isOver = true;
    await gone;
    await Promise.all(callers);
  }
  let lost = 0;
  let unsound = 0;
  for (let at = 0; at < clinics; at++) {
    const path = join(folder, `${idFor(at)}.db`);
    if (findProblems(path).length > 0) unsound += 1;
    const file = new Database(path);
    const ids = new Set(
      (file.prepare('select id from bookings').raw().all() as [string][]).map(([id]) => id),
    );
    file.close();
    for (const [id, where] of acknowledged) if (where === at && !ids.has(id)) lost += 1;
  }
  note(
    `kill -9 twice over ${clinics} clinics under load`,
    'nothing lost, each sound',
    `${acknowledged.size} bookings acknowledged, ${lost} lost, ${unsound} files unsound`,
  );
  removeAll(folder);
};

/** Files of the schema before the last migration, of which one is damaged. */
const measureOlder = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-older-'));
  const template = join(folder, 'template');
  const file = new Database(template);
  const applied = readMigrationFiles({ migrationsFolder }).slice(0, -1);
  file.exec('PRAGMA foreign_keys = OFF');
  for (const text of applied.flatMap((migration) => migration.sql)) file.exec(text);
  file.exec(
    'create table __drizzle_migrations (id integer primary key, hash text not null, created_at numeric)',
  );
  const insert = file.prepare('insert into __drizzle_migrations (hash, created_at) values (?, ?)');
  for (const { hash, folderMillis } of applied) insert.run(hash, folderMillis);
  file.close();
  await makeClinics(folder, template, count);
  writeFileSync(join(folder, `${idFor(7)}.db`), 'damaged '.repeat(10_000));
  const many = await openMany(folder, 200);
  const statuses = new Map<number, number>();
  const began = performance.now();
  await Promise.all(
    Array.from({ length: 8 }, async (_, first) => {
      for (let at = first; at < count; at += 8) {
        const { status } = await ask(many, at, '/v1/doctors');
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }),
  );
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  note(
    `${count} files of the schema before, one damaged`,
    `${count - 1} serve, one 503`,
    `${[...statuses].map(([status, many]) => `${many} times ${status}`).join(', ')}, in ${seconds} s`,
  );
  await many.close();
  removeAll(folder);
};

const measures = {
  memory: measureMemory,
  cold: measureColdOpen,
  descriptors: measureDescriptors,
  spread: measureSpread,
  neighbour: measureNeighbour,
  idle: measureIdle,
  kill: measureKill,
  older: measureOlder,
};

const chosen = values.only?.split(',') ?? Object.keys(measures);
const base = mkdtempSync(join(tmpdir(), 'janji-many-'));
const template = join(base, 'template');
try {
  await makeTemplate(template);
  const tokens = await makePatientTokens();
  for (const name of chosen) {
    // Each begins with files that no other has touched.
    const folder = mkdtempSync(join(base, `${name}-`));
    if (name !== 'kill' && name !== 'older') await makeClinics(folder, template, count);
    await measures[name as keyof typeof measures]({ folder, template, tokens });
    removeAll(folder);
  }
} finally {
  removeAll(base);
}
printTable(['figure', 'at least', 'measured'], rows);
