import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureClinic } from '../../../src/core/clinic/row.ts';
import { noMetrics } from '../../../src/core/metrics.ts';
import { parseConfig } from '../../../src/core/settings/config.ts';
import { createHasher } from '../../../src/modules/auth/passwords/hasher.ts';
import { commonPasswords } from '../../../src/runtime/node/common-passwords.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { assemble } from '../../../src/service.ts';
import type { World } from '../../support/world.ts';
import { unruly } from './unruly-database.ts';

const secret = 'a-secret-of-the-mutation-stress-0123456789';
const silent = () => {};

/** Numbers that come again with their seed (mulberry32). */
const seeded = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
};

/** The service on a file of its own, in this process, with a clock that the stress drives. */
export const openStress = async (settings: Record<string, string>) => {
  const path = join(mkdtempSync(join(tmpdir(), 'janji-stress-')), 'janji.db');
  const { db, close } = await openDatabase(`file:${path}`);
  const config = parseConfig({ RATE_LIMIT: 'off', ...settings });
  const clinic = await ensureClinic(db, config.CLINIC_TIME_ZONE);
  const clock = { now: Date.parse('2026-11-23T00:00:00Z') };
  const tally = { lost: 0 };
  const random = seeded(Number(process.argv[3] ?? 1));
  const errors: string[] = [];
  const database = { db: unruly(db, random, tally) };
  const { deps, app } = await assemble(clinic, database, {
    config,
    secret,
    dataKey: secret,
    clock: () => clock.now,
    hasher: createHasher(),
    commonPasswords,
    mailer: { send: async () => {} },
    log: {
      debug: silent,
      info: silent,
      warn: silent,
      error: (what, fields) => void errors.push(`${what}: ${JSON.stringify(fields?.causes ?? fields)}`),
    },
    clientAddress: () => '203.0.113.7',
    background: (work) => void work.catch(silent),
    sendWebhook: async () => ({ failure: 'connection' }),
    sendMessage: async () => ({ failure: 'connection' }),
    eventsWritten: silent,
    metrics: noMetrics,
  });
  const end = async () => {
    await close();
    rmSync(join(path, '..'), { recursive: true, force: true });
  };
  // A stress writes its set-up directly, without the simulated network.
  const world = { deps, db, clock } as unknown as World;
  return { app, deps, db, world, clock, path, random, tally, errors, end };
};

export type Stress = Awaited<ReturnType<typeof openStress>>;

/** The number of rounds does not depend on the machine's speed: a run proves what was done, not how long it took. */
const minRounds = Number(process.argv[4] ?? 40);

/**
 * Runs rounds for as many seconds as the command line says, and `minRounds` at least, or until one finds a violation;
 * prints the result as one line of JSON.
 */
export const report = async (
  { errors, end }: Stress,
  round: () => Promise<string[]>,
  counts: () => Record<string, number>,
): Promise<void> => {
  const until = performance.now() + Number(process.argv[2] ?? 10) * 1000;
  const violations: string[] = [];
  let rounds = 0;
  while (violations.length === 0 && (performance.now() < until || rounds < minRounds)) {
    violations.push(...(await round()), ...errors);
    rounds += 1;
  }
  process.stdout.write(`${JSON.stringify({ rounds, ...counts(), violations: violations.slice(0, 3) })}\n`);
  await end();
  // Requests that a violation left behind must not keep the process.
  process.exit(0);
};
