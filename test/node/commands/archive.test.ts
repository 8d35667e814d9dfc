import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { commandLine, newFolder } from '../../support/node/command-line.ts';
import { longOpen } from '../../support/node/long-open.ts';
import { rowsIn, within } from '../../support/node/long-past.ts';

const key = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const settings = { DATA_KEY: key, JWT_SECRET: 'q7Zt0vE9mW2xLr8KpA5dHs3Yc6BnJf1U' };
const withHorizon = { ...settings, ARCHIVE_AFTER_DAYS: '400' };
describe('janji archive', () => {
  it('says how many would go, moves them, and tells the size; backups, exports and keys include them', async () => {
    const { folder, path, archive } = await longOpen(230, newFolder());
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
  });

  it('loses nothing and doubles nothing when it is killed again and again', async () => {
    const { folder, path, archive } = await longOpen(12_000, newFolder());
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
  });
});
