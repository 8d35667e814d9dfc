import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeClinic, insertClinic } from '../../../src/modules/clinics/queries.ts';
import { openDirectory } from '../../../src/runtime/node/clinics/directory-file.ts';
import { commandLine, newFolder } from '../../support/node/command-line.ts';

const key = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const settings = {
  CLINICS: 'files',
  CLINICS_FOLDER: 'clinics',
  JWT_SECRET: 'q7Zt0vE9mW2xLr8KpA5dHs3Yc6BnJf1U',
  DATA_KEY: key,
};

const begin = () => {
  const folder = newFolder();
  const janji = commandLine(folder);
  const run = (...args: string[]) => janji.with(settings, ...args);
  const ask = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out);
  const list = join(folder, 'list.ndjson');
  /** A clinic that was closed long ago, as far as the directory knows. */
  const letGo = async (id: string): Promise<void> => {
    const { db, close } = await openDirectory(join(folder, 'clinics'));
    await changeClinic(db, id, { state: 'closed', stateSince: 0 });
    await close();
  };
  const withMore = (more: Record<string, string>, ...args: string[]) =>
    janji.with({ ...settings, ...more }, ...args);
  return { folder, run, ask, list, letGo, with: withMore };
};

describe('janji clinics', () => {
  it('adds a clinic with its database and the link of its first admin, and each host once', async () => {
    const { folder, run, ask } = begin();
    const added = await ask('clinics', 'add', 'Melati', '--host', 'Melati.Example', '--admin', 'a@b.example');
    expect(added).toMatchObject({ name: 'Melati', host: 'melati.example', admin: 'a@b.example' });
    expect(added.link).toMatch(/^http:\/\/melati\.example:8787\/mulai\/#[\w-]{43}$/);
    expect(existsSync(join(folder, 'clinics', `${added.id}.db`))).toBe(true);
    const again = await run('clinics', 'add', 'Mawar', '--host', 'melati.example');
    expect([again.status, again.errors]).toEqual([1, expect.stringContaining("is Melati's already")]);
    expect(await ask('clinics', 'list')).toMatchObject({ clinics: [{ id: added.id, state: 'open' }] });
  });

  it('gives no clinic the name of a file of ours, in any case of letters, wherever the directory is', async () => {
    const { folder, with: withMore } = begin();
    const elsewhere = { CLINICS_DIRECTORY: `file:${join(folder, 'elsewhere.db')}` };
    for (const id of ['directory', 'Directory', 'OTHER', 'melati-archive', 'melati-Sandbox']) {
      const added = await withMore(
        elsewhere,
        ...['clinics', 'add', 'Melati', '--host', 'a.example', '--id', id],
      );
      expect([id, added.status, added.errors]).toEqual([id, 1, expect.stringContaining(`${id} is no id`)]);
    }
    const id = 'directory-of-melati';
    expect(
      await withMore(elsewhere, 'clinics', 'add', 'Melati', '--host', 'a.example', '--id', id),
    ).toMatchObject({
      status: 0,
    });
  });

  it('gives no two clinics ids that a disk may take for the same file, and finds each of those that have them', async () => {
    const { folder, run, ask } = begin();
    const add = (host: string, id: string) => run('clinics', 'add', 'Melati', '--host', host, '--id', id);
    expect((await add('a.example', 'Melati')).status).toBe(0);
    const again = await add('b.example', 'mELATI');
    expect([again.status, again.errors]).toEqual([1, expect.stringContaining("mELATI is Melati's already")]);
    expect(await ask('clinics', 'show', 'MELATI')).toMatchObject({ id: 'Melati' });
    const { db, close } = await openDirectory(join(folder, 'clinics'));
    const before = { name: 'Before', timeZone: 'Asia/Jakarta' };
    await insertClinic(db, { ...before, id: 'melati', hosts: ['c.example'] }, Date.now());
    await close();
    for (const id of ['Melati', 'melati']) expect(await ask('clinics', 'show', id)).toMatchObject({ id });
  });

  it('adds the clinics of a list, and names the lines that it cannot add', async () => {
    const { run, ask, list } = begin();
    const lines = [
      { name: 'Satu', host: 'satu.example' },
      { name: 'Dua', host: 'satu.example' },
      { name: 'Tiga', host: ['tiga.example', 'tiga.id'], time_zone: 'Asia/Makassar' },
    ];
    writeFileSync(list, lines.map((one) => JSON.stringify(one)).join('\n'));
    const { status, out, errors } = await run('clinics', 'add', '--from', list, '--json');
    expect(status).toBe(1);
    expect(out.trim().split('\n')).toHaveLength(2);
    expect(errors).toContain("satu.example is Satu's already");
    expect(await ask('clinics', 'show', 'tiga.id')).toMatchObject({
      name: 'Tiga',
      hosts: ['tiga.example', 'tiga.id'],
      time_zone: 'Asia/Makassar',
    });
  });

  it('closes, opens, renames and sets, and shows no secret', async () => {
    const { folder, run, ask } = begin();
    const { id } = await ask('clinics', 'add', 'Melati', '--host', 'melati.example');
    await run('clinics', 'close', 'melati.example');
    expect(await ask('clinics', 'show', id)).toMatchObject({ state: 'closed' });
    await run('clinics', 'open', id);
    await run('clinics', 'rename', id, 'Melati Baru', '--host', 'baru.example');
    const set = await run('clinics', 'set', id, 'QUIET_HOURS=20-7', 'NOTICE_API_KEY=rahasia-sekali');
    expect(set.status).toBe(0);
    const shown = await ask('clinics', 'show', 'baru.example');
    expect(shown).toMatchObject({
      name: 'Melati Baru',
      state: 'open',
      settings: { QUIET_HOURS: '20-7', NOTICE_API_KEY: '(sealed)' },
    });
    expect(readFileSync(join(folder, 'clinics', 'directory.db'), 'latin1')).not.toContain('rahasia-sekali');
    const refused = await run('clinics', 'set', id, 'LOG_LEVEL=debug');
    expect([refused.status, refused.errors]).toEqual([
      1,
      expect.stringContaining('no setting of one clinic'),
    ]);
    expect((await run('clinics', 'set', id, 'QUIET_HOURS=late')).errors).toContain('QUIET_HOURS');
  });

  it('moves, exports and deletes, but nothing that a service may have open', async () => {
    const { folder, run, ask, letGo } = begin();
    const { id } = await ask('clinics', 'add', 'Melati', '--host', 'melati.example');
    const to = join(folder, 'elsewhere.db');
    expect((await run('clinics', 'move', id, '--to', to)).errors).toContain('close it first');
    await run('clinics', 'close', id);
    expect((await run('clinics', 'move', id, '--to', to)).errors).toContain('a moment ago');
    await letGo(id);
    expect((await run('clinics', 'move', id, '--to', to)).status).toBe(0);
    expect(await ask('clinics', 'show', id)).toMatchObject({ file: to });
    const copy = join(folder, 'copy.db');
    expect((await run('clinics', 'export', id, copy)).status).toBe(0);
    expect(existsSync(copy)).toBe(true);
    // What cannot be removed: the clinic is still named, and the same command ends it.
    mkdirSync(join(folder, 'elsewhere-sandbox.db'));
    expect((await run('clinics', 'delete', id, '--yes')).status).toBe(1);
    rmdirSync(join(folder, 'elsewhere-sandbox.db'));
    expect((await run('clinics', 'delete', id, '--yes')).status).toBe(0);
    expect(existsSync(to)).toBe(false);
    expect((await run('clinics', 'show', id)).status).toBe(1);
  });
});

describe('janji clinics operator', () => {
  it('adds, lists, resets and removes an account, and shows the secret of the app once', async () => {
    const { run, ask, with: given } = begin();
    const weak = await given(
      { JANJI_OPERATOR_PASSWORD: 'kopi-susu' },
      'clinics',
      'operator',
      'add',
      'a@b.example',
    );
    expect([weak.status, weak.errors]).toEqual([1, expect.stringContaining('too short')]);
    const password = { JANJI_OPERATOR_PASSWORD: 'jembatan-merah-9x' };
    const added = await given(password, 'clinics', 'operator', 'add', 'Ani@Vendor.example', '--json');
    const { email, otpauth, secret } = JSON.parse(added.out);
    expect(email).toBe('ani@vendor.example');
    expect(otpauth).toMatch(/^otpauth:\/\/totp\/Janji:ani/);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect((await given(password, 'clinics', 'operator', 'add', 'ani@vendor.example')).errors).toContain(
      'is an operator already',
    );
    const reset = await given(password, 'clinics', 'operator', 'reset', 'ani@vendor.example', '--json');
    expect(JSON.parse(reset.out).secret).not.toBe(secret);
    const { out } = await run('clinics', 'operator', 'list', '--json');
    expect(JSON.parse(out)).toMatchObject({ operators: [{ email: 'ani@vendor.example' }], acts: [] });
    expect(out).not.toContain(secret);
    await run('clinics', 'operator', 'remove', 'ani@vendor.example');
    expect((await ask('clinics', 'operator', 'list')).operators).toEqual([]);
    expect((await run('clinics', 'operator', 'remove', 'ani@vendor.example')).status).toBe(1);
  });
});

describe('other commands', () => {
  it('rekey seals the settings of a clinic anew, too: no key before is needed any more', async () => {
    const { ask, with: given } = begin();
    const { id } = await ask('clinics', 'add', 'Melati', '--host', 'melati.example');
    const before = { NOTICE_API_URL: 'https://wa.example/', NOTICE_API_KEY: 'rahasia-sekali' };
    await ask('clinics', 'set', id, ...Object.entries(before).map((one) => one.join('=')));
    const next = { DATA_KEY: Buffer.alloc(32, 7).toString('base64') };
    const reads = async () => (await given(next, 'check', '--clinic', id)).errors;
    expect(await reads()).toContain('sealed by another DATA_KEY');
    const both = { ...next, DATA_KEY_PREVIOUS: key };
    expect((await given(both, 'rekey', '--clinic', id)).status).toBe(0);
    expect(await reads()).not.toContain('sealed by another');
    // What seals them at a deployment elsewhere, where no command reaches the file.
    expect(
      (await given({ ...both, DATA_KEY: key, DATA_KEY_PREVIOUS: next.DATA_KEY }, 'clinics', 'set', id))
        .status,
    ).toBe(0);
    expect(await reads()).toContain('sealed by another DATA_KEY');
  });

  it('work at one clinic, or at each in turn, with a file each', async () => {
    const { folder, run, ask } = begin();
    const first = await ask('clinics', 'add', 'Satu', '--host', 'satu.example');
    const second = await ask(
      'clinics',
      'add',
      'Dua',
      '--host',
      'dua.example',
      '--time-zone',
      'Asia/Makassar',
    );
    const checked = await run('check', '--all', '--json');
    const answers = checked.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.map(({ clinic }) => clinic).sort()).toEqual([first.id, second.id].sort());
    for (const { clinic, findings } of answers)
      expect(findings).toContainEqual(
        expect.objectContaining({
          what: 'admin',
          cure: `janji setup-link --clinic ${clinic}, or create-admin --clinic ${clinic}`,
        }),
      );
    const backedUp = await run('backup', '--all', join(folder, '{clinic}.copy'));
    expect(backedUp.status).toBe(0);
    for (const { id } of [first, second]) expect(existsSync(join(folder, `${id}.copy`))).toBe(true);
    // The files are there: none is made, and a script learns of which clinic.
    const again = await run('backup', '--all', '--json', join(folder, '{clinic}.copy'));
    const failed = again.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([again.status, failed.map(({ clinic }) => clinic).sort()]).toEqual([
      1,
      [first.id, second.id].sort(),
    ]);
    for (const { error } of failed) expect(error).toContain('exists already');
    const link = await ask('setup-link', '--clinic', 'dua.example');
    // As `clinics add` gives it, on this machine.
    expect(link.link).toMatch(/^http:\/\/dua\.example:8787\/mulai\/#/);
    expect((await run('restore', '--clinic', 'dua.example', join(folder, 'x.copy'))).errors).toContain(
      'is open',
    );
  });
});
