import { once } from 'node:events';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { sql } from 'drizzle-orm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { users } from '../../../src/core/tables/accounts.ts';
import { changeClinic, findClinic, insertClinic } from '../../../src/modules/clinics/queries.ts';
import { demoPassword, demoPeople } from '../../../src/modules/demo/demo.ts';
import { openDirectory } from '../../../src/runtime/node/clinics/directory-file.ts';
import { archivePathOf } from '../../../src/runtime/node/database/archive.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { book, createClinic } from '../../support/clinic-people.ts';
import { commandLine, newFolder } from '../../support/node/command-line.ts';
import { asImported, giveLongPast, rowsIn } from '../../support/node/long-past.ts';
import { openForOperators } from '../../support/node/operator.ts';
import { createPerson } from '../../support/people.ts';
import { createWorld, mondayMorning, password, settleAll } from '../../support/world.ts';

const secret = 'the-operators-secret-of-these-tests-0123456789';
const secrets = {
  JWT_SECRET: 'q7Zt0vE9mW2xLr8KpA5dHs3Yc6BnJf1U',
  DATA_KEY: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
};
const settings = { OPERATOR_SECRET: secret, ...secrets };
const bearer = { Authorization: `Bearer ${secret}` };

/** A deployment of clinics that listens, and the command line elsewhere that has its secret. */
const begin = async (ids: string[]) => {
  const deployment = await openForOperators(ids, { settings });
  const server = createAdaptorServer({
    fetch: (request, env) => deployment.many().fetch(request, env),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = newFolder();
  const janji = commandLine(folder);
  const own = { CLINICS: 'files', CLINICS_FOLDER: join(folder, 'own'), ...settings };
  const run = (...args: string[]) => janji.with(own, ...args);
  const at = (...args: string[]) => run(...args, '--at', url);
  const ask = async (...args: string[]) => {
    const { status, out, errors } = await at(...args, '--json');
    if (status !== 0) throw new Error(errors);
    return JSON.parse(out);
  };
  const letGo = async (id: string) =>
    changeClinic(deployment.many().directory, id, { state: 'closed', stateSince: 0 });
  return { ...deployment, folder, url, run, at, ask, letGo, own };
};

describe('the secret of the operator', () => {
  it('opens the interface to programs, without the page; another one does not', async () => {
    const { sendToOwn, host } = await openForOperators(['melati'], { settings });
    const ask = (headers: Record<string, string>, of?: string) =>
      sendToOwn('GET', '/operator/api/clinics', {
        headers: { 'Sec-Fetch-Site': 'none', ...headers },
        ...(of !== undefined && { host: of }),
      });
    expect((await ask(bearer)).status).toBe(200);
    expect((await ask({ Authorization: `Bearer ${secret}x` })).status).toBe(401);
    expect((await ask(bearer, host('melati'))).status).toBe(404);
    const without = await openForOperators(['melati']);
    expect((await without.sendToOwn('GET', '/operator/api/clinics', { headers: bearer })).status).toBe(401);
  });
});

// Each starts commands and checks whole databases, on whatever machine.
describe('janji clinics at a deployment elsewhere', { timeout: 180_000 }, () => {
  it('adds, lists, shows, renames, sets, closes, opens and deletes', async () => {
    const { ask, at, letGo, run } = await begin(['melati']);
    const added = await ask(
      'clinics',
      'add',
      'Kenanga',
      '--host',
      'Kenanga.example',
      '--admin',
      'a@b.example',
    );
    expect(added).toMatchObject({ host: 'kenanga.example', admin: 'a@b.example' });
    expect(added.link).toContain('/mulai/#');
    const taken = await at('clinics', 'add', 'Lain', '--host', 'kenanga.example');
    expect([taken.status, taken.errors]).toEqual([1, expect.stringContaining('hosts')]);
    const listed = await ask('clinics', 'list');
    expect(listed.clinics.map(({ name }: { name: string }) => name)).toEqual(['Kenanga', 'melati']);
    await ask('clinics', 'rename', added.id, 'Kenanga Dua', '--host', 'dua.example');
    expect(await ask('clinics', 'set', added.id, 'QUIET_HOURS=20-7')).toMatchObject({
      settings: ['QUIET_HOURS'],
    });
    expect((await at('clinics', 'set', added.id, 'QUIET_HOURS=late')).errors).toContain('QUIET_HOURS');
    await ask('clinics', 'close', 'dua.example');
    expect(await ask('clinics', 'show', 'dua.example')).toMatchObject({
      name: 'Kenanga Dua',
      state: 'closed',
      settings: { QUIET_HOURS: '20-7' },
    });
    await ask('clinics', 'open', 'dua.example');
    expect((await at('clinics', 'delete', added.id, '--yes')).errors).toContain('close it first');
    await letGo(added.id);
    expect(await ask('clinics', 'delete', added.id, '--yes')).toEqual({ id: added.id, left: 1 });
    const without = await run('clinics', 'list', '--at', 'no-address');
    expect([without.status, without.errors]).toEqual([1, expect.stringContaining('no address')]);
  });

  it('makes and removes operators', async () => {
    const { run, ask, url } = await begin(['melati']);
    const given = { JANJI_OPERATOR_PASSWORD: 'jembatan-merah-9x', OPERATOR_SECRET: secret };
    const janji = commandLine(newFolder());
    const made = await janji.with(
      given,
      'clinics',
      'operator',
      'add',
      'budi@vendor.example',
      '--at',
      url,
      '--json',
    );
    expect(JSON.parse(made.out)).toMatchObject({ email: 'budi@vendor.example', otpauth: expect.any(String) });
    const emails = async () =>
      (await ask('clinics', 'operator', 'list')).operators.map(({ email }: { email: string }) => email);
    expect(await emails()).toContain('budi@vendor.example');
    expect((await run('clinics', 'operator', 'remove', 'budi@vendor.example', '--at', url)).status).toBe(0);
    expect(await emails()).not.toContain('budi@vendor.example');
  });

  it('exports a copy that verify takes', async () => {
    const { at, run, folder } = await begin(['melati']);
    const copy = join(folder, 'melati.db');
    const made = await at('clinics', 'export', 'melati', copy);
    expect([made.status, made.errors]).toEqual([0, expect.any(String)]);
    expect((await run('verify', copy)).status).toBe(0);
  });

  it('moves a clinic there with what it has archived, which is archived there anew', async () => {
    const { run, url, own, many, path } = await begin(['melati']);
    const { id } = JSON.parse(
      (await run('clinics', 'add', 'Lama', '--host', 'lama.janji.example', '--json')).out,
    );
    const here = join(own.CLINICS_FOLDER, `${id}.db`);
    const opened = await openDatabase(`file:${here}`);
    const world = await createWorld({ CLINIC_ID: id }, mondayMorning, opened.db);
    await book(world, await createClinic(world));
    await settleAll();
    await opened.emptyLog?.('now');
    await opened.close();
    giveLongPast(here, 30);
    asImported(here);
    const before = rowsIn(here).bookings.sort();
    await run('clinics', 'set', id, 'ARCHIVE_AFTER_DAYS=400');
    expect(await run('archive', '--clinic', id)).toMatchObject({ status: 0 });
    expect(rowsIn(archivePathOf(here)).bookings).toHaveLength(29);
    const { db, close } = await openDirectory(own.CLINICS_FOLDER);
    await changeClinic(db, id, { state: 'closed', stateSince: 0 });
    await close();
    const moved = await run('clinics', 'move', id, '--to', url);
    expect([moved.status, moved.errors]).toEqual([0, expect.stringContaining('open there')]);
    await many().clinics.closeAll();
    expect(rowsIn(path(id)).bookings.sort()).toEqual(before);
    expect(existsSync(archivePathOf(path(id)))).toBe(false);
    // What stays here is as it was.
    expect(rowsIn(archivePathOf(here)).bookings).toHaveLength(29);
  });

  it('exports a clinic whose archive is gone as far as it is there, and none whose archive is damaged', async () => {
    const clinics = await begin(['melati']);
    const { at, run, many, path, folder, login, time, runDue } = clinics;
    await clinics.book('melati', await login('melati'));
    await clinics.restart(() => {
      giveLongPast(path('melati'), 30, demoPeople.patient);
      asImported(path('melati'));
    });
    await changeClinic(many().directory, 'melati', { settings: { ARCHIVE_AFTER_DAYS: '400' } });
    // The demo clinic adds bookings of each day.
    const oldIn = (file: string) =>
      rowsIn(file).bookings.filter((row) => row.slice(0, 40).includes('-000000000'));
    expect(oldIn(path('melati'))).toHaveLength(30);
    await login('melati');
    time.now += 60_000;
    await runDue();
    const archive = archivePathOf(path('melati'));
    expect(rowsIn(archive).bookings).toHaveLength(29);
    const count = async (file: string) => {
      const made = await at('clinics', 'export', 'melati', join(folder, file));
      if (made.status !== 0) return made;
      expect((await run('verify', join(folder, file))).status).toBe(0);
      return oldIn(join(folder, file)).length;
    };
    expect(await count('all.db')).toBe(30);
    await many().clinics.closeAll();
    renameSync(archive, `${archive}.away`);
    expect(await count('own.db')).toBe(1);
    writeFileSync(archive, 'no database at all, and long enough to be read as one'.repeat(100));
    expect(await count('none.db')).toMatchObject({
      status: 1,
      errors: expect.stringContaining('The archive of the clinic cannot be read'),
    });
    expect(existsSync(join(folder, 'none.db'))).toBe(false);
  });

  it('moves a clinic there, once, with all that its people have', async () => {
    const { run, url, own, many, sendToOwn } = await begin(['melati']);
    const added = JSON.parse(
      (await run('clinics', 'add', 'Pindahan', '--host', 'pindah.janji.example', '--demo', '--json')).out,
    );
    const { db, close } = await openDirectory(own.CLINICS_FOLDER);
    await changeClinic(db, added.id, { state: 'closed', stateSince: 0 });
    await close();
    const moved = await run('clinics', 'move', added.id, '--to', url);
    expect([moved.status, moved.errors]).toEqual([0, expect.stringContaining('open there')]);
    expect(await findClinic(many().directory, added.id)).toMatchObject({ state: 'open', name: 'Pindahan' });
    const answer = await sendToOwn('POST', '/v1/auth/login', {
      host: 'pindah.janji.example',
      body: { email: 'pasien@klinik.example', password: demoPassword },
    });
    expect(answer.status).toBe(200);
    // Twice: it is not empty any more.
    expect((await run('clinics', 'move', added.id, '--to', url)).errors).toMatch(/open|not empty/);
  });

  it('moves one whose id is none any more under another id, with all that is sealed', async () => {
    const { run, url, own, sendToOwn } = await begin(['melati']);
    expect((await run('clinics', 'add', 'Lain', '--host', 'lain.janji.example')).status).toBe(0);
    const id = 'lama-archive';
    const file = join(own.CLINICS_FOLDER, 'lama.db');
    const opened = await openDatabase(`file:${file}`);
    const world = await createWorld({ CLINIC_ID: id, ...secrets }, mondayMorning, opened.db);
    const { token, email } = await createPerson(world, 'admin');
    await opened.db.update(users).set({ passwordHash: await world.deps.hasher.hash(password) });
    const national_id = '3171234567890001';
    const born = { name: 'Kirana', birth_date: '1990-04-23', national_id };
    const patient = (await world.request('/v1/patients', { token, body: born })).body.data.id;
    const body = { url: 'https://receiver.example/in', types: ['booking.created'] };
    expect((await world.request('/v1/admin/webhooks', { token, body })).status).toBe(201);
    await opened.emptyLog?.('now');
    await opened.close();
    const { db, close } = await openDirectory(own.CLINICS_FOLDER);
    const entry = { id, name: 'Lama', timeZone: 'Asia/Jakarta', hosts: ['lama.janji.example'], file };
    await insertClinic(db, { ...entry, state: 'closed' }, 0);
    await close();
    const move = (...more: string[]) => run('clinics', 'move', id, '--to', url, ...more);
    expect((await move()).errors).toContain('lama-archive is no id there');
    const moved = await move('--id', 'lama');
    expect([moved.status, moved.errors]).toEqual([0, expect.stringContaining('open there')]);
    const host = 'lama.janji.example';
    const login = await sendToOwn('POST', '/v1/auth/login', { host, body: { email, password } });
    const headers = { Authorization: `Bearer ${login.body.data.access_token}` };
    const read = async (path: string) => (await sendToOwn('GET', path, { host, headers })).body.data;
    expect((await read(`/v1/patients/${patient}`)).national_id).toBe(national_id);
    expect((await read(`/v1/patients?q=${national_id}`)).map(({ id: one }: { id: string }) => one)).toEqual([
      patient,
    ]);
    // Its receivers are called as before: their secrets open.
    expect((await read('/v1/admin/webhooks'))[0]).toMatchObject({ status: 'active', paused_reason: null });
    const before = await sendToOwn('GET', '/v1/auth/profile', {
      host,
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(before.status).toBe(401);
  });

  it('fills a new clinic from a copy, and no other', async () => {
    const { ask, at, folder, many, path } = await begin(['melati', 'mawar']);
    const copy = join(folder, 'melati.db');
    await at('clinics', 'export', 'melati', copy);
    const added = await ask('clinics', 'add', 'Baru', '--host', 'baru.example', '--closed');
    const filled = await at('clinics', 'import', added.id, copy);
    expect([filled.status, filled.errors]).toEqual([0, expect.any(String)]);
    expect(existsSync(`${path(added.id)}.receiving`)).toBe(false);
    const again = await at('clinics', 'import', added.id, copy);
    expect([again.status, again.errors]).toEqual([1, expect.stringContaining('not empty')]);
    expect((await at('clinics', 'import', 'mawar', copy)).errors).toContain('close it first');
    const acts = (await ask('clinics', 'operator', 'list')).acts.map(({ act }: { act: string }) => act);
    expect(acts).toEqual(expect.arrayContaining(['clinic_exported', 'clinic_added', 'clinic_restored']));
    expect((await findClinic(many().directory, added.id))?.state).toBe('closed');
  });
});

describe('an act and its line', () => {
  it('are written together, or neither of them is', async () => {
    const { sendToOwn, many } = await openForOperators(['melati'], { settings });
    const { directory } = many();
    const rename = (from: string, to: string) =>
      (directory as unknown as { run: (text: unknown) => Promise<unknown> }).run(
        sql.raw(`alter table ${from} rename to ${to}`),
      );
    await rename('operator_acts', 'operator_acts_gone');
    const close = () =>
      sendToOwn('POST', '/operator/api/clinics/melati/close', { headers: bearer, body: {} });
    expect((await close()).status).toBe(500);
    expect((await findClinic(directory, 'melati'))?.state).toBe('open');
    await rename('operator_acts_gone', 'operator_acts');
    expect((await close()).status).toBe(200);
    expect((await findClinic(directory, 'melati'))?.state).toBe('closed');
  });
});
