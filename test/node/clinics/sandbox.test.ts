import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { changeClinic } from '../../../src/modules/clinics/queries.ts';
import { pathBeside } from '../../../src/runtime/node/database/database-file.ts';
import { openMachines } from '../../support/node/machines.ts';
import { openManyClinics } from '../../support/node/many-clinics.ts';
import { rowsOf } from '../../support/node/rows.ts';

const hour = 3_600_000;
const scopes = ['catalog:read', 'catalog:write', 'patients:read', 'patients:write'];
const admin = 'admin@klinik.example';
const person = { name: 'Uji Coba', birth_date: '1990-01-01' };

const withSandbox = async (ids: readonly string[], on: readonly string[]) => {
  const opened = await openManyClinics(ids);
  const { ask, login, path, many } = opened;
  const set = (id: string, settings: Record<string, string>) =>
    changeClinic(many().directory, id, { settings });
  for (const id of on) await set(id, { SANDBOX: 'on' });
  const makeKey = async (id: string): Promise<string> => {
    const token = await login(id, admin);
    const made = await ask(id, '/v1/sandbox/keys', { token, body: { name: 'Uji', scopes } });
    expect(made.status).toBe(201);
    return made.body.data.key;
  };
  const sandbox = (id: string) => pathBeside(path(id), 'sandbox');
  return { ...opened, set, makeKey, sandbox };
};

describe('the sandboxes of many clinics', () => {
  it('are those of the clinics that set one, made with the first test key, each beside its own file', async () => {
    const { ask, makeKey, sandbox, path, login } = await withSandbox(['melati', 'mawar'], ['melati']);
    const made = `janji_test_${'A'.repeat(43)}`;
    expect((await ask('melati', '/v1/admin/doctors', { token: made })).status).toBe(401);
    const shown = await ask('melati', '/v1/sandbox', { token: await login('melati', admin) });
    expect([shown.status, shown.body.data.keys]).toEqual([200, []]);
    expect(existsSync(sandbox('melati'))).toBe(false);
    const refused = await ask('mawar', '/v1/sandbox/keys', {
      token: await login('mawar', admin),
      body: { name: 'Uji', scopes },
    });
    expect(refused.status).toBe(404);
    const key = await makeKey('melati');
    const patients = () => rowsOf(path('melati'), 'select id from patients');
    const before = patients();
    const added = await ask('melati', '/v1/patients', { token: key, body: person });
    expect(added.status).toBe(201);
    expect(patients()).toEqual(before);
    expect((await ask('mawar', '/v1/admin/doctors', { token: key })).status).toBe(401);
    expect(existsSync(sandbox('mawar'))).toBe(false);
  });

  it('keep keys, data and time when their clinic is opened again, and are closed with it', async () => {
    const { ask, makeKey, restart, time } = await withSandbox(['melati'], ['melati']);
    const key = await makeKey('melati');
    await ask('melati', '/v1/patients', { token: key, body: person });
    const now = new Date(time.now + 50 * hour).toISOString();
    expect((await ask('melati', '/v1/sandbox/clock', { token: key, body: { now } })).status).toBe(200);
    await restart();
    const found = await ask('melati', '/v1/patients?q=uji+coba', { token: key });
    expect(found.body.data).toHaveLength(1);
    expect((await ask('melati', '/v1/sandbox/clock', { token: key })).body.data).toEqual({ now });
  });

  it('are out of reach once the setting is off', async () => {
    const { ask, makeKey, set, restart } = await withSandbox(['melati'], ['melati']);
    const key = await makeKey('melati');
    await set('melati', {});
    await restart();
    expect((await ask('melati', '/v1/admin/doctors', { token: key })).status).toBe(401);
  });

  it('fail alone: where one is damaged, its keys are 503 and the clinic books', async () => {
    const { ask, makeKey, restart, sandbox, login, book, time } = await withSandbox(['melati'], ['melati']);
    const key = await makeKey('melati');
    let whole = Buffer.alloc(0);
    await restart(() => {
      whole = readFileSync(sandbox('melati'));
      writeFileSync(sandbox('melati'), 'no database at all, and long enough to be read'.repeat(100));
    });
    expect((await ask('melati', '/v1/admin/doctors', { token: key })).status).toBe(503);
    expect((await book('melati', await login('melati'))).status).toBe(201);
    writeFileSync(sandbox('melati'), whole);
    time.now += 1_000;
    expect((await ask('melati', '/v1/admin/doctors', { token: key })).status).toBe(200);
  });

  it('that cannot be closed keep neither their clinic’s file nor its lease from the next owner', async () => {
    const { start } = await openMachines(['melati']);
    const settings = { SANDBOX: 'on' };
    const [zero, one] = [await start(settings), await start(settings)];
    const { threads } = zero.many;
    const { open } = threads;
    threads.open = async (place, ...more) => {
      const client = await open(place, ...more);
      if (!place.path.endsWith('-sandbox.db')) return client;
      const end = async () => {
        await client.end();
        throw new Error('its disk is away');
      };
      return Object.assign(Object.create(client), { end });
    };
    const token = await zero.login('melati', admin);
    const body = { name: 'Uji', scopes };
    expect((await zero.ask('melati', '/v1/sandbox/keys', { token, body })).status).toBe(201);
    zero.many.clinics.leave('melati');
    await vi.waitFor(() => expect(zero.machines.stats().owned).toBe(0));
    expect((await one.ask('melati', '/v1/doctors')).status).toBe(200);
    expect(one.machines.stats().owned).toBe(1);
    expect(zero.told).toContainEqual({
      message: 'clinic cannot be closed properly',
      fields: expect.objectContaining({ clinic: 'melati', cause: 'its disk is away' }),
    });
  });

  it('are the owner’s where several machines serve the clinics, and the next owner’s after it', async () => {
    const { start } = await openMachines(['melati']);
    const zero = await start({ SANDBOX: 'on' });
    const made = await zero.ask('melati', '/v1/sandbox/keys', {
      token: await zero.login('melati', admin),
      body: { name: 'Uji', scopes },
    });
    const token = made.body.data.key;
    expect((await zero.ask('melati', '/v1/patients', { token, body: person })).status).toBe(201);
    await zero.end();
    const one = await start({ SANDBOX: 'on' });
    const found = await one.ask('melati', '/v1/patients?q=uji+coba', { token });
    expect([found.status, found.body.data.length]).toEqual([200, 1]);
  });
});
