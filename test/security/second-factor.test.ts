import { describe, expect, it } from 'vitest';
import { securityEvents } from '../../src/tables/accounts.ts';
import { recoveryCodes, secondFactors } from '../../src/tables/factors.ts';
import { appCode, createGuarded, enrol } from '../support/factors.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, password, registerPatient, type World } from '../support/world.ts';

const codeOf = ({ status, body }: { status: number; body: { code?: string } }) =>
  `${status} ${body.code ?? body}`;
const factors = '/v1/auth/second-factors';
const refusedCode = '401 second_factor_invalid';
const refusedChallenge = '401 challenge_invalid';
const minute = 60_000;

const typesOf = async (world: World) =>
  (await world.db.select().from(securityEvents)).map(({ type }) => type as string);

describe('a login with an authenticator app', () => {
  it('asks for a code after the right password, and then gives what a login gives', async () => {
    const world = await createWorld();
    const person = await createGuarded(world);
    const first = await person.logIn();
    expect(codeOf(first)).toBe('401 second_factor_required');
    expect(first.headers.get('WWW-Authenticate')).toContain('Bearer');
    expect(first.body).not.toHaveProperty('data');
    const { status, body, headers } = await person.step({
      challenge: first.body.challenge,
      code: person.code(),
    });
    expect([status, body.data.user.id, body.data.token_type]).toEqual([200, person.id, 'bearer']);
    expect(headers.get('X-Device-Token')).not.toBeNull();
    const profile = await world.request('/v1/auth/profile', { token: body.data.access_token });
    expect(profile.status).toBe(200);
    const fresh = await world.request('/v1/auth/refresh', {
      body: { refresh_token: body.data.refresh_token },
    });
    expect(fresh.status).toBe(200);
  });

  it('tells a stranger with a wrong password nothing of the factor', async () => {
    const world = await createWorld();
    const person = await createGuarded(world);
    expect(codeOf(await person.logIn('bukan-sandinya-99'))).toBe('401 invalid_credentials');
  });

  it('takes each code once, also in the neighbouring window', async () => {
    const world = await createWorld();
    const person = await createGuarded(world);
    const code = person.code();
    expect((await person.step({ challenge: await person.challenge(), code })).status).toBe(200);
    expect(codeOf(await person.step({ challenge: await person.challenge(), code }))).toBe(refusedCode);
    world.clock.now += 30_000;
    expect(codeOf(await person.step({ challenge: await person.challenge(), code }))).toBe(refusedCode);
    const next = person.code();
    expect((await person.step({ challenge: await person.challenge(), code: next })).status).toBe(200);
  });

  it('takes the code of the window before or after, but none from before one that was used', async () => {
    const world = await createWorld();
    const person = await createGuarded(world);
    const at = (ms: number) => appCode(person.secret, world.clock.now + ms);
    const [before, after, tooOld, tooNew] = [at(-30_000), at(30_000), at(-60_000), at(60_000)];
    for (const code of [tooOld, tooNew])
      expect(codeOf(await person.step({ challenge: await person.challenge(), code }))).toBe(refusedCode);
    expect((await person.step({ challenge: await person.challenge(), code: after })).status).toBe(200);
    expect(codeOf(await person.step({ challenge: await person.challenge(), code: before }))).toBe(
      refusedCode,
    );
  });

  it('lets one of many simultaneous tries of one code pass', async () => {
    const world = await createWorld();
    const person = await createGuarded(world);
    const challenges = await Promise.all([1, 2, 3, 4].map(() => person.challenge()));
    const code = person.code();
    const got = await Promise.all(challenges.map((challenge) => person.step({ challenge, code })));
    expect(got.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  });

  it('refuses the challenge of another account, and a code of another account', async () => {
    const world = await createWorld();
    const [one, other] = [await createGuarded(world), await createGuarded(world)];
    expect(codeOf(await one.step({ challenge: await other.challenge(), code: one.code() }))).toBe(
      refusedCode,
    );
    const [recovery] = one.recoveryCodes;
    expect(codeOf(await one.step({ challenge: await other.challenge(), recovery_code: recovery }))).toBe(
      refusedCode,
    );
  });

  it('refuses a challenge that was used, changed, made up, or is older than five minutes', async () => {
    const world = await createWorld();
    const person = await createGuarded(world);
    const challenge = await person.challenge();
    const [text = '', signature = ''] = challenge.split('.');
    const forged = `${btoa(atob(text.replaceAll('-', '+').replaceAll('_', '/')).replace(person.id, crypto.randomUUID()))}.${signature}`;
    for (const wrong of [forged, `${text}.${signature.slice(0, -2)}AA`, text, 'x', '', `${text}.`, 'é.é'])
      expect(codeOf(await person.step({ challenge: wrong, code: person.code() }))).toBe(refusedChallenge);
    expect((await person.step({ challenge, code: person.code() })).status).toBe(200);
    world.clock.now += 30_000;
    expect(codeOf(await person.step({ challenge, code: person.code() }))).toBe(refusedChallenge);
    const [recovery] = person.recoveryCodes;
    expect(codeOf(await person.step({ challenge, recovery_code: recovery }))).toBe(refusedChallenge);
    const old = await person.challenge();
    world.clock.now += 5 * minute;
    expect(codeOf(await person.step({ challenge: old, code: person.code() }))).toBe(refusedChallenge);
  });

  it('voids the challenge when the password changes in between', async () => {
    const world = await createWorld();
    const person = await createGuarded(world);
    const challenge = await person.challenge();
    const body = {
      current_password: password,
      password: 'sandi-lain-18',
      password_confirmation: 'sandi-lain-18',
    };
    await world.request('/v1/auth/password', { token: person.token, body });
    expect(codeOf(await person.step({ challenge, code: person.code() }))).toBe(refusedChallenge);
  });

  it('takes each recovery code once, as it is typed', async () => {
    const world = await createWorld();
    const person = await createGuarded(world);
    const [first = '', second = ''] = person.recoveryCodes;
    const by = async (recovery_code: string) =>
      person.step({ challenge: await person.challenge(), recovery_code });
    expect(new Set(person.recoveryCodes).size).toBe(10);
    expect((await by(` ${first.toUpperCase().replaceAll('-', ' ')} `)).status).toBe(200);
    expect(codeOf(await by(first))).toBe(refusedCode);
    const challenges = await Promise.all([1, 2, 3].map(() => person.challenge()));
    const got = await Promise.all(
      challenges.map((challenge) => person.step({ challenge, recovery_code: second })),
    );
    expect(got.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    const list = await world.request(factors, { token: person.token });
    expect(list.body.data.codes_left).toBe(8);
  });

  it('throttles the tries of an account, wherever they come from', async () => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const person = await createGuarded(world);
    const seen: string[] = [];
    for (let nth = 1; nth <= 12; nth++) {
      const address = { 'X-Test-Address': `198.51.100.${nth}` };
      const challenge = (
        await world.request('/v1/auth/login', { body: { email: person.email, password }, headers: address })
      ).body.challenge;
      seen.push(codeOf(await person.step({ challenge: challenge ?? '', code: '000000' }, address)));
    }
    expect(seen.slice(0, 9).every((code) => code === refusedCode)).toBe(true);
    expect(seen.slice(-2)).toEqual(['429 rate_limited', '429 rate_limited']);
  });

  it('does not count codes that were right', async () => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const person = await createGuarded(world);
    for (let nth = 1; nth <= 8; nth++) {
      world.clock.now += minute;
      expect((await person.step({ challenge: await person.challenge(), code: person.code() })).status).toBe(
        200,
      );
    }
  });

  it('is in the audit: set up, passed, failed, taken away', async () => {
    const world = await createWorld();
    const person = await createGuarded(world);
    await person.step({ challenge: await person.challenge(), code: '000000' });
    await person.step({ challenge: await person.challenge(), code: person.code() });
    await world.request(`${factors}/${person.factorId}`, { method: 'DELETE', token: person.token });
    const types = await typesOf(world);
    for (const type of ['second_factor_added', 'second_factor_failed', 'login', 'second_factor_removed'])
      expect(types).toContain(type);
  });

  it('leaves no secret and no recovery code readable in the database', async () => {
    const world = await createWorld();
    const person = await createGuarded(world);
    const stored = JSON.stringify([
      await world.db.select().from(secondFactors),
      await world.db.select().from(recoveryCodes),
      await world.db.select().from(securityEvents),
    ]);
    expect(stored).not.toContain(person.secret);
    for (const code of person.recoveryCodes) {
      expect(stored).not.toContain(code);
      expect(stored).not.toContain(code.replaceAll('-', ''));
    }
  });

  it('is not opened by a reset of the password, which leaves the factor where it is', async () => {
    const world = await createWorld({ MAIL_API_URL: 'https://mail.example/send', MAIL_API_KEY: 'x' });
    const person = await createGuarded(world);
    await world.request('/v1/auth/password/forgot', { body: { email: person.email } });
    await Promise.all(world.background.splice(0));
    const token = world.mails
      .map(({ text }) => /^[\w-]{43}$/m.exec(text)?.[0])
      .filter(Boolean)
      .at(-1);
    const passwords = { password: 'sandi-baru-17', password_confirmation: 'sandi-baru-17' };
    const reset = await world.request('/v1/auth/password/reset', { body: { token, ...passwords } });
    expect([reset.status, reset.body.data]).toEqual([200, undefined]);
    expect(codeOf(await person.logIn('sandi-baru-17'))).toBe('401 second_factor_required');
  });
});

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

  it('takes the last secret that was begun, and ends the logins by password alone', async () => {
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

describe('a dangerous act', () => {
  const late = 10 * minute + 1;
  const webhook = { url: 'https://hooks.klinik.example/janji' };

  it('wants a login of the last ten minutes, and goes on after the password was confirmed', async () => {
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

const noPasskey = {
  id: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
};

describe('who tries on and on', () => {
  it.each([
    ['/v1/auth/second-factors/totp/confirm', { code: '000000' }],
    ['/v1/auth/second-factors/passkeys', { challenge: 'e30.e30', credential: noPasskey }],
    ['/v1/auth/reauthenticate', { code: '000000' }],
    ['/v1/auth/reauthenticate', { password: 'bukan-sandinya-99' }],
    ['/v1/auth/email/change', { email: 'lain@klinik.example' }],
    ['/v1/auth/email/change/verify', { code: '00000000' }],
  ])('has to wait at %s', async (path, body) => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const { token } = await registerPatient(world);
    const codes: string[] = [];
    for (let nth = 0; nth < 12; nth++) codes.push(codeOf(await world.request(path, { token, body })));
    expect(codes[0]).not.toBe('429 rate_limited');
    expect(codes.at(-1)).toBe('429 rate_limited');
  });
});
