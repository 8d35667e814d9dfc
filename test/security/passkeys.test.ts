import { describe, expect, it } from 'vitest';
import { rawSignature } from '../../src/auth/passkeys/keys.ts';
import { maxPasskeys } from '../../src/auth/passkeys/rules.ts';
import { securityEvents } from '../../src/tables/accounts.ts';
import { recoveryCodes, secondFactors } from '../../src/tables/factors.ts';
import { createPasskey, derOf } from '../support/authenticator.ts';
import { createGuarded, enrol } from '../support/factors.ts';
import { addPasskey, beginPasskey, createPasskeyHolder } from '../support/passkeys.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, password, registerPatient } from '../support/world.ts';

const minute = 60_000;
const factors = '/v1/auth/second-factors';
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) =>
  `${status} ${body.code ?? ''}`.trim();
const refused = '401 second_factor_invalid';
const refusedChallenge = '401 challenge_invalid';

describe('a passkey', () => {
  it('is added with what a browser takes, brings recovery codes, and asks at each login', async () => {
    const world = await createWorld();
    const person = await registerPatient(world);
    const { body } = await beginPasskey(world, person.token);
    expect(body.data).toMatchObject({
      expires_in: 300,
      public_key: {
        rp: { id: 'localhost' },
        user: { name: person.email },
        pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
        attestation: 'none',
        excludeCredentials: [],
        authenticatorSelection: { userVerification: 'required' },
      },
    });
    const passkey = await createPasskey();
    const added = await addPasskey(world, person.token, passkey);
    expect([added.status, new Set(added.body.data.recovery_codes).size]).toEqual([201, 10]);
    const list = await world.request(factors, { token: person.token });
    expect(list.body.data).toMatchObject({
      factors: [{ id: added.body.data.id, kind: 'passkey', name: 'Ponsel klinik' }],
      codes_left: 10,
    });
    const first = await world.request('/v1/auth/login', { body: { email: person.email, password } });
    expect([codeOf(first), first.body.kinds]).toEqual(['401 second_factor_required', ['passkey']]);
    expect(first.body.passkey).toMatchObject({
      rpId: 'localhost',
      userVerification: 'required',
      allowCredentials: [{ type: 'public-key', id: passkey.id, transports: ['internal'] }],
    });
  });

  it.each(['ES256', 'EdDSA', 'RS256'] as const)('logs in by %s, again and again', async (kind) => {
    const world = await createWorld();
    const person = await createPasskeyHolder(world, await createPasskey(kind));
    for (let nth = 0; nth < 3; nth++) {
      world.clock.now += minute;
      const got = await person.step(await person.answer());
      expect(got.status).toBe(200);
      const profile = await world.request('/v1/auth/profile', { token: got.body.data.access_token });
      expect(profile.body.data.user.email).toBe(person.email);
    }
    const { body } = await world.request(factors, { token: person.token });
    expect(body.data.factors[0].last_used_at).toBe(new Date(world.clock.now).toISOString());
  });

  it('opens one login by an answer, however often and at once it is sent', async () => {
    for (const counts of [true, false]) {
      const world = await createWorld();
      const person = await createPasskeyHolder(world, await createPasskey('ES256', counts));
      const body = await person.answer();
      const got = await Promise.all([1, 2, 3, 4].map(() => person.step(body)));
      expect(got.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(codeOf(await person.step(body))).toBe(refusedChallenge);
    }
  });

  it('that counts its uses is refused when its count does not rise: it is a copy', async () => {
    const world = await createWorld();
    const person = await createPasskeyHolder(world);
    expect((await person.step(await person.answer({ counter: 7 }))).status).toBe(200);
    for (const counter of [7, 6, 1, 0])
      expect(codeOf(await person.step(await person.answer({ counter })))).toBe(refused);
    expect((await person.step(await person.answer({ counter: 8 }))).status).toBe(200);
  });

  it('that is synced says 0 for ever, and is good for each challenge once', async () => {
    const world = await createWorld();
    const person = await createPasskeyHolder(world, await createPasskey('ES256', false));
    const first = await person.answer();
    expect((await person.step(first)).status).toBe(200);
    expect((await person.step(await person.answer())).status).toBe(200);
    const { challenge } = await person.answer();
    expect(codeOf(await person.step({ challenge, assertion: first.assertion }))).toBe(refused);
  });

  it.each([
    ['another page', { origin: 'https://klinik.example.evil' }],
    ['another port', { origin: 'http://localhost:8788' }],
    ['another domain', { domain: 'evil.example' }],
    ['another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['a page inside of another', { crossOrigin: true }],
    ['the making of a passkey', { type: 'webauthn.create' }],
    ['a device that did not ask who is there', { flags: 1 }],
    ['nobody at the device', { flags: 4 }],
    ['a copy that may not be', { flags: 5 | 16 }],
  ])('is refused in an answer about %s, and the honest one passes', async (_what, twist) => {
    const world = await createWorld();
    const person = await createPasskeyHolder(world);
    expect(codeOf(await person.step(await person.answer(twist)))).toBe(refused);
    expect((await person.step(await person.answer())).status).toBe(200);
  });

  it.each([
    ['another page', { origin: 'https://klinik.example.evil' }],
    ['another domain', { domain: 'evil.example' }],
    ['another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['a login', { type: 'webauthn.get' }],
    ['a device that did not ask who is there', { flags: 1 }],
  ])('is not added by an answer about %s', async (_what, twist) => {
    const world = await createWorld();
    const { token } = await registerPatient(world);
    expect(codeOf(await addPasskey(world, token, await createPasskey(), twist))).toBe(
      '422 validation_failed',
    );
    expect(await world.db.select().from(secondFactors)).toEqual([]);
  });

  it('is refused with a signature of another key, a broken one, and none', async () => {
    const world = await createWorld();
    const person = await createPasskeyHolder(world);
    const other = await createPasskey();
    const { challenge, assertion } = await person.answer({}, other);
    const forged = { ...assertion, id: person.passkey.id };
    expect(codeOf(await person.step({ challenge, assertion: forged }))).toBe(refused);
    for (const signature of ['', 'AAAA', 'MAYCAQACAQA', '*', assertion.response.signature.slice(0, -4)]) {
      const response = { ...(await person.answer()).assertion.response, signature };
      expect(codeOf(await person.step({ challenge, assertion: { ...forged, response } }))).toBe(refused);
    }
  });

  it("opens neither another account by its own challenge, nor its own by another's", async () => {
    const world = await createWorld();
    const [one, other] = [await createPasskeyHolder(world), await createPasskeyHolder(world)];
    const [own, foreign] = [await one.answer(), await other.answer()];
    expect(codeOf(await one.step({ ...own, challenge: foreign.challenge }))).toBe(refused);
    expect(codeOf(await one.step({ ...foreign, challenge: own.challenge }))).toBe(refused);
    const theirs = await one.answer({}, other.passkey);
    expect(codeOf(await one.step(theirs))).toBe(refused);
  });

  it('is void with another password, and after five minutes', async () => {
    const world = await createWorld();
    const person = await createPasskeyHolder(world);
    const late = await person.answer();
    world.clock.now += 5 * minute;
    expect(codeOf(await person.step(late))).toBe(refusedChallenge);
    const before = await person.answer();
    const passwords = { password: 'sandi-lain-18', password_confirmation: 'sandi-lain-18' };
    const body = { current_password: password, ...passwords };
    await world.request('/v1/auth/password', { token: person.token, body });
    expect(codeOf(await person.step(before))).toBe(refusedChallenge);
  });

  it('opens nothing once it was taken away', async () => {
    const world = await createWorld();
    const person = await createPasskeyHolder(world);
    const second = await createPasskey();
    await addPasskey(world, person.token, second);
    const body = await person.answer();
    const remove = (id: string, token: string) =>
      world.request(`${factors}/${id}`, { method: 'DELETE', token });
    const stranger = await registerPatient(world);
    expect((await remove(person.id, stranger.token)).status).toBe(404);
    expect((await remove(person.id, person.token)).status).toBe(200);
    expect(codeOf(await person.step(body))).toBe(refused);
    expect((await person.step(await person.answer({}, second))).status).toBe(200);
  });

  it('takes its recovery codes along when it was the last factor', async () => {
    const world = await createWorld();
    const person = await createPasskeyHolder(world);
    await world.request(`${factors}/${person.id}`, { method: 'DELETE', token: person.token });
    expect(await world.db.select().from(recoveryCodes)).toEqual([]);
    expect((await person.logIn()).status).toBe(200);
  });

  it('logs in beside an app and recovery codes, which stay as they are', async () => {
    const world = await createWorld();
    const person = await createGuarded(world);
    const passkey = await createPasskey();
    const added = await addPasskey(world, person.token, passkey);
    expect([added.status, added.body.data.recovery_codes]).toEqual([201, []]);
    const first = (await person.logIn()).body;
    expect(first.kinds).toEqual(['totp', 'passkey']);
    const assertion = await passkey.get(first.passkey);
    expect((await person.step({ challenge: first.challenge, assertion })).status).toBe(200);
    const by = async (proof: object) =>
      (await person.step({ challenge: await person.challenge(), ...proof })).status;
    expect(await by({ code: person.code() })).toBe(200);
    expect(await by({ recovery_code: person.recoveryCodes[0] })).toBe(200);
    await enrol(world, person.token);
    expect((await person.logIn()).body.kinds.sort()).toEqual(['passkey', 'totp']);
  });

  it('is told to other passkeys of the account, so that no device makes two', async () => {
    const world = await createWorld();
    const person = await createPasskeyHolder(world);
    const { body } = await beginPasskey(world, person.token);
    expect(body.data.public_key.excludeCredentials).toMatchObject([{ id: person.passkey.id }]);
    expect(codeOf(await addPasskey(world, person.token, person.passkey))).toBe('422 validation_failed');
    const stranger = await registerPatient(world);
    expect(codeOf(await addPasskey(world, stranger.token, person.passkey))).toBe('422 validation_failed');
  });

  it('is added once by an answer, to the account and the login that asked', async () => {
    const world = await createWorld();
    const [person, stranger] = [await registerPatient(world), await registerPatient(world)];
    const { challenge, public_key } = (await beginPasskey(world, person.token)).body.data;
    const body = { challenge, credential: await (await createPasskey()).create(public_key) };
    const add = (token: string, given: object = body) =>
      world.request(`${factors}/passkeys`, { token, body: given });
    expect((await add(stranger.token)).status).toBe(422);
    const got = await Promise.all([1, 2, 3].map(() => add(person.token)));
    expect(got.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    const [made] = await world.db.select().from(secondFactors);
    await world.request(`${factors}/${made?.id}`, { method: 'DELETE', token: person.token });
    expect((await add(person.token)).status).toBe(422);
    world.clock.now += 5 * minute;
    const late = { ...body, challenge: (await beginPasskey(world, person.token)).body.data.challenge };
    world.clock.now += 5 * minute;
    expect((await add(person.token, late)).status).toBe(422);
  });

  it('is added after another without a wait', async () => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const { token } = await registerPatient(world);
    for (let nth = 0; nth < 7; nth++)
      expect((await addPasskey(world, token, await createPasskey())).status).toBe(201);
  });

  it(`is one of at most ${maxPasskeys}`, async () => {
    const world = await createWorld();
    const { token } = await registerPatient(world);
    const begun = (await beginPasskey(world, token)).body.data;
    for (let nth = 0; nth < maxPasskeys; nth++)
      expect((await addPasskey(world, token, await createPasskey())).status).toBe(201);
    expect(codeOf(await beginPasskey(world, token))).toBe('409 too_many_passkeys');
    const credential = await (await createPasskey()).create(begun.public_key);
    const body = { challenge: begun.challenge, credential };
    expect((await world.request(`${factors}/passkeys`, { token, body })).status).toBe(422);
  });

  it('wants a login of the last ten minutes to be added, and logs other devices out with the first factor', async () => {
    const world = await createWorld();
    const person = await registerPatient(world);
    const other = await world.request('/v1/auth/login', { body: { email: person.email, password } });
    world.clock.now += 10 * minute + 1;
    expect(codeOf(await beginPasskey(world, person.token))).toBe('403 reauthentication_required');
    await world.request('/v1/auth/reauthenticate', { token: person.token, body: { password } });
    expect((await addPasskey(world, person.token, await createPasskey())).status).toBe(201);
    const profile = (token: string) => world.request('/v1/auth/profile', { token });
    expect((await profile(other.body.data.access_token)).status).toBe(401);
    expect((await profile(person.token)).status).toBe(200);
  });

  it('confirms who is there before a dangerous act, each challenge once, on the login that asked', async () => {
    for (const counts of [true, false]) {
      const world = await createWorld();
      const person = await createPasskeyHolder(world, await createPasskey('ES256', counts));
      const begin = (token = person.token) =>
        world.request('/v1/auth/reauthenticate/options', { method: 'POST', token });
      const confirm = (body: object) =>
        world.request('/v1/auth/reauthenticate', { token: person.token, body });
      world.clock.now += 11 * minute;
      expect(codeOf(await beginPasskey(world, person.token))).toBe('403 reauthentication_required');
      const { challenge, passkey } = (await begin()).body.data;
      const assertion = await person.passkey.get(passkey);
      const login = await person.answer();
      for (const wrong of [
        { assertion },
        { challenge: login.challenge, assertion: login.assertion },
        { challenge, assertion: await person.passkey.get(passkey, { origin: 'https://evil.example' }) },
      ])
        expect(codeOf(await confirm(wrong))).toBe('422 validation_failed');
      expect(codeOf(await beginPasskey(world, person.token))).toBe('403 reauthentication_required');
      const asked = (await begin()).body.data;
      const given = { challenge: asked.challenge, assertion: await person.passkey.get(asked.passkey) };
      world.clock.now += 1_000;
      expect((await confirm(given)).status).toBe(200);
      expect((await beginPasskey(world, person.token)).status).toBe(200);
      expect(codeOf(await confirm(given))).toBe('422 validation_failed');
    }
    const world = await createWorld();
    const { token } = await registerPatient(world);
    const none = await world.request('/v1/auth/reauthenticate/options', { method: 'POST', token });
    expect(codeOf(none)).toBe('409 second_factor_missing');
  });

  it('satisfies a role that has to have a second factor', async () => {
    const world = await createWorld({ REQUIRE_SECOND_FACTOR: 'staff' });
    const { token } = await createPerson(world, 'staff');
    const read = () => world.request('/v1/auth/profile', { token });
    expect(codeOf(await read())).toBe('403 second_factor_enrolment_required');
    expect((await addPasskey(world, token, await createPasskey())).status).toBe(201);
    expect((await read()).status).toBe(200);
  });

  it('is throttled as codes are, and is in the audit', async () => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const person = await createPasskeyHolder(world);
    const { challenge, assertion } = await person.answer();
    const wrong = { ...assertion, response: { ...assertion.response, signature: 'MAYCAQECAQE' } };
    const seen: string[] = [];
    for (let nth = 0; nth < 7; nth++) seen.push(codeOf(await person.step({ challenge, assertion: wrong })));
    expect([seen[0], seen.at(-1)]).toEqual([refused, '429 rate_limited']);
    world.clock.now += 60 * minute;
    expect((await person.step(await person.answer())).status).toBe(200);
    await world.request(`${factors}/${person.id}`, { method: 'DELETE', token: person.token });
    const events = (await world.db.select().from(securityEvents)).map(
      ({ type, detail }) => `${type} ${detail}`,
    );
    const told = (words: string) =>
      events.some((event) => words.split(' ').every((word) => event.includes(word)));
    expect(told('second_factor_added passkey')).toBe(true);
    expect(told('second_factor_failed')).toBe(true);
    expect(told('login "second_factor":"passkey"')).toBe(true);
  });

  it('belongs to the domain and pages of the settings', async () => {
    const world = await createWorld({
      PASSKEY_ORIGINS: 'https://app.klinik.example,https://meja.klinik.example',
      PASSKEY_DOMAIN: 'klinik.example',
    });
    const passkey = await createPasskey();
    Object.assign(passkey.home, { origin: 'https://meja.klinik.example', domain: 'klinik.example' });
    const person = await createPasskeyHolder(world, passkey);
    expect((await person.step(await person.answer({ origin: 'https://app.klinik.example' }))).status).toBe(
      200,
    );
    expect(codeOf(await person.step(await person.answer({ origin: 'https://lain.klinik.example' })))).toBe(
      refused,
    );
    expect(codeOf(await person.step(await person.answer({ domain: 'app.klinik.example' })))).toBe(refused);
  });
});

describe('the signature of a passkey', () => {
  it('is read as the two numbers that it is, of whatever length', () => {
    for (let nth = 0; nth < 500; nth++) {
      const raw = crypto.getRandomValues(new Uint8Array(64));
      raw.fill(0, 0, nth % 4);
      raw.fill(0, 32, 32 + (nth % 3));
      expect(rawSignature(derOf(raw))).toEqual(raw);
    }
  });

  it('is nothing else', () => {
    const whole = derOf(crypto.getRandomValues(new Uint8Array(64)));
    for (const wrong of [
      new Uint8Array(),
      whole.slice(0, -1),
      Uint8Array.from([...whole, 0]),
      Uint8Array.from([0x31, ...whole.slice(1)]),
      Uint8Array.from([0x30, 4, 2, 0, 2, 0]),
      Uint8Array.from([0x30, 37, 2, 33, ...new Uint8Array(33).fill(1)]),
    ])
      expect(rawSignature(wrong)).toBeNull();
  });
});
