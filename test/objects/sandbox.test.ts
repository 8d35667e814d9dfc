import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { OpenSandbox } from '../../src/core/deps.ts';
import { mountDeployment } from '../../src/deployment.ts';
import { changeClinic } from '../../src/modules/clinics/queries.ts';
import { demoPeople } from '../../src/modules/demo/demo.ts';
import type { ClinicCalls, ObjectBindings, SandboxCalls } from '../../src/runtime/worker/objects/calls.ts';
import { sandboxOf } from '../../src/runtime/worker/objects/clinic-of.ts';
import { findClinicSandbox } from '../../src/runtime/worker/objects/clinic-sandbox.ts';
import { createObjectsFront, openDirectory } from '../../src/runtime/worker/objects/front.ts';
import { askOperator, bindings, createClinics } from '../support/objects/clinics.ts';

const hour = 3_600_000;
const scopes = ['catalog:read', 'catalog:write', 'patients:read', 'patients:write'];
const admin = 'admin@klinik.example';
const person = { name: 'Uji Coba', birth_date: '1990-01-01' };

const tablesIn = (object: object): Promise<unknown[]> =>
  runInDurableObject(object, (_, { storage: { sql } }) =>
    sql.exec("select name from sqlite_master where name not glob '_cf_*'").toArray(),
  );

const withSandbox = async (names: readonly string[], on: readonly string[]) => {
  const made = await createClinics(names);
  const { ask, idOf, login, objectOf } = made;
  const set = (name: string, value: string | null) =>
    askOperator(`/${idOf(name)}`, { method: 'PATCH', body: { settings: { SANDBOX: value } } });
  for (const name of on) expect((await set(name, 'on')).status).toBe(200);
  const makeKey = async (name: string): Promise<string> => {
    const token = await login(name, admin);
    const { status, body } = await ask(name, '/v1/sandbox/keys', { token, body: { name: 'Uji', scopes } });
    expect(status).toBe(201);
    return body.data.key;
  };
  const sandbox = async (name: string) =>
    sandboxOf(bindings, (await objectOf(name)).clinic) as SandboxCalls & object;
  const restart = async (name: string) => evictDurableObject((await objectOf(name)).object);
  return { ...made, set, makeKey, sandbox, restart };
};

describe('the sandboxes of clinics in objects', () => {
  it('are those of the clinics that set one, made with the first test key, each in an object beside its own', async () => {
    const { ask, login, makeKey, sandbox, objectOf } = await withSandbox(['melati', 'mawar'], ['melati']);
    const token = await login('melati', admin);
    const unknown = `janji_test_${'A'.repeat(40)}`;
    // Pages too, which the front answers otherwise.
    for (const name of ['melati', 'mawar'])
      for (const path of ['/v1/doctors', '/v1/admin/doctors', '/pasien/'])
        expect([name, path, (await ask(name, path, { token: unknown })).status]).toEqual([name, path, 401]);
    const shown = await ask('melati', '/v1/sandbox', { token });
    expect([shown.status, shown.body.data.keys]).toEqual([200, []]);
    expect(await tablesIn(await sandbox('melati'))).toEqual([]);
    const refused = await ask('mawar', '/v1/sandbox/keys', {
      token: await login('mawar', admin),
      body: { name: 'Uji', scopes },
    });
    expect(refused.status).toBe(404);
    const key = await makeKey('melati');
    const { object } = await objectOf('melati');
    const patients = () =>
      runInDurableObject(object, (_, { storage: { sql } }) => sql.exec('select id from patients').toArray());
    const before = await patients();
    const added = await ask('melati', '/v1/patients', { token: key, body: person });
    expect([added.status, added.headers.get('X-Sandbox')]).toEqual([201, 'true']);
    expect(await patients()).toEqual(before);
    const page = await ask('melati', '/v1/doctors', { token: key });
    expect([page.status, page.headers.get('Cache-Control')]).toEqual([200, 'private, no-cache']);
    expect((await ask('mawar', '/v1/admin/doctors', { token: key })).status).toBe(401);
    expect((await ask('melati', `/v1/patients/${added.body.data.id}`, { token })).status).toBe(404);
    expect((await ask('melati', `/v1/patients/${demoPeople.patient}`, { token })).status).toBe(200);
    expect(await tablesIn(await sandbox('mawar'))).toEqual([]);
  });

  it('keep keys, data and time when their clinic’s object has ended, and are out of reach once the setting is off', async () => {
    const { ask, makeKey, restart, set } = await withSandbox(['melati'], ['melati']);
    const token = await makeKey('melati');
    await ask('melati', '/v1/patients', { token, body: person });
    const now = new Date(Date.now() + 50 * hour).toISOString();
    expect((await ask('melati', '/v1/sandbox/clock', { token, body: { now } })).status).toBe(200);
    await restart('melati');
    const found = await ask('melati', '/v1/patients?q=uji+coba', { token });
    expect(found.body.data).toHaveLength(1);
    const clock = await ask('melati', '/v1/sandbox/clock', { token });
    expect(clock.body.data.now >= now).toBe(true);
    await set('melati', null);
    expect((await ask('melati', '/v1/admin/doctors', { token })).status).toBe(401);
    await set('melati', 'on');
    expect((await ask('melati', '/v1/patients?q=uji+coba', { token })).body.data).toHaveLength(1);
    expect((await ask('melati', '/v1/sandbox/reset', { token, method: 'POST' })).status).toBe(200);
    expect((await ask('melati', '/v1/patients?q=uji+coba', { token })).body.data).toEqual([]);
  });

  it('answer nobody but test keys where the front keeps public answers', async () => {
    const { ask, makeKey, idOf } = await withSandbox(['melati'], ['melati']);
    const settings = { PUBLIC_CACHE: 'on' };
    await askOperator(`/${idOf('melati')}`, { method: 'PATCH', body: { settings } });
    const token = await makeKey('melati');
    const body = { name: 'Dokter Uji', specialty: '', sessions: [] };
    const doctors = async (bearer?: string) => {
      const answer = await ask('melati', '/v1/doctors', { token: bearer });
      const names = answer.body.data.map(({ name }: { name: string }) => name);
      return [answer.headers.get('X-Sandbox'), names.includes(body.name)];
    };
    expect(await doctors()).toEqual([null, false]);
    expect((await ask('melati', '/v1/admin/doctors', { token, body })).status).toBe(201);
    expect(await doctors(token)).toEqual(['true', true]);
    expect(await doctors()).toEqual([null, false]);
  });

  it('fail alone: where one is damaged, its keys are 503 and the clinic books', async () => {
    const { ask, book, login, makeKey, restart, sandbox } = await withSandbox(['melati'], ['melati']);
    const token = await makeKey('melati');
    const object = await sandbox('melati');
    const change = (text: string) =>
      runInDurableObject(object, (_, { storage: { sql } }) => void sql.exec(text).toArray());
    await change('alter table clinic rename to clinic_gone');
    await restart('melati');
    const failed = await ask('melati', '/v1/admin/doctors', { token });
    expect([failed.status, failed.headers.get('X-Sandbox')]).toEqual([503, 'true']);
    expect((await book('melati', await login('melati'))).status).toBe(201);
    await change('alter table clinic_gone rename to clinic');
    await restart('melati');
    expect((await ask('melati', '/v1/admin/doctors', { token })).status).toBe(200);
  });

  it('are closed and deleted with their clinic: another one of the same id has none of it', async () => {
    const { ask, idOf, host, makeKey, sandbox, set } = await withSandbox(['melati'], ['melati']);
    const token = await makeKey('melati');
    const object = await sandbox('melati');
    const copy = await askOperator(`/${idOf('melati')}/export`);
    await ask('melati', '/v1/patients', { token, body: person });
    // No copy of the clinic has anything of it.
    expect((await askOperator(`/${idOf('melati')}/export`)).body).toBe(copy.body);
    expect((await askOperator(`/${idOf('melati')}/close`, { method: 'POST' })).status).toBe(200);
    await changeClinic(openDirectory(bindings), idOf('melati'), { state: 'closed', stateSince: 0 });
    expect((await askOperator(`/${idOf('melati')}`, { method: 'DELETE' })).status).toBe(200);
    expect(await tablesIn(object)).toEqual([]);
    const body = { name: 'melati', hosts: [host('melati')], id: idOf('melati'), demo: true };
    expect((await askOperator('', { body })).status).toBe(201);
    await set('melati', 'on');
    expect((await ask('melati', '/v1/admin/doctors', { token })).status).toBe(401);
    expect((await ask('melati', '/v1/admin/doctors', { token: await makeKey('melati') })).status).toBe(200);
  });

  it('begin anew where their clinic does not remember them, as one that was brought back to an earlier moment', async () => {
    const { ask, makeKey, objectOf, restart } = await withSandbox(['melati'], ['melati']);
    const token = await makeKey('melati');
    const { object } = await objectOf('melati');
    await runInDurableObject(object, (_, { storage }) => storage.delete('sandbox'));
    await restart('melati');
    expect((await ask('melati', '/v1/admin/doctors', { token })).status).toBe(401);
    const next = await makeKey('melati');
    expect((await ask('melati', '/v1/admin/doctors', { token })).status).toBe(401);
    expect((await ask('melati', '/v1/admin/doctors', { token: next })).status).toBe(200);
  });

  it('are made once though the settings of their clinic change meanwhile', async () => {
    const notes = new Map<string, unknown>();
    const storage = {
      get: async <T>(name: string) => notes.get(name) as T | undefined,
      put: async (name: string, value: unknown) => void notes.set(name, value),
    };
    let erased = 0;
    const erase = async () => {
      erased += 1;
    };
    const opened = {} as OpenSandbox;
    /** As each service of the clinic has it: that of before, and that of the new settings. */
    const beside = () =>
      findClinicSandbox({
        storage,
        call: () => ({ erase, runStep: async () => [] }),
        open: async () => opened,
        log: { error: () => {} },
        clock: Date.now,
      });
    const [before, after] = [beside(), beside()];
    expect(await before.open()).toBeNull();
    expect(await Promise.all([before.open('make'), after.open('make')])).toEqual([opened, opened]);
    expect(erased).toBe(1);
  });

  it('take a class of their own: without it the setting is refused, and of a clinic that has one only test keys are', async () => {
    const { ask, makeKey, idOf, objectOf, restart } = await withSandbox(['melati', 'mawar'], ['melati']);
    const { SANDBOXES: _, ...without } = bindings;
    const front = createObjectsFront(without as ObjectBindings, mountDeployment);
    const refused = await front(
      new Request(`https://operator.example/operator/api/clinics/${idOf('mawar')}`, {
        method: 'PATCH',
        headers: {
          Authorization: `Bearer ${bindings.OPERATOR_SECRET}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ settings: { SANDBOX: 'on' } }),
      }),
      {},
    );
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('SANDBOXES')]);
    expect(() =>
      createObjectsFront({ ...without, SANDBOX: 'on' } as ObjectBindings, mountDeployment),
    ).toThrow('wrangler.objects.toml');
    const token = await makeKey('melati');
    await restart('melati');
    const { object } = await objectOf('melati');
    await runInDurableObject(
      object,
      (instance) => void Object.defineProperty(instance, 'env', { value: without }),
    );
    expect((await ask('melati', '/v1/admin/doctors', { token })).status).toBe(503);
    expect((await ask('melati', '/v1/doctors')).status).toBe(200);
    // Nobody would empty it.
    const erased = await runInDurableObject(object, (instance) =>
      (instance as unknown as ClinicCalls).erase().then(() => null, String),
    );
    expect(erased).toContain('SANDBOXES');
    expect((await ask('melati', '/v1/doctors')).status).toBe(200);
  });
});
