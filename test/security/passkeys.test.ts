import { describe, expect, it } from 'vitest';
import { recoveryCodes } from '../../src/core/tables/factors.ts';
import { rawSignature } from '../../src/modules/auth/passkeys/keys.ts';
import { createPasskey, derOf } from '../support/authenticator.ts';
import { codeOf, createGuarded, enrol, factors } from '../support/factors.ts';
import { addPasskey, beginPasskey, createPasskeyHolder } from '../support/passkeys.ts';
import { createWorld, password, registerPatient } from '../support/world.ts';

const minute = 60_000;

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

  it('that is synced always sends 0, and is accepted once for each challenge', async () => {
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
