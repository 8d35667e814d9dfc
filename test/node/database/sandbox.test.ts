import { existsSync, linkSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type FileThreads,
  startFileThreads,
  type ThreadedClient,
} from '../../../src/core/db/embedded/file-threads.ts';
import { SettingError } from '../../../src/core/settings/parse-settings.ts';
import { openInTurn } from '../../../src/modules/sandbox/on-demand.ts';
import { findClinicSandbox } from '../../../src/runtime/node/clinics/clinic-sandbox.ts';
import { connectArchive, findArchiveFile } from '../../../src/runtime/node/database/archive.ts';
import { isEncrypted } from '../../../src/runtime/node/database/file-key.ts';
import { isSameDatabase } from '../../../src/runtime/node/database/same-database.ts';
import { connectSandbox } from '../../../src/runtime/node/database/sandbox.ts';
import { openSandbox } from '../../../src/service.ts';
import { commandLine, newFolder } from '../../support/node/command-line.ts';
import { freePort } from '../../support/node/free-port.ts';
import { letGoOfClosed } from '../../support/node/let-go.ts';
import { createWorld, secret, secretsOf } from '../../support/world.ts';

const key = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

const connect = async (settings: Parameters<typeof connectSandbox>[0]) => {
  const { deps } = await createWorld();
  const logged: unknown[] = [];
  const connected = await connectSandbox(settings, {
    open: (database) => openSandbox(database, 'klinik', { ...deps, ...secretsOf(secret) }),
    log: { error: (message) => void logged.push(message) },
    clock: Date.now,
  });
  if (connected === null) throw new Error('There is no sandbox.');
  onTestFinished(connected.close);
  return { ...connected, logged };
};

const letGo = async ({ close }: { close: () => Promise<void> }): Promise<void> => {
  await close();
  await letGoOfClosed();
};

describe('the sandbox of a clinic of many', () => {
  it('that is closed while it is being opened is closed once it is open, and nobody opens it again', async () => {
    const { deps } = await createWorld();
    const threads = startFileThreads(1);
    onTestFinished(threads.close);
    const clients: ThreadedClient[] = [];
    const open: FileThreads['open'] = async (...given) => {
      const client = await threads.open(...given);
      clients.push(client);
      return client;
    };
    const folder = newFolder();
    const begun = Promise.withResolvers<void>();
    const make = (name: string) =>
      findClinicSandbox(
        { ...threads, open },
        {
          place: { path: join(folder, name), cacheKib: 256, checkpointPages: 250 },
          open: (database) => {
            begun.resolve();
            return openSandbox(database, 'klinik', { ...deps, ...secretsOf(secret) });
          },
          log: { error: () => {} },
          clock: Date.now,
        },
      );
    const { beside, close } = make('melati.db');
    const asked = beside.open('make');
    await begun.promise;
    await close();
    await asked;
    expect(clients.map(({ closed }) => closed)).toEqual([true]);
    const late = make('mawar.db');
    await late.close();
    await expect(late.beside.open('make')).rejects.toThrow();
    expect(existsSync(join(folder, 'mawar-sandbox.db'))).toBe(false);
  });
});

describe('the sandbox of a service on Node', () => {
  it('that does not answer at the start does not keep the clinic from serving', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const { beside, logged } = await connect({ DATABASE_URL: 'file:a.db', SANDBOX_DATABASE_URL: url });
    expect(logged).toEqual(['the sandbox cannot be opened']);
    await expect(beside.open()).rejects.toThrow();
  });

  it('that is damaged, or in a folder that is not there yet, does not either', async () => {
    const folder = newFolder();
    const [damaged, loop] = [join(folder, 'damaged.db'), join(folder, 'loop.db')];
    writeFileSync(damaged, 'no database at all, and long enough to be read'.repeat(100));
    symlinkSync(loop, loop);
    for (const path of [damaged, '/dev/null/a/sandbox.db', loop])
      for (const more of [{}, { DATABASE_KEY: key }]) {
        const settings = { DATABASE_URL: 'file:a.db', SANDBOX_DATABASE_URL: `file:${path}`, ...more };
        const { beside, logged } = await connect(settings);
        expect([path, logged]).toEqual([path, ['the sandbox cannot be opened']]);
        await expect(beside.open()).rejects.toThrow();
      }
  });

  it('is opened once by those who ask for it at the same time, and by nobody once it is closed', async () => {
    const url = `file:${join(newFolder(), 'sandbox.db')}`;
    const { beside, close } = await connect({ DATABASE_URL: 'file:a.db', SANDBOX_DATABASE_URL: url });
    const [one, two] = await Promise.all([beside.open(), beside.open()]);
    expect(one).toBe(two);
    await close();
    await expect(beside.open()).rejects.toThrow('was closed');
  });

  it('that cannot be opened is tried once for all who ask at the same time', async () => {
    let tries = 0;
    const find = async () => {
      tries += 1;
      throw new Error('away');
    };
    const { beside } = openInTurn({
      find,
      open: () => Promise.reject(new Error('nothing was found')),
      log: { error: () => {} },
      clock: () => 1_000,
    });
    const asked = await Promise.allSettled([beside.open(), beside.open('make'), beside.open()]);
    expect([tries, ...asked.map(({ status }) => status)]).toEqual([1, 'rejected', 'rejected', 'rejected']);
  });

  it('is refused at the start where the setting names the clinic itself', async () => {
    const folder = newFolder();
    const path = join(folder, 'a.db');
    const [link, elsewhere] = [join(folder, 'b.db'), join(newFolder(), 'link')];
    symlinkSync(folder, elsewhere);
    const cases = [
      ['file:a.db', 'file:a.db', 'clinic'],
      ['file:./a.db', 'file:x/../a.db', 'clinic'],
      [`file:${path}`, `file://${path}`, 'clinic'],
      // Neither is made yet, and then both are there.
      [`file:${path}`, `file:${join(elsewhere, 'a.db')}`, 'clinic'],
      [`file:${path}`, `file:${link}`, 'clinic'],
      ['libsql://Klinik.example', 'https://klinik.example:443/', 'clinic'],
      ['http://127.0.0.1:8080', 'ws://127.0.0.1:8080/', 'clinic'],
      ['http://localhost:8080', 'ws://127.0.0.1:8080', 'clinic'],
      ['http://localhost:8080', 'http://[::1]:8080', 'clinic'],
      [`file:${path}`, `file:${join(elsewhere, 'a-archive.db')}`, 'archive'],
    ] as const;
    for (const [own, url, owner] of cases) {
      if (url.includes(link)) {
        writeFileSync(path, '');
        linkSync(path, link);
      }
      const refused = connect({ DATABASE_URL: own, SANDBOX_DATABASE_URL: url });
      await expect(refused, url).rejects.toThrow(
        new SettingError(`SANDBOX_DATABASE_URL is that of the ${owner}: the sandbox needs another one.`),
      );
      if (owner === 'archive') continue;
      const archive = connectArchive({ DATABASE_URL: own, ARCHIVE_DATABASE_URL: url });
      await expect(archive, url).rejects.toThrow('ARCHIVE_DATABASE_URL is that of the clinic');
    }
  });

  it('may be another database of the same server, or of the same folder', () => {
    for (const [one, other] of [
      ['file:a.db', 'file:A.db'],
      ['file:a.db', 'libsql://a.db'],
      ['http://127.0.0.1:8080', 'http://127.0.0.1:8081'],
      ['http://127.0.0.1:8080', 'http://localhost:8081'],
      ['http://klinik.example', 'https://klinik.example'],
      ['https://klinik.example/a', 'https://klinik.example/b'],
      ['libsql://klinik.example', 'libsql://uji.klinik.example'],
    ] as const)
      expect([one, other, isSameDatabase(one, other)]).toEqual([one, other, false]);
  });

  it('is encrypted and decrypted with its clinic', async () => {
    const folder = newFolder();
    const [own, path] = [join(folder, 'janji.db'), join(folder, 'sandbox.db')];
    const settings = { DATABASE_URL: `file:${own}`, SANDBOX_DATABASE_URL: `file:${path}` };
    const { SANDBOX_DATABASE_URL } = settings;
    const janji = (command: string) =>
      commandLine(folder).with({ DATABASE_KEY: key, SANDBOX_DATABASE_URL }, command);
    expect((await commandLine(folder).alone('migrate')).status).toBe(0);
    await letGo(await connect(settings));
    await expect(connect({ ...settings, DATABASE_KEY: key })).rejects.toThrow('janji encrypt');
    expect((await janji('encrypt')).status).toBe(0);
    expect([isEncrypted(own), isEncrypted(path)]).toEqual([true, true]);
    const opened = await connect({ ...settings, DATABASE_KEY: key });
    expect(await opened.beside.open()).not.toBeNull();
    await letGo(opened);
    expect((await janji('decrypt')).status).toBe(0);
    expect([isEncrypted(own), isEncrypted(path)]).toEqual([false, false]);
  });

  it('gets the key of its clinic with the next change, also where it was left plain', async () => {
    const folder = newFolder();
    const [own, path] = [join(folder, 'janji.db'), join(folder, 'janji-sandbox.db')];
    const other = Buffer.alloc(32, 'another key').toString('base64');
    const janji = commandLine(folder);
    expect((await janji.with({ DATABASE_KEY: key }, 'migrate')).status).toBe(0);
    await letGo(await connect({ DATABASE_URL: `file:${own}`, SANDBOX: 'on' }));
    expect([isEncrypted(own), isEncrypted(path)]).toEqual([true, false]);
    const keys = { DATABASE_KEY: other, DATABASE_KEY_PREVIOUS: key };
    expect(await janji.with(keys, 'encrypt')).toMatchObject({
      status: 0,
      out: expect.stringContaining(`${own} is encrypted with the new DATABASE_KEY`),
    });
    expect((await janji.with({ DATABASE_KEY: other }, 'decrypt')).status).toBe(0);
    expect([isEncrypted(own), isEncrypted(path)]).toEqual([false, false]);
  });

  it('is never a file that the settings name as another one of the clinic: that stays where it is', async () => {
    const contents = `SQLite format 3\0${'no database at all, and long enough to be read'.repeat(100)}`;
    for (const [place, name] of [
      ['janji.db', 'link.db'],
      ['janji-archive.db', 'janji-archive.db'],
    ] as const) {
      const folder = newFolder();
      const [own, path, taken] = ['janji.db', place, name].map((one) => join(folder, one)) as [
        string,
        string,
        string,
      ];
      for (const file of [own, path]) writeFileSync(file, contents);
      if (taken !== path) symlinkSync(path, taken);
      const before = readdirSync(folder);
      const settings = { DATABASE_KEY: key, SANDBOX_DATABASE_URL: `file:${taken}` };
      const { status } = await commandLine(folder).with(settings, 'encrypt');
      expect([name, status, readdirSync(folder)]).toEqual([name, 1, before]);
      for (const file of [own, path]) expect(readFileSync(file, 'utf8')).toBe(contents);
      const archived = { DATABASE_URL: `file:${own}`, ARCHIVE_DATABASE_URL: `file:${taken}` };
      if (path === own) expect(() => findArchiveFile(archived)).toThrow('that of the clinic');
    }
  });

  it('that is damaged or half made holds up neither of these: it is set aside, and begins anew', async () => {
    const folder = newFolder();
    const [own, path] = [join(folder, 'janji.db'), join(folder, 'janji-sandbox.db')];
    const other = Buffer.alloc(32, 'another key').toString('base64');
    const janji = (more: Record<string, string>, command: string) =>
      commandLine(folder).with({ DATABASE_KEY: key, ...more }, command);
    expect((await commandLine(folder).alone('migrate')).status).toBe(0);
    const damage = 'no database at all, and long enough to be read'.repeat(100);
    const plainDamage = `SQLite format 3\0${damage}`;
    let kept = 0;
    for (const [command, more, content] of [
      ['encrypt', {}, plainDamage],
      ['encrypt', { DATABASE_KEY: other, DATABASE_KEY_PREVIOUS: key }, damage],
      ['decrypt', { DATABASE_KEY: other }, damage],
    ] as const) {
      writeFileSync(path, content);
      // As a kill leaves it.
      writeFileSync(`${path}-shm`, '');
      const { status, errors } = await janji(more, command);
      kept += 1;
      expect([command, status, errors]).toEqual([
        command,
        0,
        expect.stringMatching(/sandbox .* cannot be read, and is kept as .*begins anew/),
      ]);
      expect([existsSync(path), isEncrypted(own)]).toEqual([false, command === 'encrypt']);
      expect(readdirSync(folder).filter((name) => /sandbox\.db\.before-[^.]*Z$/.test(name))).toHaveLength(
        kept,
      );
    }
    for (const command of ['encrypt', 'decrypt']) {
      writeFileSync(path, '');
      expect(await janji({}, command)).toMatchObject({ status: 0 });
    }
    const opened = await connect({ DATABASE_URL: `file:${own}`, SANDBOX: 'on' });
    expect(await opened.beside.open()).not.toBeNull();
    await letGo(opened);
  });
});
