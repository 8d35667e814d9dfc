import { describe, expect, it } from 'vitest';
import { recoveryCodes } from '../../src/core/tables/factors.ts';
import { appCode, codeOf, createGuarded, enrol, factors, refusedCode } from '../support/factors.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, password, registerPatient } from '../support/world.ts';

describe('setting up an authenticator app', () => {
  it('asks nothing of anybody before its first code was shown', async () => {
    const world = await createWorld();
    const person = await registerPatient(world);
    await world.request(`${factors}/totp`, { method: 'POST', token: person.token });
    const login = await world.request('/v1/auth/login', { body: { email: person.email, password } });
    expect(login.status).toBe(200);
    const list = await world.request(factors, { token: person.token });
    expect(list.body.data).toEqual({ factors: [], codes_left: 0, required: false });
    const wrong = await world.request(`${factors}/totp/confirm`, {
      token: person.token,
      body: { code: '000000' },
    });
    expect([codeOf(wrong), wrong.body.errors.code.length]).toEqual(['422 validation_failed', 1]);
  });

  it('accepts the last secret that was started, and ends the logins made only with the password', async () => {
    const world = await createWorld();
    const person = await registerPatient(world);
    const { body } = await world.request('/v1/auth/login', { body: { email: person.email, password } });
    const begin = () => world.request(`${factors}/totp`, { method: 'POST', token: person.token });
    const first = (await begin()).body.data.secret;
    const second = (await begin()).body.data;
    expect(second.otpauth_url).toContain(second.secret);
    const confirm = (secret: string) =>
      world.request(`${factors}/totp/confirm`, {
        token: person.token,
        body: { code: appCode(secret, world.clock.now) },
      });
    expect((await confirm(first)).status).toBe(422);
    expect((await confirm(second.secret)).status).toBe(200);
    expect((await confirm(second.secret)).status).toBe(422);
    const profile = (token: string) => world.request('/v1/auth/profile', { token });
    expect((await profile(body.data.access_token)).status).toBe(401);
    expect((await profile(person.token)).status).toBe(200);
  });

  it('lets no login pass whose password was verified just before', async () => {
    const world = await createWorld();
    const person = await registerPatient(world);
    beforeRoundTrip(world, 2, () => enrol(world, person.token));
    const login = await world.request('/v1/auth/login', { body: { email: person.email, password } });
    expect(codeOf(login)).toBe('401 second_factor_required');
  });

  it('replaces the app and the recovery codes of before', async () => {
    const world = await createWorld();
    const person = await createGuarded(world);
    const next = await enrol(world, person.token);
    const code = person.code();
    expect(codeOf(await person.step({ challenge: await person.challenge(), code }))).toBe(refusedCode);
    const [recovery] = person.recoveryCodes;
    expect(codeOf(await person.step({ challenge: await person.challenge(), recovery_code: recovery }))).toBe(
      refusedCode,
    );
    const fresh = appCode(next.secret, world.clock.now);
    expect((await person.step({ challenge: await person.challenge(), code: fresh })).status).toBe(200);
  });

  it('makes new recovery codes, which void the old ones; none without a factor', async () => {
    const world = await createWorld();
    const stranger = await registerPatient(world);
    const make = (token: string) => world.request(`${factors}/recovery-codes`, { method: 'POST', token });
    expect(codeOf(await make(stranger.token))).toBe('409 second_factor_missing');
    const person = await createGuarded(world);
    const made = await make(person.token);
    const by = async (recovery_code: string) =>
      person.step({ challenge: await person.challenge(), recovery_code });
    expect(codeOf(await by(person.recoveryCodes[0] ?? ''))).toBe(refusedCode);
    expect((await by(made.body.data.recovery_codes[9])).status).toBe(200);
  });

  it('is undone by taking it away: then the password is enough, and nobody else can', async () => {
    const world = await createWorld();
    const [person, stranger] = [await createGuarded(world), await registerPatient(world)];
    const list = await world.request(factors, { token: person.token });
    const path = `${factors}/${list.body.data.factors[0].id}`;
    expect((await world.request(path, { method: 'DELETE', token: stranger.token })).status).toBe(404);
    expect((await world.request(path, { method: 'DELETE', token: person.token })).status).toBe(200);
    expect((await person.logIn()).status).toBe(200);
    expect(await world.db.select().from(recoveryCodes)).toEqual([]);
  });
});

describe('where a role has to have a second factor', () => {
  const set = { REQUIRE_SECOND_FACTOR: 'admin, staff' };
  it('a login without one serves to set it up, and for nothing else', async () => {
    const world = await createWorld(set);
    const { token } = await createPerson(world, 'admin');
    const asked = (path: string) => world.request(path, { token });
    for (const path of ['/v1/auth/profile', '/v1/admin/people', '/v1/bookings/history'])
      expect(codeOf(await asked(path))).toBe('403 second_factor_enrolment_required');
    expect((await asked(factors)).body.data.required).toBe(true);
    await enrol(world, token);
    expect((await asked('/v1/admin/people')).status).toBe(200);
  });

  it('that login ends by itself: it can be logged out, and confirm who is there', async () => {
    const world = await createWorld(set);
    const { token } = await createPerson(world, 'staff');
    const body = { password: 'bukan-sandinya-99' };
    expect((await world.request('/v1/auth/reauthenticate', { token, body })).status).toBe(422);
    expect((await world.request('/v1/auth/logout', { method: 'POST', token })).status).toBe(200);
  });

  it('other roles go on as they did', async () => {
    const world = await createWorld(set);
    const patient = await registerPatient(world);
    expect((await world.request('/v1/auth/profile', { token: patient.token })).status).toBe(200);
    const doctor = await createPerson(world, 'doctor');
    expect((await world.request('/v1/auth/profile', { token: doctor.token })).status).toBe(200);
  });
});
