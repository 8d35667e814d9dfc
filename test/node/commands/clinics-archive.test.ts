import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changeClinic, findClinic, insertClinic } from '../../../src/modules/clinics/queries.ts';
import { openDirectory } from '../../../src/runtime/node/clinics/directory-file.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { book, createClinic } from '../../support/clinic-people.ts';
import { commandLine, newFolder, rowsOf } from '../../support/node/command-line.ts';
import { letGoOfClosed } from '../../support/node/let-go.ts';
import { asImported, giveLongPast, rowsIn, within } from '../../support/node/long-past.ts';
import { createWorld, mondayMorning, settleAll } from '../../support/world.ts';

const key = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const settings = {
  CLINICS: 'files',
  CLINICS_FOLDER: 'clinics',
  JWT_SECRET: 'q7Zt0vE9mW2xLr8KpA5dHs3Yc6BnJf1U',
  DATA_KEY: key,
};
const visits = 40;

/** A clinic of many years in a folder of clinics, beside one that was just added. */
const begin = async () => {
  const folder = newFolder();
  const clinics = join(folder, 'clinics');
  const janji = commandLine(folder);
  const run = (...args: string[]) => janji.with(settings, ...args);
  const withKey = (...args: string[]) => janji.with({ ...settings, DATABASE_KEY: key }, ...args);
  const ask = async (...args: string[]) => {
    const { status, out, errors } = await run(...args, '--json');
    expect([status, errors]).toEqual([0, expect.any(String)]);
    return JSON.parse(out);
  };
  const { id } = await ask('clinics', 'add', 'Melati', '--host', 'melati.example');
  await run('clinics', 'add', 'Mawar', '--host', 'mawar.example');
  const path = join(clinics, `${id}.db`);
  const { db, close, emptyLog } = await openDatabase(`file:${path}`);
  const world = await createWorld({ CLINIC_ID: id }, mondayMorning, db);
  await book(world, await createClinic(world));
  await settleAll();
  await emptyLog?.('now');
  await close();
  giveLongPast(path, visits);
  asImported(path);
  /** The clinic was closed long ago, as far as the directory knows. */
  const letGo = async (): Promise<void> => {
    const opened = await openDirectory(clinics);
    await changeClinic(opened.db, id, { state: 'closed', stateSince: 0 });
    await opened.close();
    await letGoOfClosed();
  };
  const archive = join(clinics, `${id}-archive.db`);
  return { folder, clinics, run, withKey, ask, id, path, archive, letGo };
};

it('the commands of many clinics take the archive of each along: none is left behind, none is lost', async () => {
  const { folder, clinics, run, withKey, ask, id, path, archive, letGo } = await begin();
  const before = rowsIn(path);
  const at = ['--clinic', 'melati.example'];
  expect((await run('archive')).errors).toContain('--clinic HOST|ID');
  expect((await run('archive', ...at)).errors).toContain('ARCHIVE_AFTER_DAYS is not set');
  const short = await run('clinics', 'set', id, 'ARCHIVE_AFTER_DAYS=30');
  expect(short.errors).toContain('days from 400');
  await run('clinics', 'set', id, 'ARCHIVE_AFTER_DAYS=400');
  expect(await ask('archive', ...at)).toMatchObject({ bookings: visits - 1 });
  const archived = rowsIn(archive);
  expect(archived.bookings).toHaveLength(visits - 1);
  const whole = (file: string) => expect(rowsIn(file).bookings.sort()).toEqual(before.bookings.sort());
  // Where a clinic has no horizon, the others have theirs.
  const all = await run('archive', '--all', '--json');
  const lines = all.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect([all.status, lines.length]).toEqual([0, 2]);
  expect(lines.filter(({ before }) => before === null)).toEqual([expect.objectContaining({ bookings: 0 })]);
  expect(await run('archive', '--all')).toMatchObject({
    status: 0,
    out: expect.stringContaining('is not set'),
  });
  const bytes = (await ask('clinics', 'show', id)).archive_bytes;
  expect(bytes).toBeGreaterThan(10_000);
  expect((await ask('clinics', 'show', 'mawar.example')).archive_bytes).toBeNull();
  const checked = await run('check', '--all');
  expect(checked.out.match(/archive +\d\.\d MB, bookings go there after 400 days/g)).toHaveLength(1);
  // What is copied has all of it.
  expect((await run('clinics', 'export', id, join(folder, 'e.db'))).status).toBe(0);
  whole(join(folder, 'e.db'));
  expect((await run('backup', '--all', join(folder, 'b-{clinic}.db'))).status).toBe(0);
  whole(join(folder, `b-${id}.db`));
  const rows = await ask('export-data', 'bookings', join(folder, 'b.ndjson'), ...at);
  expect(rows.rows).toBe(before.bookings.length);
  await letGo();
  // A restored database has all of it too, and what is archived is shown once.
  expect((await run('restore', join(folder, 'e.db'), '--force', ...at)).status).toBe(0);
  whole(path);
  expect((await ask('export-data', 'bookings', join(folder, 'c.ndjson'), ...at)).rows).toBe(
    before.bookings.length,
  );
  expect((await ask('archive', ...at)).bookings).toBe(visits - 1);
  expect(rowsIn(archive).bookings).toEqual(archived.bookings);
  // Its keys are those of its clinic.
  expect((await withKey('encrypt', ...at)).status).toBe(0);
  for (const file of [path, archive]) expect(readFileSync(file).subarray(0, 6).toString()).not.toBe('SQLite');
  expect((await withKey('decrypt', ...at)).status).toBe(0);
  // Moved, nothing counts from where it was.
  const to = join(folder, 'elsewhere.db');
  expect((await run('clinics', 'move', id, '--to', to)).status).toBe(0);
  const there = join(folder, 'elsewhere-archive.db');
  expect(rowsIn(there)).toEqual(archived);
  expect([existsSync(path), existsSync(archive)]).toEqual([false, false]);
  expect(rowsIn(`${archive}.moved`)).toEqual(archived);
  expect((await ask('clinics', 'show', id)).archive_bytes).toBeGreaterThan(10_000);
  expect((await ask('export-data', 'bookings', join(folder, 'd.ndjson'), ...at)).rows).toBe(
    before.bookings.length,
  );
  expect((await run('clinics', 'delete', id, '--yes')).status).toBe(0);
  const left = readdirSync(folder).filter((name) => name.startsWith('elsewhere'));
  expect([
    left,
    readdirSync(clinics).filter((name) => !/\.(moved|before)/.test(name) && name.includes(id)),
  ]).toEqual([[], []]);
});

it('a clinic that moves to another time zone is served in it, and its archive follows with the next round', async () => {
  const { clinics, run, ask, id, archive } = await begin();
  const at = ['--clinic', id];
  await run('clinics', 'set', id, 'ARCHIVE_AFTER_DAYS=400');
  await ask('archive', ...at);
  const starts = () =>
    rowsOf<[number]>(archive, 'select starts_at from bookings order by id').map(([one]) => one);
  const before = starts();
  within(archive, (database) => database.exec('update archive set next_at = 9000000000000'));
  const dry = await run('rezone', '--to', 'Asia/Makassar', ...at);
  expect([dry.status, dry.errors]).toEqual([0, expect.not.stringContaining('directory')]);
  const moved = await run('rezone', '--to', 'Asia/Makassar', '--apply', ...at);
  expect([moved.status, moved.errors]).toEqual([
    0,
    expect.stringContaining('The directory has Asia/Makassar'),
  ]);
  const { db, close } = await openDirectory(clinics);
  expect((await findClinic(db, id))?.timeZone).toBe('Asia/Makassar');
  expect((await findClinic(db, 'mawar.example'))?.timeZone).toBe('Asia/Jakarta');
  await close();
  expect(rowsOf(archive, 'select next_at from archive')).toEqual([[0]]);
  await ask('archive', ...at);
  expect(starts()).toEqual(before.map((one) => one - 3_600_000));
});

it('an archive whose making was broken off holds up no copy, and none is taken by another clinic', async () => {
  const { folder, clinics, run, id, path, archive, letGo } = await begin();
  writeFileSync(archive, '');
  expect(await run('clinics', 'export', id, join(folder, 'e.db'))).toMatchObject({ status: 0 });
  expect(rowsIn(join(folder, 'e.db'))).toEqual(rowsIn(path));
  await letGo();
  expect(await run('restore', join(folder, 'e.db'), '--force', '--clinic', id)).toMatchObject({ status: 0 });
  const named = await run('clinics', 'move', id, '--to', join(folder, 'melati-archive.db'));
  expect([named.status, named.errors]).toEqual([1, expect.stringContaining('the name of an archive')]);
  const left = join(clinics, 'kenanga-archive.db');
  writeFileSync(left, 'what an earlier clinic had');
  const added = await run('clinics', 'add', 'Kenanga', '--host', 'kenanga.example', '--id', 'kenanga');
  expect([added.status, added.errors]).toEqual([1, expect.stringContaining('move it away first')]);
  expect(existsSync(left)).toBe(true);
});

it('the commands of many clinics take a sandbox along where they encrypt, move and delete, and nowhere else', async () => {
  const { folder, clinics, run, withKey, id, path, letGo } = await begin();
  const at = ['--clinic', id];
  const sandbox = join(clinics, `${id}-sandbox.db`);
  expect((await run('backup', sandbox, '--clinic', 'mawar.example')).status).toBe(0);
  rmSync(`${sandbox}.sha256`, { force: true });
  const rows = () => rowsOf(sandbox, 'select clinic_id from clinic');
  const before = rows();
  expect((await run('clinics', 'export', id, join(folder, 'e.db'))).status).toBe(0);
  await letGo();
  expect(await run('restore', join(folder, 'e.db'), '--force', ...at)).toMatchObject({ status: 0 });
  expect(rows()).toEqual(before);
  expect((await withKey('encrypt', ...at)).status).toBe(0);
  for (const file of [path, sandbox]) expect(readFileSync(file).subarray(0, 6).toString()).not.toBe('SQLite');
  expect((await withKey('decrypt', ...at)).status).toBe(0);
  const to = join(folder, 'elsewhere.db');
  expect((await run('clinics', 'move', id, '--to', to)).status).toBe(0);
  const there = join(folder, 'elsewhere-sandbox.db');
  expect(rowsOf(there, 'select clinic_id from clinic')).toEqual(before);
  expect([existsSync(sandbox), existsSync(`${there}.sha256`)]).toEqual([false, false]);
  expect((await run('clinics', 'delete', id, '--yes')).status).toBe(0);
  expect(readdirSync(folder).filter((name) => name.startsWith('elsewhere'))).toEqual([]);
});

it('no clinic’s own database is taken for what lies beside another one, whatever its name says', async () => {
  const { folder, clinics, withKey, id, letGo, path } = await begin();
  await letGo();
  // As it could be called once: by its id, and by the file to which it was moved.
  const { db, close } = await openDirectory(clinics);
  const times = { timeZone: 'Asia/Jakarta' };
  await insertClinic(db, { ...times, id: 'kenanga-sandbox', name: 'Kenanga', hosts: ['kenanga.example'] }, 0);
  const file = join(folder, 'there-archive.db');
  await insertClinic(db, { ...times, id: 'k2', name: 'Kemuning', hosts: ['kemuning.example'], file }, 0);
  await insertClinic(db, { ...times, id: `${id}-sandbox`, name: 'Kamboja', hosts: ['kamboja.example'] }, 0);
  const away = join(folder, 'away.db');
  await insertClinic(db, { ...times, id: 'k4', name: 'Cempaka', hosts: ['cempaka.example'], file: away }, 0);
  const linked = join(folder, 'linked');
  symlinkSync(folder, linked);
  const unmade = join(linked, 'unmade', 'k5-archive.db');
  await insertClinic(
    db,
    { ...times, id: 'k5', name: 'Cendana', hosts: ['cendana.example'], file: unmade },
    0,
  );
  await close();
  const theirs = [join(clinics, 'kenanga-sandbox.db'), file, path.replace('.db', '-sandbox.db')];
  for (const one of theirs) writeFileSync(one, `of a clinic: ${one}`);
  for (const [name, ...command] of [
    ['Kenanga', 'clinics', 'move', id, '--to', join(clinics, 'kenanga.db')],
    ['Kenanga', 'clinics', 'add', 'Kenanga Dua', '--host', 'dua.example', '--id', 'kenanga'],
    ['Kemuning', 'clinics', 'move', id, '--to', join(folder, 'there.db')],
    ['Kamboja', 'clinics', 'delete', id, '--yes'],
    ['Kamboja', 'clinics', 'move', id, '--to', join(folder, 'free.db')],
    ['Kamboja', 'restore', join(folder, 'copy.db'), '--force', '--as-new', '--clinic', id],
    ['Kamboja', 'encrypt', '--clinic', id],
    // Its file is not there at present.
    ['Cempaka', 'clinics', 'move', id, '--to', away],
    // Through a folder that is a link.
    ['Kenanga', 'clinics', 'move', id, '--to', join(linked, 'clinics', 'kenanga.db')],
    ['Kemuning', 'clinics', 'move', id, '--to', join(linked, 'there.db')],
    ['Cempaka', 'clinics', 'move', id, '--to', join(linked, 'away.db')],
    ['Cendana', 'clinics', 'move', id, '--to', join(folder, 'unmade', 'k5.db')],
  ] as const) {
    const { status, errors } = await withKey(...command);
    expect([command, status, errors]).toEqual([
      command,
      1,
      expect.stringContaining(`is the database of the clinic ${name} (`),
    ]);
  }
  for (const one of theirs) expect(readFileSync(one, 'utf8')).toBe(`of a clinic: ${one}`);
  expect(existsSync(path)).toBe(true);
});

it('a sandbox that is damaged, half made or left from a move that was killed holds up no move', async () => {
  const { folder, clinics, run, ask, id, letGo } = await begin();
  const damage = `SQLite format 3\0${'and long enough to be read'.repeat(100)}`;
  await letGo();
  const cases = [
    [join(clinics, `${id}-sandbox.db`), 'one', damage],
    [join(folder, 'one-sandbox.db'), 'two', ''],
  ] as const;
  for (const [sandbox, name, content] of cases) {
    writeFileSync(sandbox, content);
    const there = join(folder, `${name}-sandbox.db`);
    writeFileSync(there, 'of before');
    const moved = await run('clinics', 'move', id, '--to', join(folder, `${name}.db`));
    expect([moved.status, moved.errors]).toEqual([
      0,
      expect.stringMatching(
        /-sandbox\.db is kept as [\s\S]*sandbox\.db cannot be read, and stays behind: it begins anew/,
      ),
    ]);
    expect([existsSync(there), existsSync(sandbox), readFileSync(`${sandbox}.moved`, 'utf8')]).toEqual([
      false,
      false,
      content,
    ]);
    expect(readdirSync(folder).some((file) => file.startsWith(`${name}-sandbox.db.before-`))).toBe(true);
  }
  expect((await ask('clinics', 'show', id)).file).toBe(join(folder, 'two.db'));
});
