import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { takeOwnerLock } from '../../../src/core/db/embedded/owner-lock.ts';
import {
  directoryNow,
  enterMachine,
  findOwner,
  leaveMachine,
  takeClinic,
} from '../../../src/modules/clinics/lease-queries.ts';
import { setState } from '../../../src/modules/clinics/queries.ts';
import { leases, machines } from '../../../src/modules/clinics/tables.ts';
import { openDirectory } from '../../../src/runtime/node/clinics/directory-file.ts';
import { commandLine, newFolder } from '../../support/node/command-line.ts';
import { freePort } from '../../support/node/free-port.ts';

const begin = async () => {
  const folder = newFolder();
  const url = `file:${join(folder, 'shared.db')}`;
  const settings = {
    CLINICS: 'files',
    CLINICS_FOLDER: 'clinics',
    CLINICS_DIRECTORY: url,
    CLINICS_ADDRESS: 'http://10.0.0.1:8787',
    JWT_SECRET: 'q7Zt0vE9mW2xLr8KpA5dHs3Yc6BnJf1U',
    DATA_KEY: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  };
  const janji = commandLine(folder);
  const run = (...args: string[]) => janji.with(settings, ...args);
  const ask = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out);
  const melati = await ask('clinics', 'add', 'Melati', '--host', 'melati.example');
  const mawar = await ask('clinics', 'add', 'Mawar', '--host', 'mawar.example');
  /** A machine of a computer that has a clinic. */
  const enter = async (address: string, computer: string, clinicId: string): Promise<void> => {
    const { db, close } = await openDirectory(folder, { shared: { url } });
    await enterMachine(db, { id: address, address, computer }, 600_000, directoryNow);
    await takeClinic(db, { clinicId, machineId: address }, directoryNow);
    await close();
  };
  return { folder, url, run, ask, melati, mawar, enter };
};

describe('janji beside several machines', () => {
  it('says which machine has each clinic', async () => {
    const { run, ask, melati, enter } = await begin();
    await enter('http://10.0.0.2:8787', 'dua', melati.id);
    const { clinics } = await ask('clinics', 'list');
    expect(clinics.map(({ name, owner }: Record<string, unknown>) => [name, owner])).toEqual([
      ['Mawar', null],
      ['Melati', 'http://10.0.0.2:8787'],
    ]);
    expect((await ask('clinics', 'show', 'melati.example')).owner).toBe('http://10.0.0.2:8787');
    expect((await run('clinics', 'list')).out).toContain('Melati  at http://10.0.0.2:8787');
  });

  it('works at no clinic that another computer serves, and beside the service of its own', async () => {
    const { folder, run, melati, mawar, enter } = await begin();
    await enter('http://10.0.0.2:8787', 'another computer', melati.id);
    await enter('http://10.0.0.1:8787', hostname(), mawar.id);
    for (const args of [
      ['backup', join(folder, 'copy.db'), '--clinic', 'melati.example'],
      ['clinics', 'export', 'melati.example', join(folder, 'copy.db')],
    ]) {
      const { status, errors } = await run(...args);
      expect([status, errors]).toEqual([1, expect.stringContaining('Melati is at http://10.0.0.2:8787')]);
    }
    expect((await run('backup', join(folder, 'copy.db'), '--clinic', 'mawar.example')).status).toBe(0);
    const all = await run('backup', join(folder, '{clinic}.db'), '--all');
    expect([all.status, all.errors]).toEqual([1, expect.stringContaining('Melati is at')]);
  });

  it('takes the lease and the lock of a clinic, and gives them back; what another machine has it does not touch', async () => {
    const { folder, url, run, ask, melati } = await begin();
    const file = join(folder, 'clinics', `${melati.id}.db`);
    const hashNow = () => createHash('sha256').update(readFileSync(file)).digest('hex');
    const { db, close } = await openDirectory(folder, { shared: { url } });
    onTestFinished(close);
    await setState(db, melati.id, 'closed', Date.now() - 600_000);
    const copy = join(folder, 'copy.db');
    expect((await run('clinics', 'export', 'melati.example', copy)).status).toBe(0);
    const changing = [
      ['rezone', '--to', 'Asia/Makassar', '--apply', '--clinic', 'melati.example'],
      ['restore', copy, '--force', '--clinic', 'melati.example'],
      ['clinics', 'delete', 'melati.example', '--yes'],
    ];
    const before = hashNow();
    const refused = async (why: string): Promise<void> => {
      for (const args of changing) {
        const { status, errors } = await run(...args);
        expect([args[0], status, errors]).toEqual([args[0], 1, expect.stringContaining(why)]);
      }
      expect(hashNow()).toBe(before);
    };
    // Its lease is over, but the process is only paused, and still has the file open.
    const paused = takeOwnerLock(file, 7);
    await refused('is in use by another process');
    paused.release();
    const owner = 'http://10.0.0.2:8787';
    await enterMachine(
      db,
      { id: owner, address: owner, computer: 'another computer' },
      600_000,
      directoryNow,
    );
    await takeClinic(db, { clinicId: melati.id, machineId: owner }, directoryNow);
    await refused(`Melati is at ${owner}`);
    await leaveMachine(db, owner);
    await db.update(leases).set({ epoch: 7 });
    const done = await run('rezone', '--to', 'Asia/Makassar', '--apply', '--clinic', 'melati.example');
    expect(done.status, done.errors).toBe(0);
    expect(await findOwner(db, melati.id, directoryNow)).toBeNull();
    expect((await ask('clinics', 'show', 'melati.example')).owner).toBeNull();
    expect((await db.select().from(leases)).map(({ machineId }) => machineId)).toEqual([null]);
    expect(await db.select().from(machines)).toEqual([]);
    // It gave the lock back too.
    takeOwnerLock(file, 1_000).release();
  });

  it('checks that the directory answers and that the machines reach each other', async () => {
    const { run, melati, mawar, enter } = await begin();
    const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const well = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const gone = `http://127.0.0.1:${await freePort()}`;
    const none = await run('check', '--json');
    expect(JSON.parse(none.out).findings).toContainEqual(
      expect.objectContaining({ what: 'machines', verdict: 'note', says: 'none serves now' }),
    );
    await enter(well, 'satu', melati.id);
    await enter(gone, 'dua', mawar.id);
    const { findings } = JSON.parse((await run('check', '--json')).out);
    const found = findings.filter(({ what }: { what: string }) => ['machines', 'directory'].includes(what));
    expect(found).toMatchObject([
      { what: 'directory', verdict: 'ok' },
      { verdict: 'ok', says: `${well} (satu) answers` },
      { verdict: 'wrong', says: `${gone} (dua) serves clinics and cannot be reached from here` },
    ]);
  });
});
