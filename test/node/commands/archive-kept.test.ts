import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commandLine, newFolder, rowsOf } from '../../support/node/command-line.ts';
import { type Fault, serveHrana } from '../../support/node/hrana-server.ts';
import { longOpen } from '../../support/node/long-open.ts';
import { asImported, rowsIn, within } from '../../support/node/long-past.ts';

const visits = 60;
const other = 'HxwbGhkYFxYVFBMSERAPDg0MCwoJCAcGBQQDAgEAAAA=';

const begin = async () => {
  const made = await longOpen(visits, newFolder());
  asImported(made.path);
  const before = rowsIn(made.path).bookings.sort();
  const run = (given: Record<string, string>, ...args: string[]) =>
    commandLine(made.folder).with({ ...made.settings, ...given }, ...args);
  const rows = async (file: string, given: Record<string, string> = {}) =>
    JSON.parse((await run(given, 'export-data', 'bookings', file, '--json')).out).rows;
  return { ...made, before, run, rows };
};

describe('a database with an archive', { timeout: 240_000 }, () => {
  it('restored as a new clinic has all bookings itself; the archive of the former one is set aside', async () => {
    const { folder, path, archive, before, run, rows, janji } = await begin();
    const id = rowsOf(path, 'select clinic_id from clinic');
    await janji('archive');
    const archived = rowsIn(archive);
    expect((await run({}, 'backup', 'b.db')).status).toBe(0);
    const restored = await run({}, 'restore', '--as-new', '--force', 'b.db');
    expect([restored.status, restored.errors]).toEqual([
      0,
      expect.stringContaining('Its archive is kept as'),
    ]);
    const [aside = ''] = readdirSync(folder).filter((name) => name.startsWith('janji-archive.db.before-'));
    expect(rowsIn(join(folder, aside))).toEqual(archived);
    expect(rowsIn(path).bookings.sort()).toEqual(before);
    expect(rowsOf(path, 'select clinic_id from clinic')).not.toEqual(id);
    // It has an archive of its own from now on.
    expect(await rows('a.ndjson')).toBe(before.length);
    expect(JSON.parse((await janji('archive', '--json')).out).bookings).toBe(visits - 1);
    expect(rowsOf(archive, 'select clinic_id from archive')).toEqual(
      rowsOf(path, 'select clinic_id from clinic'),
    );
    expect(await rows('b.ndjson')).toBe(before.length);
  });

  it('is sealed by another DATA_KEY, plain and encrypted; its archive is read as before', async () => {
    const { path, archive, before, run, rows, janji, settings } = await begin();
    await janji('archive');
    const archived = rowsIn(archive);
    const next = { DATA_KEY: other, DATA_KEY_PREVIOUS: settings.DATA_KEY };
    expect(await run(next, 'rekey')).toMatchObject({ status: 0 });
    expect(rowsIn(archive)).toEqual(archived);
    expect(await rows('a.ndjson', { DATA_KEY: other })).toBe(before.length);
    const key = { DATA_KEY: other, DATABASE_KEY: settings.DATA_KEY };
    expect(await run(key, 'encrypt')).toMatchObject({ status: 0 });
    expect(
      await run({ ...key, DATA_KEY: settings.DATA_KEY, DATA_KEY_PREVIOUS: other }, 'rekey'),
    ).toMatchObject({
      status: 0,
    });
    for (const file of [path, archive])
      expect(readFileSync(file).subarray(0, 6).toString()).not.toBe('SQLite');
    expect(await rows('b.ndjson', { ...key, DATA_KEY: settings.DATA_KEY })).toBe(before.length);
  });
});

describe('a remote database with a remote archive', { timeout: 240_000 }, () => {
  const serve = async (path: string, faultOf: (text: string) => Fault = () => null) => {
    const { url, close } = await serveHrana(path, faultOf);
    onTestFinished(() => void close());
    return url;
  };

  it('moves, reads and exports all, whichever answer of either is lost', async () => {
    const { folder, path, before, settings } = await begin();
    const events = rowsIn(path).events;
    const there = join(folder, 'there.db');
    let asked = 0;
    let losesAt = Number.POSITIVE_INFINITY;
    const faultOf = (): Fault | null => {
      asked += 1;
      return asked === losesAt ? 'lose the answer' : null;
    };
    const given = {
      ...settings,
      DATABASE_URL: await serve(path, faultOf),
      ARCHIVE_DATABASE_URL: await serve(there, faultOf),
    };
    const run = (...args: string[]) => commandLine(folder).with(given, ...args);
    // Ended at one of its round trips after another, it goes on where it was.
    for (const nth of [3, 9, 12, 14, 16, 18, 20]) {
      asked = 0;
      losesAt = nth;
      await run('archive');
      losesAt = Number.POSITIVE_INFINITY;
      const all = [...rowsIn(path).bookings, ...rowsIn(there).bookings];
      expect([...new Set(all)].sort()).toEqual(before);
      const file = `e${nth}.ndjson`;
      expect(JSON.parse((await run('export-data', 'bookings', file, '--json')).out).rows).toBe(before.length);
    }
    expect((await run('archive')).status).toBe(0);
    const [own, archived] = [rowsIn(path), rowsIn(there)];
    expect(archived.bookings).toHaveLength(visits - 1);
    expect([...own.bookings, ...archived.bookings].sort()).toEqual(before);
    expect([...own.events, ...archived.events].sort()).toEqual(events.sort());
    expect((await run('check')).out).toMatch(/archive/);
  });

  it('leaves a booking where it is that changes between its copy and its removal, and one that gets an event', async () => {
    const { folder, path, before, settings } = await begin();
    const oldest = rowsOf<[string]>(path, 'select id from bookings order by starts_at limit 2');
    const [[changed], [told]] = oldest as [[string], [string]];
    const columns = rowsOf<[string]>(path, "select name from pragma_table_info('booking_events')");
    const event = {
      ...Object.fromEntries(columns.map(([name]) => [name, name])),
      sequence: '(select max(sequence) + 1 from booking_events)',
      write_id: "'late'",
      booking_id: `'${told}'`,
      version: '9',
    };
    let removals = 0;
    const url = await serve(path, (text) => {
      if (!text.includes('delete from \\"bookings\\"')) return null;
      removals += 1;
      if (removals > 1) return null;
      within(path, (database) => {
        database.exec(`update bookings set staff_notes = 'diubah' where id = '${changed}'`);
        database.exec(
          `insert into booking_events (${Object.keys(event)}) select ${Object.values(event)} from booking_events limit 1`,
        );
      });
      return null;
    });
    const there = join(folder, 'there.db');
    const given = { ...settings, DATABASE_URL: url, ARCHIVE_DATABASE_URL: await serve(there) };
    expect((await commandLine(folder).with(given, 'archive')).status).toBe(0);
    expect(removals).toBeGreaterThan(0);
    const left = rowsOf<[string]>(path, 'select id from bookings').map(([id]) => id);
    expect(left).toEqual(expect.arrayContaining([changed, told]));
    expect(left).toHaveLength(before.length - (visits - 1) + 2);
    expect(rowsOf(path, `select staff_notes from bookings where id = '${changed}'`)).toEqual([['diubah']]);
  });

  it('refuses an archive of another kind, and the clinic’s own database', async () => {
    const { folder, path, archive, settings } = await begin();
    const url = await serve(path);
    const run = (more: Record<string, string>) =>
      commandLine(folder).with({ ...settings, DATABASE_URL: url, ...more }, 'archive');
    expect(await run({})).toMatchObject({
      status: 1,
      errors: expect.stringContaining('ARCHIVE_DATABASE_URL'),
    });
    for (const named of [url, `file:${archive}`])
      expect(await run({ ARCHIVE_DATABASE_URL: named })).toMatchObject({
        status: 1,
        errors: expect.stringContaining('ARCHIVE_DATABASE_URL is'),
      });
  });
});
