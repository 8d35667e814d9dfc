import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ensureClinic } from '../../../src/core/clinic/row.ts';
import { backUpApart } from '../../../src/runtime/node/backup/backup-apart.ts';
import {
  findLastGood,
  nameBackup,
  outdatedBackups,
} from '../../../src/runtime/node/backup/schedule-rules.ts';
import {
  type BackupPlan,
  createBackups,
  readBackupPlan,
} from '../../../src/runtime/node/backup/scheduled.ts';
import { explainUnsoundness } from '../../../src/runtime/node/backup/soundness.ts';
import { checkBackups } from '../../../src/runtime/node/checks/backups.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { parseNodeSettings } from '../../../src/runtime/node/settings.ts';
import { startBackupTimer } from '../../../src/runtime/node/watch/backup-timer.ts';
import { createPrometheus } from '../../../src/runtime/node/watch/prometheus.ts';
import { commandLine, newFolder } from '../../support/node/command-line.ts';
import { quickStartOptions } from '../../support/node/entries.ts';
import { createWorld, mondayMorning } from '../../support/world.ts';

const minute = 60_000;
const hour = 60 * minute;
const running = new AbortController().signal;

const clock = { now: mondayMorning };
beforeEach(() => {
  clock.now = mondayMorning;
});

const settingsOf = (folder: string, more: Record<string, string> = {}) =>
  parseNodeSettings({
    DATABASE_URL: `file:${join(folder, 'janji.db')}`,
    BACKUP_FOLDER: join(folder, 'backups'),
    ...more,
  });

const planOf = (folder: string, more: Record<string, string> = {}): BackupPlan => {
  const plan = readBackupPlan(settingsOf(folder, more));
  if (plan === null) throw new Error('BACKUP_FOLDER is not set.');
  return plan;
};

const logged = () => {
  const lines: string[] = [];
  const say = (message: string, fields = {}) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  return { lines, log: { debug: say, info: say, warn: say, error: say } };
};

/** Backups whose copies are empty files: this tests only when they are made. */
const scheduled = (more: Record<string, string> = {}) => {
  const folder = newFolder();
  const plan = planOf(folder, more);
  const made = { results: [] as Awaited<ReturnType<typeof backUpApart>>[], count: 0 };
  const { lines, log } = logged();
  const backups = createBackups(plan, {
    clock: () => clock.now,
    log,
    makeCopy: async ({ target }) => {
      made.count += 1;
      const result = made.results.shift() ?? { problems: 0 };
      if ('problems' in result) for (const end of ['', '.sha256']) writeFileSync(target + end, '');
      return result;
    },
  });
  const later = async (ms: number): Promise<number> => {
    clock.now += ms;
    await backups.look(running);
    return made.count;
  };
  return { plan, made, lines, backups, later, files: () => readdirSync(plan.folder).sort(), folder };
};

describe('when a backup is due', () => {
  it('is made at once, and again after each interval', async () => {
    const { later, files } = scheduled({ BACKUP_EVERY: '6' });
    expect(await later(0)).toBe(1);
    expect(await later(6 * hour - 1)).toBe(1);
    expect(await later(1)).toBe(2);
    expect(files()).toEqual([
      'janji-2026-11-23T00-00-00Z.db',
      'janji-2026-11-23T00-00-00Z.db.sha256',
      'janji-2026-11-23T06-00-00Z.db',
      'janji-2026-11-23T06-00-00Z.db.sha256',
    ]);
  });

  it('counts those that lie there from before a start', async () => {
    const { plan, later } = scheduled({ BACKUP_EVERY: '2d' });
    mkdirSync(plan.folder);
    writeFileSync(join(plan.folder, nameBackup(clock.now - 47 * hour, true)), '');
    expect(await later(0)).toBe(0);
    expect(await later(hour)).toBe(1);
  });

  it('is tried again a quarter of an hour after a failure, which the state shows until one is made', async () => {
    const { made, later, backups, lines, files } = scheduled();
    made.results = [{ failure: 'the disk is full\nand more' }, { failure: 'still full' }];
    expect(await later(0)).toBe(1);
    expect(lines).toEqual(['backup failed {"cause":"the disk is full"}']);
    expect(files()).toEqual(['janji-last-failure.json']);
    expect(backups.readState()).toMatchObject({ lastGoodAt: null, lastFailedAt: mondayMorning });
    expect(await later(15 * minute - 1)).toBe(1);
    expect(await later(1)).toBe(2);
    expect(await later(15 * minute)).toBe(3);
    expect(backups.readState()).toMatchObject({ lastGoodAt: clock.now, lastFailedAt: null });
    expect(files()).not.toContain('janji-last-failure.json');
  });

  it('keeps a copy of data that is not sound under another name, and counts it as a failure', async () => {
    const { made, later, backups, files } = scheduled();
    made.results = [{ problems: 2 }];
    await later(0);
    expect(files()).toContain('janji-2026-11-23T00-00-00Z.db.unsound');
    expect(backups.readState()).toMatchObject({ lastGoodAt: null, lastFailedAt: mondayMorning });
  });

  it('keeps only the newest, each with its checksum', async () => {
    const { later, files } = scheduled({ BACKUP_EVERY: '1h', BACKUP_KEEP: '2' });
    for (let times = 0; times < 4; times++) await later(times === 0 ? 0 : hour);
    expect(files().filter((name) => !name.endsWith('.sha256'))).toEqual([
      'janji-2026-11-23T02-00-00Z.db',
      'janji-2026-11-23T03-00-00Z.db',
    ]);
    expect(files()).toHaveLength(4);
  });
});

describe('which files are the backups of the service', () => {
  const day = 24 * hour;
  const names = [0, 1, 2, 3].map((days) => nameBackup(mondayMorning - days * day, days % 2 === 1));

  it('lets go of the oldest and of what was left half done, and never of what somebody else put there', () => {
    const half = [`${nameBackup(mondayMorning - 2 * day, false)}.partial-wal`, `${names[0]}.partial`];
    const others = ['janji.db', 'janji-2026.db', `${names[0]}.txt`, 'notes'];
    expect(outdatedBackups([...others, ...half, ...names], 3, mondayMorning)).toEqual([names[3], half[0]]);
  });

  it('does not count a backup that a wrong clock dated into the future among those to keep', () => {
    const future = nameBackup(mondayMorning + 400 * day, false);
    expect(findLastGood([future, names[1] ?? ''], mondayMorning)).toBe(mondayMorning - day);
    expect(outdatedBackups([future, ...names], 1, mondayMorning)).toEqual(names.slice(1));
  });
});

it('is looked for each minute, and once the service stops no more', async () => {
  const { made, backups, later } = scheduled({ BACKUP_EVERY: '1' });
  const idle = () => new Promise(setImmediate);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const stop = startBackupTimer(backups);
    await idle();
    expect(made.count).toBe(1);
    clock.now += hour;
    await vi.advanceTimersByTimeAsync(minute - 1);
    expect(made.count).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await idle();
    expect(made.count).toBe(2);
    await stop();
    clock.now += hour;
    await vi.advanceTimersByTimeAsync(2 * minute);
    expect(made.count).toBe(2);
    expect(await later(0)).toBe(3);
  } finally {
    vi.useRealTimers();
  }
});

describe('a database that is in use', () => {
  const opened = async (folder: string, key?: string) => {
    const database = await openDatabase(`file:${join(folder, 'janji.db')}`, undefined, { key });
    await ensureClinic(database.db, 'Asia/Jakarta');
    return database;
  };

  it('is copied, verified and encrypted for the recipient, and nobody else may read the copy', async () => {
    const folder = newFolder();
    const database = await opened(folder);
    const recipient = await identityToRecipient(await generateIdentity());
    for (const more of [{}, { BACKUP_RECIPIENT: recipient }]) {
      const { lines, log } = logged();
      const plan = planOf(folder, more);
      await createBackups(plan, { clock: () => clock.now, log }).look(running);
      expect(lines).toEqual([expect.stringMatching(/^backup made .*"removed":0/)]);
      clock.now += 24 * hour;
    }
    await database.close();
    const backups = join(folder, 'backups');
    const [plain, , sealed] = readdirSync(backups).sort();
    expect([plain, sealed]).toEqual(['janji-2026-11-23T00-00-00Z.db', 'janji-2026-11-24T00-00-00Z.age']);
    expect(await explainUnsoundness(join(backups, plain ?? ''), () => {})).toEqual([]);
    expect(readFileSync(join(backups, sealed ?? ''), 'latin1')).toMatch(/^age-encryption/);
    for (const name of [plain, sealed]) expect(statSync(join(backups, name ?? '')).mode & 0o077).toBe(0);
    expect(statSync(backups).mode & 0o077).toBe(0);
  });

  it('fails with a reason where it cannot be copied, and the service goes on', async () => {
    const folder = newFolder();
    const { lines, log } = logged();
    await createBackups(planOf(folder), { clock: () => clock.now, log }).look(running);
    expect(lines).toEqual([expect.stringMatching(/^backup failed .*is not there/)]);
  });

  it('leaves nothing half done where the service stops meanwhile', async () => {
    const folder = newFolder();
    await (await opened(folder)).close();
    const target = join(folder, 'b.db');
    const stopping = new AbortController();
    const begun = new Promise<void>((resolve) => {
      watch(folder, { signal: stopping.signal }, (_event, name) => name === 'b.db.partial' && resolve());
    });
    const result = backUpApart({ source: join(folder, 'janji.db'), target }, stopping.signal);
    await begun;
    stopping.abort();
    expect(await result).toEqual({ failure: 'The process that makes the backup ended early.' });
    expect(readdirSync(folder).filter((name) => name.startsWith('b.db'))).toEqual([]);
  });
});

it.each([
  ['backup-apart.ts', 'backUpApart({ source: file, target: file }, new AbortController().signal)'],
  ['live-copy.ts', 'copyLive(file, file, () => {})'],
])('%s fails, and the process goes on, where that may open no more files', (name, call) => {
  const module = new URL(`../../../src/runtime/node/backup/${name}`, import.meta.url);
  const program = `
    const { openSync } = await import('node:fs');
    const { ${call.split('(')[0]} } = await import('${module}');
    const file = process.execPath;
    try { for (;;) openSync(file); } catch {}
    const said = await ${call}.catch((error) => error.code);
    await new Promise((resolve) => setTimeout(resolve, 1));
    process.stdout.write(said);`;
  const node = [process.execPath, ...quickStartOptions, '--input-type=module', '-e', program];
  expect(execFileSync('sh', ['-c', 'ulimit -n 64; exec "$@"', 'sh', ...node]).toString()).toBe('EMFILE');
});

describe('who looks after the service', () => {
  const said = (settings: ReturnType<typeof settingsOf>) =>
    checkBackups(settings, clock.now).map(({ verdict, says }) => `${verdict}: ${says}`);

  it('reads the age of the last good backup and a failure in the metrics', async () => {
    const { made, backups, later } = scheduled();
    const { db, hasher } = (await createWorld()).deps;
    const { expose } = createPrometheus({
      db,
      hasher,
      clock: () => clock.now,
      databaseStats: null,
      backupState: backups.readState,
    });
    expect(await expose()).toContain('janji_backup_age_seconds +Inf');
    await later(0);
    clock.now += 90 * minute;
    expect(await expose()).toContain('janji_backup_age_seconds 5400');
    expect(await expose()).toContain('janji_backup_failed 0');
    made.results = [{ failure: 'x' }];
    await later(24 * hour);
    expect(await expose()).toContain('janji_backup_failed 1');
  });

  it('is reported by check with its age and its failure', async () => {
    const { made, later, folder } = scheduled();
    const settings = settingsOf(folder);
    expect(said(settings)).toEqual(['note: there is no good one yet']);
    await later(0);
    expect(said(settings)).toEqual(['ok: the last good one is less than an hour old']);
    clock.now += 49 * hour;
    expect(said(settings)).toEqual(['wrong: the last good one is 2 days old, and one is due every 24 h']);
    made.results = [{ failure: 'the disk is full' }];
    await later(0);
    expect(said(settings)).toEqual([
      'wrong: the last attempt failed, the last good one is 2 days old: the disk is full',
    ]);
  });

  it('is reported by check where none is made, and where none can be', async () => {
    const folder = newFolder();
    const url = { DATABASE_URL: 'file:x.db' };
    expect(said(parseNodeSettings({ ...url, NODE_ENV: 'production' }))).toEqual([
      'note: the service makes none by itself',
    ]);
    expect(said(parseNodeSettings(url))).toEqual([]);
    const remote = { DATABASE_URL: 'libsql://h', BACKUP_FOLDER: folder };
    expect(said(parseNodeSettings(remote))).toEqual([
      expect.stringMatching(/^wrong: DATABASE_URL is no file/),
    ]);
    const { status, out } = await commandLine(folder).with({ BACKUP_FOLDER: 'backups' }, 'check');
    expect([status, out]).toEqual([1, expect.stringMatching(/note {3}backup {6}there is no good one yet\n/)]);
    expect(existsSync(join(folder, 'backups'))).toBe(false);
    if (process.getuid?.() === 0) return;
    mkdirSync(join(folder, 'closed'));
    chmodSync(join(folder, 'closed'), 0o500);
    expect(said(settingsOf(folder, { BACKUP_FOLDER: join(folder, 'closed') }))).toEqual([
      expect.stringMatching(/cannot be written to$/),
    ]);
  });
});

it.each([
  ['12', 12],
  ['6h', 6],
  ['7d', 168],
])('takes %s as %d hours', (text, hours) => {
  expect(parseNodeSettings({ BACKUP_EVERY: text }).BACKUP_EVERY).toBe(hours);
});

it.each(['0', '32d', '90m', '1.5', '-1'])('refuses %s as an interval', (text) => {
  expect(() => parseNodeSettings({ BACKUP_EVERY: text })).toThrow('BACKUP_EVERY is not acceptable');
});
