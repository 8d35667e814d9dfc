import { describe, expect, it } from 'vitest';
import { securityEvents } from '../../src/core/tables/accounts.ts';
import { recoveryCodes, secondFactors } from '../../src/core/tables/factors.ts';
import { appCode, codeOf, createGuarded, factors, refusedCode } from '../support/factors.ts';
import { createWorld, password, registerPatient, type World } from '../support/world.ts';

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

  it('reveals nothing about the factor to a stranger with a wrong password', async () => {
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
    const changed = `${text}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    for (const wrong of [forged, changed, text, 'x', '', `${text}.`, 'é.é'])
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
