import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { book, createClinic } from '../../support/clinic-people.ts';
import { commandLine, newFolder, rowsOf } from '../../support/node/command-line.ts';
import { createWorld, mondayMorning, settleAll } from '../../support/world.ts';

const key = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const settings = { DATA_KEY: key, JWT_SECRET: 'q7Zt0vE9mW2xLr8KpA5dHs3Yc6BnJf1U' };
const withHorizon = { ...settings, ARCHIVE_AFTER_DAYS: '400' };
const dayMs = 86_400_000;

const within = <T>(path: string, work: (database: Database.Database) => T): T => {
  const database = new Database(path, { timeout: 5_000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
};

const columnsOf = (database: Database.Database, table: string): string[] =>
  (database.prepare(`select name from pragma_table_info('${table}')`).raw().all() as [string][]).map(
    ([name]) => name,
  );

/** A clinic of so many years that so many visits of one patient are older than the horizon. */
const longOpen = async (visits: number) => {
  const folder = newFolder();
  const path = join(folder, 'janji.db');
  const { db, close, emptyLog } = await openDatabase(`file:${path}`);
  const world = await createWorld({}, mondayMorning, db);
  await book(world, await createClinic(world));
  await settleAll();
  await emptyLog?.('now');
  await close();
  within(path, (database) => {
    database.exec('pragma foreign_keys = off');
    const copied = (table: string, others: Record<string, string>): string =>
      columnsOf(database, table)
        .map((name) => others[name] ?? `b."${name}"`)
        .join(', ');
    const hex = "printf('%012x', i)";
    const far = `(500 + i) * ${dayMs}`;
    database.exec(`create table one as select * from bookings limit 1;
      create table own_events as select * from booking_events where booking_id = (select id from one);
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${visits}) insert into bookings select ${copied(
        'bookings',
        {
          id: `substr(b.id, 1, 24) || ${hex}`,
          write_id: `substr(b.write_id, 1, 24) || ${hex}`,
          booking_code: "'X' || i",
          schedule_date: "date(b.schedule_date, '-' || (500 + i) || ' days')",
          starts_at: `b.starts_at - ${far}`,
          ends_at: `b.ends_at - ${far}`,
          updated_at: `b.updated_at - ${far}`,
          status: "'approved'",
          completed_at: `b.ends_at - ${far}`,
          checked_in_at: `b.starts_at - ${far}`,
        },
      )} from n join one b;
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${visits}) insert into booking_events select ${copied(
        'booking_events',
        {
          sequence: `null`,
          write_id: `substr(b.write_id, 1, 24) || ${hex}`,
          booking_id: `substr(b.booking_id, 1, 24) || ${hex}`,
        },
      )} from n join own_events b;
      insert into booking_events select ${copied('booking_events', { sequence: 'null', version: 'b.version + 1', write_id: "'last'" })}
        from own_events b order by version desc limit 1;
      drop table one; drop table own_events;`);
  });
  return { folder, path, archive: join(folder, 'janji-archive.db') };
};

/** Each booking and each event with its content, of one file. */
const rowsIn = (path: string): { bookings: string[]; events: string[] } => {
  const read = (table: string, by: string): string[] => {
    // The archive has the columns in another order.
    const names = rowsOf<[string]>(path, `select name from pragma_table_info('${table}')`)
      .map(([name]) => name)
      .filter((name) => name !== 'settled' && name !== by)
      .sort();
    const text = `json_array(${[by, ...names].map((name) => `"${name}"`).join(', ')})`;
    return rowsOf<[string]>(path, `select ${text} from ${table} order by ${by}`).map(([row]) => row);
  };
  return { bookings: read('bookings', 'id'), events: read('booking_events', 'sequence') };
};

describe('janji archive', () => {
  it('says how many would go, moves them, and tells the size; backups, exports and keys include them', async () => {
    const { folder, path, archive } = await longOpen(230);
    const janji = (given: Record<string, string>, ...args: string[]) =>
      commandLine(folder).with(given, ...args);
    const before = rowsIn(path);
    expect((await janji(settings, 'archive')).errors).toContain('ARCHIVE_AFTER_DAYS is not set');
    expect(existsSync(archive)).toBe(false);
    const dry = await janji(withHorizon, 'archive', '--dry-run', '--json');
    expect(JSON.parse(dry.out)).toMatchObject({ bookings: 229, dry_run: true });
    expect(rowsIn(path)).toEqual(before);
    expect(JSON.parse((await janji(withHorizon, 'archive', '--json')).out)).toMatchObject({ bookings: 229 });
    const own = rowsIn(path);
    const archived = rowsIn(archive);
    expect(archived.bookings).toHaveLength(229);
    expect([...own.bookings, ...archived.bookings].sort()).toEqual(before.bookings.sort());
    expect([...own.events, ...archived.events].sort()).toEqual(before.events.sort());
    // Nothing is left to do, and the setting may be gone.
    expect(JSON.parse((await janji(withHorizon, 'archive', '--json')).out)).toMatchObject({ bookings: 0 });
    const exported = await janji(settings, 'export-data', 'bookings', 'all.ndjson', '--json');
    expect(JSON.parse(exported.out).rows).toBe(before.bookings.length);
    expect((await janji(withHorizon, 'check')).out).toMatch(
      /archive +\d\.\d MB, bookings go there after 400 days/,
    );
    expect((await janji(settings, 'check')).out).toMatch(/archive +\d\.\d MB, no more bookings go there/);
    const backup = await janji(settings, 'backup', 'b.db', '--json');
    expect(JSON.parse(backup.out)).toMatchObject({
      bookings: before.bookings.length,
      events: before.events.length,
    });
    expect(rowsIn(join(folder, 'b.db')).bookings.sort()).toEqual(before.bookings.sort());
    // A code that went to the archive may be given again.
    within(path, (database) =>
      database.exec("update bookings set booking_code = 'X7' where id = (select min(id) from bookings)"),
    );
    const again = await janji(settings, 'backup', 'c.db', '--json');
    expect(JSON.parse(again.out)).toMatchObject({ bookings: before.bookings.length });
    const restored = await janji(settings, 'import', 'b.db', '--json').catch(() => null);
    expect(restored?.status).toBe(1);
    const encrypted = await janji({ ...settings, DATABASE_KEY: key }, 'encrypt', '--json');
    expect([encrypted.status, encrypted.errors]).toEqual([
      0,
      expect.stringContaining('janji-archive.db is encrypted'),
    ]);
    for (const file of [path, archive])
      expect(readFileSync(file).subarray(0, 6).toString()).not.toBe('SQLite');
    const sealed = await janji(
      { ...settings, DATABASE_KEY: key },
      'export-data',
      'bookings',
      'again.ndjson',
      '--json',
    );
    expect(JSON.parse(sealed.out).rows).toBe(before.bookings.length);
    expect((await janji({ ...settings, DATABASE_KEY: key }, 'decrypt')).status).toBe(0);
    expect(rowsIn(archive)).toEqual(archived);
  }, 120_000);

  it('loses nothing and doubles nothing when it is killed again and again', async () => {
    const { folder, path, archive } = await longOpen(12_000);
    const before = rowsIn(path);
    const ids = before.bookings.map((row) => JSON.parse(row)[0]).sort();
    const count = () =>
      within(
        archive,
        (database) => (database.prepare('select count(*) from bookings').raw().get() as [number])[0],
      );
    let kills = 0;
    for (let known = 0; ; ) {
      const child = commandLine(folder).spawnWith(withHorizon, 'archive');
      const ended = once(child, 'exit');
      let isRunning = true;
      ended.then(() => {
        isRunning = false;
      });
      // Killed once it has moved some more, wherever it is then.
      while (isRunning) {
        if (existsSync(archive) && existsSync(`${archive}-wal`)) {
          try {
            const now = count();
            if (now > known + 400 && kills < 8) {
              known = now;
              break;
            }
          } catch {
            // Its tables are not there yet.
          }
        }
        await pause(1);
      }
      if (!isRunning) break;
      child.kill('SIGKILL');
      await ended;
      kills += 1;
      const [own, archived] = [rowsIn(path), rowsIn(archive)];
      const there = new Set([...own.bookings, ...archived.bookings]);
      expect([...there].map((row) => JSON.parse(row)[0]).sort()).toEqual(ids);
      expect([...new Set([...own.events, ...archived.events])].sort()).toEqual([...before.events].sort());
      // What history, lists and exports read.
      const file = `e${kills}.ndjson`;
      const exported = await commandLine(folder).with(withHorizon, 'export-data', 'bookings', file, '--json');
      expect(JSON.parse(exported.out).rows).toBe(ids.length);
    }
    expect(kills).toBeGreaterThan(1);
    const [own, archived] = [rowsIn(path), rowsIn(archive)];
    expect([...own.bookings, ...archived.bookings].sort()).toEqual([...before.bookings].sort());
    expect([...own.events, ...archived.events].sort()).toEqual([...before.events].sort());
    expect((await commandLine(folder).with(settings, 'restore', 'none.db')).status).toBe(1);
  }, 240_000);
});
