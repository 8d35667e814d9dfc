import { chownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine, newFolder } from '../../support/node/command-line.ts';

/** The user of a service, such as systemd's DynamicUser. */
const service = 64_461;
const key = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

const ownersIn = (folder: string): (readonly [name: string, uid: number])[] =>
  readdirSync(folder)
    .filter((name) => !/-(wal|shm)$/.test(name))
    .map((name) => [name.replace(/\.before-.*/, '.before'), statSync(join(folder, name)).uid] as const);

describe.runIf(process.getuid?.() === 0)('what root makes', () => {
  it("in the folder of the service's user is that user's, so that the service can write it", async () => {
    const folder = join(newFolder(), 'janji');
    mkdirSync(folder);
    chownSync(folder, service, service);
    const janji = (...args: string[]) => commandLine(folder).with({ DATA_KEY: key }, ...args);
    const encrypted = (...args: string[]) =>
      commandLine(folder).with({ DATA_KEY: key, DATABASE_KEY: key }, ...args);
    expect((await janji('demo')).status).toBe(0);
    expect((await janji('backup', 'b.db')).status).toBe(0);
    expect((await janji('restore', 'b.db', '--force')).status).toBe(0);
    expect((await encrypted('encrypt')).status).toBe(0);
    expect(ownersIn(folder)).toEqual([
      ['b.db', service],
      ['b.db.sha256', service],
      ['janji.db', service],
      ['janji.db.before', service],
    ]);
  });

  it('elsewhere is its own', async () => {
    const folder = newFolder();
    expect((await commandLine(folder)('migrate')).status).toBe(0);
    expect(ownersIn(folder)).toEqual([['janji.db', 0]]);
  });
});
