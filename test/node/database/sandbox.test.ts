import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SettingError } from '../../../src/core/settings/parse-settings.ts';
import { isEncrypted } from '../../../src/runtime/node/database/file-key.ts';
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
    open: (database) => openSandbox(database, { ...deps, ...secretsOf(secret) }),
    log: { error: (message) => void logged.push(message) },
  });
  if (connected === null) throw new Error('There is no sandbox.');
  onTestFinished(connected.close);
  return { ...connected, logged };
};

const letGo = async ({ close }: { close: () => Promise<void> }): Promise<void> => {
  await close();
  await letGoOfClosed();
};

describe('the sandbox of a service on Node', () => {
  it('that does not answer at the start does not keep the clinic from serving', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const { beside, logged } = await connect({ DATABASE_URL: 'file:a.db', SANDBOX_DATABASE_URL: url });
    expect(logged).toEqual(['the sandbox cannot be opened']);
    await expect(beside.open()).rejects.toThrow();
  });

  it('is opened once by those who ask for it at the same time', async () => {
    const url = `file:${join(newFolder(), 'sandbox.db')}`;
    const { beside } = await connect({ DATABASE_URL: 'file:a.db', SANDBOX_DATABASE_URL: url });
    const [one, two] = await Promise.all([beside.open(), beside.open()]);
    expect(one).toBe(two);
  });

  it('is refused at the start where the setting names the clinic itself', async () => {
    const url = 'file:a.db';
    await expect(connect({ DATABASE_URL: url, SANDBOX_DATABASE_URL: url })).rejects.toThrow(SettingError);
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
});
