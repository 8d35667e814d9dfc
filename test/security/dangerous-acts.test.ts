import { describe, expect, it } from 'vitest';
import { codeOf, createGuarded, factors } from '../support/factors.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, password, registerPatient } from '../support/world.ts';

const minute = 60_000;

describe('a dangerous act', () => {
  const late = 10 * minute + 1;
  const webhook = { url: 'https://hooks.klinik.example/janji' };
  it('needs a login of the last ten minutes, and continues after the password was confirmed', async () => {
    const world = await createWorld();
    const person = await registerPatient(world);
    const begin = () => world.request(`${factors}/totp`, { method: 'POST', token: person.token });
    const confirm = (body: object) => world.request('/v1/auth/reauthenticate', { token: person.token, body });
    world.clock.now += 10 * minute;
    expect((await begin()).status).toBe(201);
    world.clock.now += 1;
    expect(codeOf(await begin())).toBe('403 reauthentication_required');
    expect(codeOf(await confirm({ password: 'bukan-sandinya-99' }))).toBe('422 validation_failed');
    expect(codeOf(await confirm({}))).toBe('422 validation_failed');
    expect(codeOf(await begin())).toBe('403 reauthentication_required');
    expect((await confirm({ password })).status).toBe(200);
    expect((await begin()).status).toBe(201);
    world.clock.now += late;
    expect(codeOf(await begin())).toBe('403 reauthentication_required');
  });

  it('goes on after a code of the app or a recovery code, each once', async () => {
    const world = await createWorld();
    const person = await createGuarded(world);
    const remake = () => world.request(`${factors}/totp`, { method: 'POST', token: person.token });
    const confirm = (body: object) => world.request('/v1/auth/reauthenticate', { token: person.token, body });
    for (const proof of [{ code: person.code() }, { recovery_code: person.recoveryCodes[3] }]) {
      world.clock.now += late;
      const given = 'code' in proof ? { code: person.code() } : proof;
      expect(codeOf(await remake())).toBe('403 reauthentication_required');
      expect((await confirm(given)).status).toBe(200);
      expect(codeOf(await confirm(given))).toBe('422 validation_failed');
      expect((await remake()).status).toBe(201);
    }
  });

  it("is a change of somebody's role, a new person, and a webhook's address, but not its name", async () => {
    const world = await createWorld();
    const admin = await createPerson(world, 'admin');
    const { token } = admin;
    const patient = await registerPatient(world);
    const { body } = await world.request('/v1/admin/webhooks', { token, body: webhook });
    world.clock.now += late;
    const ask = async (method: string, path: string, given: object) =>
      codeOf(await world.request(path, { method, token, body: given }));
    const refused = '403 reauthentication_required';
    expect(await ask('PATCH', `/v1/admin/people/${patient.id}`, { role: 'staff' })).toBe(refused);
    expect(await ask('POST', '/v1/admin/people', {})).toBe(refused);
    expect(await ask('POST', '/v1/admin/webhooks', webhook)).toBe(refused);
    const path = `/v1/admin/webhooks/${body.data.id}`;
    expect(await ask('PATCH', path, { url: 'https://lain.klinik.example/' })).toBe(refused);
    expect(await ask('PATCH', path, { description: 'Lobi' })).toContain('200');
  });

  it('stays out of reach for a login of somebody else', async () => {
    const world = await createWorld();
    const [one, other] = [await createGuarded(world), await createGuarded(world)];
    world.clock.now += late;
    const confirm = (body: object) => world.request('/v1/auth/reauthenticate', { token: one.token, body });
    expect((await confirm({ code: other.code() })).status).toBe(422);
    expect((await confirm({ recovery_code: other.recoveryCodes[0] })).status).toBe(422);
  });
});
