import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findProblems } from '../../src/runtime/node/database/invariants.ts';
import { freePort, startService } from '../support/faults/service.ts';
import { contentOf, fillStandingFile } from '../support/faults/standing-file.ts';

const release = '0005_trust';
const bookingCount = 5_000;
const migrator = fileURLToPath(new URL('../support/faults/migrator.ts', import.meta.url));

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-faults-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const copyOf = (path: string, folder: string, name: string): string => {
  const copy = join(folder, `${name}.db`);
  for (const end of ['', '-wal']) if (existsSync(path + end)) copyFileSync(path + end, copy + end);
  return copy;
};

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const started = (path: string, moment: string): ChildProcess => {
  const child = spawn(process.execPath, [migrator, path, moment], { stdio: ['ignore', 'ignore', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

/** How many statements this version prepares to migrate the file. */
const statementsOf = (path: string): number =>
  Number(execFileSync(process.execPath, [migrator, path, 'count'], { encoding: 'utf8' }));

const killed = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
};

/** Kills a migration before one of its statements, or before or after its commit. */
const killAt = (path: string, moment: number | 'commit' | 'committed') =>
  killed(started(path, String(moment)));

/** Kills a migration as soon as its log has so many bytes. */
const killAsLogGrows = async (path: string, bytes: number): Promise<void> => {
  const child = started(path, 'log');
  while (sizeOf(`${path}-wal`) < bytes && child.exitCode === null) await turn();
  child.kill('SIGKILL');
  await killed(child);
};

const countIn = (path: string, sql: string): number => {
  const database = new Database(path, { timeout: 1_000 });
  try {
    return Number((database.prepare(sql).raw().get() as unknown[])[0]);
  } finally {
    database.close();
  }
};

/** The bookings and the events by what no migration and no job changes of them. */
const lasting = (path: string) => [
  countIn(path, `select count(*) from bookings where notes like 'Catatan dari versi lama, nomor %'`),
  countIn(path, `select count(*) from booking_events where request_id = 'fill'`),
];

describe('a migration that is killed midway', () => {
  it('leaves the file as it was or migrated, and the next start ends it', async () => {
    const folder = newFolder();
    const standing = join(folder, 'standing.db');
    fillStandingFile(standing, release, bookingCount);
    const whole = copyOf(standing, folder, 'whole');
    await killAt(whole, 'committed');
    const logSize = sizeOf(`${whole}-wal`);
    const before = contentOf(copyOf(standing, folder, 'before'));
    const after = contentOf(copyOf(whole, folder, 'after'));
    expect(after).not.toBe(before);

    const statements = statementsOf(copyOf(standing, folder, 'counted'));
    const early = [0, 0.4, 0.8, 1].map((part) => Math.floor(part * (statements - 1)));
    const moments: [string, (path: string) => Promise<void>, readonly string[]][] = [
      ...early.map((at): (typeof moments)[number] => [
        `before statement ${at} of ${statements}`,
        (path) => killAt(path, at),
        [before],
      ]),
      ['before the commit', (path) => killAt(path, 'commit'), [before]],
      ...[0.01, 0.5, 0.95, 1].map((part): (typeof moments)[number] => [
        `with ${part * 100} % of the log`,
        (path) => killAsLogGrows(path, part * logSize),
        [before, after],
      ]),
      ['after the commit', (path) => killAt(path, 'committed'), [after]],
    ];
    const told: string[] = [];
    for (const [at, [name, kill, allowed]] of moments.entries()) {
      const path = copyOf(standing, folder, `killed-${at}`);
      await kill(path);
      const content = contentOf(copyOf(path, folder, `read-${at}`));
      expect(allowed, name).toContain(content);
      told.push(`${name}: ${content === before ? 'as it was' : 'migrated'}`);

      const service = await startService(path, await freePort());
      const ready = await fetch(`${service.base}/ready`);
      expect(ready.status, name).toBe(200);
      expect(await service.stop(), name).toBe(0);
      expect(findProblems(path), name).toEqual([]);
      expect(lasting(path), name).toEqual([bookingCount, 2 * bookingCount]);
      expect(service.errors(), name).toBe('');
    }
    process.stdout.write(`${told.join('\n')}\n`);
  });
});
