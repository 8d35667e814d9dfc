import { describe, expect, it } from 'vitest';
import { securityEvents } from '../../src/core/tables/accounts.ts';
import { createAdmin } from '../support/admin.ts';
import { createGuarded } from '../support/factors.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { addDevice, createPerson } from '../support/people.ts';
import { createWorld, password, registerPatient } from '../support/world.ts';

const setUp = async () => {
  const world = await createWorld();
  const admin = await createAdmin(world);
  const person = await registerPatient(world);
  const path = `/v1/admin/people/${person.id}`;
  const logIn = (given = password) =>
    world.request('/v1/auth/login', { body: { email: person.email, password: given } });
  return { world, admin, person, path, logIn };
};

const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => `${status} ${body.code}`;

describe('an account that is shut', () => {
  it('is refused its access and refresh token on the very next request', async () => {
    const { world, admin, person, path } = await setUp();
    const shut = await admin.post(`${path}/deactivate`);
    expect([shut.status, shut.body.data.active]).toEqual([200, false]);
    const profile = await world.request('/v1/auth/profile', { token: person.token });
    expect(codeOf(profile)).toBe('401 unauthenticated');
    const body = { refresh_token: person.refreshToken };
    expect(codeOf(await world.request('/v1/auth/refresh', { body }))).toBe('401 unauthenticated');
  });

  it('is answered as a wrong password is, word for word', async () => {
    const { admin, path, logIn } = await setUp();
    const wrong = await logIn('bukan-sandinya-99');
    await admin.post(`${path}/deactivate`);
    const right = await logIn();
    const { request_id: _one, ...expected } = wrong.body;
    const { request_id: _two, ...got } = right.body;
    expect([right.status, got]).toEqual([wrong.status, expected]);
  });

  it('lets no second step of a login pass that had begun', async () => {
    const { world, admin } = await setUp();
    const guarded = await createGuarded(world);
    const challenge = await guarded.challenge();
    expect((await admin.post(`/v1/admin/people/${guarded.id}/deactivate`)).status).toBe(200);
    expect(codeOf(await guarded.step({ challenge, code: guarded.code() }))).toBe('401 challenge_invalid');
    expect(codeOf(await guarded.logIn())).toBe('401 invalid_credentials');
  });

  it('is not opened by a login whose password was verified just before', async () => {
    const { world, admin, path, logIn } = await setUp();
    beforeRoundTrip(world, 2, () => admin.post(`${path}/deactivate`));
    expect(codeOf(await logIn())).toBe('401 invalid_credentials');
  });

  it('opens again with the password that it had, and both are in the audit, once each', async () => {
    const { world, admin, person, path, logIn } = await setUp();
    for (const verb of ['deactivate', 'deactivate', 'reactivate', 'reactivate'])
      expect((await admin.post(`${path}/${verb}`)).status).toBe(200);
    expect((await logIn()).status).toBe(200);
    expect((await admin.get(path)).body.data.active).toBe(true);
    const events = (await world.db.select().from(securityEvents)).filter(
      ({ userId, actorId }) => userId === person.id && actorId === admin.id,
    );
    expect(events.map(({ type }) => type)).toEqual(['account_deactivated', 'account_reactivated']);
  });

  it('is never that of the last admin, however many are shut at once', async () => {
    const { world, admin } = await setUp();
    const self = `/v1/admin/people/${admin.id}`;
    expect(codeOf(await admin.post(`${self}/deactivate`))).toBe('409 last_admin');
    const other = await createPerson(world, 'admin');
    const shut = (id: string, token: string) =>
      world.request(`/v1/admin/people/${id}/deactivate`, { method: 'POST', token });
    const got = await Promise.all([shut(other.id, admin.token), shut(admin.id, other.token)]);
    expect(got.filter(({ status }) => status === 200)).toHaveLength(1);
    const left = [admin, other].map(({ token }) => world.request('/v1/admin/people', { token }));
    expect((await Promise.all(left)).map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('does not count as an admin who is left', async () => {
    const { world, admin } = await setUp();
    const other = await createPerson(world, 'admin');
    await admin.post(`/v1/admin/people/${other.id}/deactivate`);
    const demoted = await admin.patch(`/v1/admin/people/${admin.id}`, { role: 'staff' });
    expect(codeOf(demoted)).toBe('409 last_admin');
    expect((await admin.patch(`/v1/admin/people/${other.id}`, { role: 'staff' })).status).toBe(200);
  });
});

describe("an admin sees and ends a person's devices", () => {
  it('a page at a time, and ends all of them', async () => {
    const { world, admin, person, path } = await setUp();
    const second = await addDevice(world, person.id);
    const page = await admin.get(`${path}/devices?limit=1`);
    expect(page.body.data).toHaveLength(1);
    const rest = await admin.get(`${path}/devices?cursor=${page.body.meta.next_cursor}`);
    expect(rest.body.data).toMatchObject([{ current: false }]);
    expect((await admin.remove(`${path}/devices`)).body.data).toEqual({ ended: 2 });
    for (const token of [person.token, second.token])
      expect((await world.request('/v1/auth/profile', { token })).status).toBe(401);
    expect((await admin.remove(`${path}/devices`)).body.data).toEqual({ ended: 0 });
    expect((await admin.get(`${path}/devices`)).body.data).toEqual([]);
    const ended = (await world.db.select().from(securityEvents)).filter(
      ({ type }) => type === 'devices_ended',
    );
    expect(ended).toMatchObject([{ userId: person.id, actorId: admin.id, detail: '{"devices":2}' }]);
  });

  it('and a single one, once, if it is theirs', async () => {
    const { world, admin, person, path } = await setUp();
    const second = await addDevice(world, person.id);
    const stranger = await addDevice(world, (await registerPatient(world)).id);
    const end = (id: string) => admin.remove(`${path}/devices/${id}`);
    expect(codeOf(await end(stranger.deviceLoginId))).toBe('404 not_found');
    expect((await end(second.deviceLoginId)).status).toBe(200);
    expect(codeOf(await end(second.deviceLoginId))).toBe('404 not_found');
    const profile = (token: string) => world.request('/v1/auth/profile', { token });
    expect((await profile(second.token)).status).toBe(401);
    for (const { token } of [person, stranger]) expect((await profile(token)).status).toBe(200);
    const ended = (await world.db.select().from(securityEvents)).filter(
      ({ type }) => type === 'device_ended',
    );
    const { deviceLoginId } = second;
    expect(ended).toMatchObject([{ userId: person.id, actorId: admin.id, deviceLoginId }]);
  });

  it('and does not end those of others', async () => {
    const { world, admin, path } = await setUp();
    const stranger = await registerPatient(world);
    await admin.remove(`${path}/devices`);
    expect((await world.request('/v1/auth/profile', { token: stranger.token })).status).toBe(200);
  });
});
