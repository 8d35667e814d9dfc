import { eq } from 'drizzle-orm';
import type { JWTPayload } from 'jose';
import { describe, expect, it } from 'vitest';
import { users } from '../../src/core/tables/accounts.ts';
import { addFactor, factors } from '../support/factors.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { addDevice, createPerson } from '../support/people.ts';
import { createSso, refused } from '../support/sso.ts';
import { linesOf } from '../support/trail.ts';
import { password, registerPatient } from '../support/world.ts';

const minute = 60_000;
const path = '/v1/auth/reauthenticate/sso';
const late = [403, 'reauthentication_required'];
const failed = [403, 'sso_confirmation_failed'];
const unavailable = [409, 'sso_confirmation_unavailable'];

/** Somebody of the reception who logged in by the work account eleven minutes ago, and has neither password nor factor. */
const createConfirming = async (settings: Record<string, string> = {}, more: JWTPayload = {}) => {
  const sso = await createSso(settings);
  const { world, issuer, logIn, staff, rina } = sso;
  const person = { ...rina, ...more };
  const opened = await logIn(person);
  const token = opened.body.data.access_token as string;
  await world.db.update(users).set({ passwordUnsetAt: 1 }).where(eq(users.id, staff.id));
  world.clock.now += 11 * minute;
  const begin = (by = token) => world.request(path, { method: 'POST', token: by });
  const begun = async (by = token) => {
    const got = await begin(by);
    if (got.status !== 200) throw new Error(`Not begun: ${JSON.stringify(got.body)}`);
    return got.body.data as { url: string; challenge: string };
  };
  const finish = (response: string, challenge: string, by = token) =>
    world.request(`${path}/finish`, { token: by, body: { response, challenge } });
  /** The whole way of somebody of whom the provider says this. */
  const confirm = async (said: JWTPayload = person) => {
    const { url, challenge } = await begun();
    return finish(issuer.authorize(url, said), challenge);
  };
  /** What needs a recent login. */
  const act = (by = token) => world.request(`${factors}/totp`, { method: 'POST', token: by });
  const profile = async (by = token) => (await world.request('/v1/auth/profile', { token: by })).body.data;
  return { ...sso, token, person, begin, begun, finish, confirm, act, profile };
};

describe('a confirmation by the work account', () => {
  it('is a new login at the provider, after which this login counts as new for ten minutes', async () => {
    const { world, issuer, begun, finish, act, profile, person, staff } = await createConfirming();
    const device = await addDevice(world, staff.id, 'staff');
    world.clock.now += 11 * minute;
    expect(await profile()).toMatchObject({ has_password: false, confirms_by_sso: true });
    expect(refused(await act())).toEqual(late);
    const { url, challenge } = await begun();
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      prompt: 'login',
      max_age: '0',
      state: expect.stringMatching(/^confirm\./),
    });
    const got = await finish(issuer.authorize(url, person), challenge);
    expect([got.status, got.body.message]).toEqual([200, 'Identitas Anda telah dikonfirmasi.']);
    expect((await act()).status).toBe(201);
    // It confirmed one login and opened none.
    expect(refused(await act(device.token))).toEqual(late);
    world.clock.now += 10 * minute + 1;
    expect(refused(await act())).toEqual(late);
    const lines = (await linesOf(world)).filter(({ userId }) => userId === staff.id);
    const line = lines.find(({ type }) => type === 'reauthenticated');
    expect(line).toMatchObject({ actorId: staff.id, detail: '{"by":"sso"}' });
    expect([null, device.deviceLoginId]).not.toContain(line?.deviceLoginId);
    expect(lines.filter(({ type }) => type === 'login')).toHaveLength(1);
    expect(issuer.wrongs).toEqual([]);
  });

  it.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ['without the time of the login', ({ auth_time: _, ...claims }) => claims],
    ['of a login before it began', (claims) => ({ ...claims, auth_time: Number(claims.auth_time) - 90 })],
    ['of a login that is yet to come', (claims) => ({ ...claims, auth_time: Number(claims.auth_time) + 90 })],
    ['with another nonce', (claims) => ({ ...claims, nonce: 'lain' })],
    ['for another application', (claims) => ({ ...claims, aud: 'lain' })],
    ['of long ago', (claims) => ({ ...claims, exp: Number(claims.iat) - 120 })],
  ])('is refused by a token %s', async (_name, change) => {
    const { issuer, confirm, act } = await createConfirming();
    issuer.change = change;
    expect(refused(await confirm())).toEqual(failed);
    expect(refused(await act())).toEqual(late);
  });

  it('takes a login at the provider that took its time, and a clock that is half a minute apart', async () => {
    const { world, issuer, begun, finish, act, person } = await createConfirming();
    issuer.change = (claims) => ({ ...claims, auth_time: Number(claims.auth_time) - 30 });
    const { url, challenge } = await begun();
    const response = issuer.authorize(url, person);
    // The person reads something on the provider's pages after they typed their password.
    world.clock.now += 4 * minute;
    expect((await finish(response, challenge)).status).toBe(200);
    expect((await act()).status).toBe(201);
  });

  it.each<[string, JWTPayload]>([
    ['another person', { sub: 'orang-lain' }],
    ['a person whose e-mail is not verified', { email_verified: false }],
    ['a person of another domain by now', { email: 'rina@lain.example' }],
    ['a person with another role by now', { roles: 'admin' }],
    ['a person without a role by now', { roles: [] }],
  ])('is refused for %s, which the audit trail shows', async (_name, said) => {
    const settings = { OIDC_ROLE_CLAIM: 'roles', OIDC_DOMAINS: 'klinik.example' };
    const { world, confirm, act, person, row, staff } = await createConfirming(settings, { roles: 'staff' });
    const before = await row(staff.id);
    expect(refused(await confirm({ ...person, ...said }))).toEqual(failed);
    expect(refused(await act())).toEqual(late);
    expect(await row(staff.id)).toEqual(before);
    const lines = (await linesOf(world)).filter(({ type }) => type === 'login_failed');
    expect(lines).toMatchObject([{ userId: staff.id }]);
    expect((await confirm()).status).toBe(200);
  });

  it('is good once, within ten minutes, for the login that began it and for nothing else', async () => {
    const { world, issuer, begun, begin, finish, act, person, staff, post } = await createConfirming();
    const colleague = await createPerson(world, 'staff');
    const device = await addDevice(world, staff.id, 'staff');
    const mine = await begun();
    const second = await begun();
    const response = issuer.authorize(mine.url, person);
    expect(refused(await finish(response, mine.challenge, device.token))).toEqual(failed);
    expect(refused(await finish(response, mine.challenge, colleague.token))).toEqual(unavailable);
    expect(refused(await finish(response, second.challenge))).toEqual(failed);
    expect(refused(await finish(response, 'lain'))).toEqual(failed);
    for (const text of ['antrean a b 9999999999999', '3171234567890123', 'null', '{}'])
      expect(refused(await finish(response, await world.deps.secretBox.seal(text)))).toEqual(failed);
    // Neither logs in, nor does a login confirm.
    expect(
      refused(await post('/v1/auth/sso/finish', { response }, `__Host-janji-sso=${mine.challenge}`)),
    ).toEqual([401, 'sso_failed']);
    const login = await world.request('/v1/auth/sso', {
      body: {},
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    });
    const cookie = /janji-sso=([^;]*)/.exec(login.headers.getSetCookie().join())?.[1] ?? '';
    expect(refused(await finish(issuer.authorize(login.body.data.url, person), cookie))).toEqual(failed);
    expect(refused(await act())).toEqual(late);

    expect((await finish(response, mine.challenge)).status).toBe(200);
    expect(refused(await finish(response, mine.challenge))).toEqual(failed);
    world.clock.now += 10 * minute + 1;
    // Even where a provider takes a code twice: what was begun before a confirmation is void.
    expect(refused(await finish(issuer.authorize(second.url, person), second.challenge))).toEqual(failed);
    const old = await begun();
    const late10 = issuer.authorize(old.url, person);
    world.clock.now += 10 * minute;
    expect(refused(await finish(late10, old.challenge))).toEqual(failed);
    expect(refused(await act())).toEqual(late);
    expect((await begin(device.token)).status).toBe(200);
  });

  it('is counted for the account, so that its tries keep nobody else of the network out', async () => {
    const { world, begin, logIn, rina } = await createConfirming({ RATE_LIMIT: 'on' });
    const { email } = await createPerson(world, 'staff');
    for (let nth = 0; nth < 30; nth++) expect((await begin()).status).toBe(200);
    expect(refused(await begin())).toEqual([429, 'rate_limited']);
    expect((await logIn({ ...rina, sub: 'rekan-1', email })).status).toBe(200);
  });

  it('voids what was begun before another confirmation of the login', async () => {
    const { issuer, begun, finish, person, confirm } = await createConfirming();
    const first = await begun();
    expect((await confirm()).status).toBe(200);
    expect(refused(await finish(issuer.authorize(first.url, person), first.challenge))).toEqual(failed);
  });

  it('is nothing for a patient, an account without a work account, one with a second factor, or a lost provider', async () => {
    const { world, issuer, begin, begun, finish, person, profile, staff, act } = await createConfirming();
    const patient = await registerPatient(world);
    const unlinked = await createPerson(world, 'doctor');
    expect(refused(await begin(patient.token))).toEqual([403, 'forbidden']);
    expect(refused(await begin(unlinked.token))).toEqual(unavailable);
    for (const by of [patient.token, unlinked.token]) expect((await profile(by)).confirms_by_sso).toBe(false);
    const { url, challenge } = await begun();
    const response = issuer.authorize(url, person);
    issuer.isDown = true;
    expect(refused(await begin())).toEqual([503, 'unavailable']);
    expect(refused(await finish(response, challenge))).toEqual([503, 'unavailable']);
    issuer.isDown = false;
    await addFactor(world, staff.id);
    expect((await profile()).confirms_by_sso).toBe(false);
    for (const got of [await begin(), await finish(response, challenge)])
      expect(refused(got)).toEqual(unavailable);
    expect(refused(await act())).toEqual(late);
  });

  it('ends with the provider of the clinic, and is not another provider’s', async () => {
    const { world, issuer, begin, begun, finish, person, profile } = await createConfirming();
    const { url, challenge } = await begun();
    const response = issuer.authorize(url, person);
    const { config } = world.deps;
    world.deps.config = { ...config, OIDC_ISSUER: 'https://login.baru.example' };
    expect((await profile()).confirms_by_sso).toBe(false);
    expect(refused(await begin())).toEqual(unavailable);
    world.deps.config = { ...config, OIDC_ISSUER: undefined };
    expect((await profile()).confirms_by_sso).toBe(false);
    for (const got of [await begin(), await finish(response, challenge)])
      expect(refused(got)).toEqual([404, 'not_found']);
  });

  it.each<[string, Partial<typeof users.$inferInsert>]>([
    ['its tie ends', { ssoSubject: null }],
    ['it gets a second factor', { secondFactorAt: 1 }],
    ['it is shut', { deactivatedAt: 1 }],
    ['it becomes a patient’s', { role: 'patient' }],
  ])('comes to nothing where the account changes at the last moment: %s', async (_name, change) => {
    const { world, issuer, begun, finish, person, staff } = await createConfirming();
    const { url, challenge } = await begun();
    const response = issuer.authorize(url, person);
    beforeRoundTrip(world, 2, () => world.db.update(users).set(change).where(eq(users.id, staff.id)));
    expect(refused(await finish(response, challenge))).toEqual(failed);
    const confirmed = (await linesOf(world)).filter(({ type }) => type === 'reauthenticated');
    expect(confirmed).toEqual([]);
  });
});

describe('where passwords are turned off', () => {
  it('a password confirms nobody of these roles but the break-glass admin, and the work account does', async () => {
    const off = { OIDC_PASSWORDS_OFF: 'staff,admin', OIDC_BREAK_GLASS: 'darurat@klinik.example' };
    const { world, confirm, act, profile, staff, row, token } = await createConfirming(off);
    const { id: knownId } = await registerPatient(world);
    const { passwordHash = '' } = (await row(knownId)) ?? {};
    await world.db.update(users).set({ passwordHash, passwordUnsetAt: null });
    const rescue = await createPerson(world, 'admin');
    const fields = { email: 'darurat@klinik.example', passwordHash };
    await world.db.update(users).set(fields).where(eq(users.id, rescue.id));
    world.clock.now += 11 * minute;
    const byPassword = (by: string) =>
      world.request('/v1/auth/reauthenticate', { token: by, body: { password } });
    expect(await profile()).toMatchObject({ has_password: false, confirms_by_sso: true });
    expect(refused(await byPassword(token))).toEqual([403, 'sso_required']);
    expect(refused(await act())).toEqual(late);
    expect((await confirm()).status).toBe(200);
    expect((await act()).status).toBe(201);
    expect((await row(staff.id))?.role).toBe('staff');
    expect(await profile(rescue.token)).toMatchObject({ has_password: true, confirms_by_sso: false });
    expect((await byPassword(rescue.token)).status).toBe(200);
    expect((await act(rescue.token)).status).toBe(201);
  });
});
