import { describe, expect, it } from 'vitest';
import { securityEvents } from '../../src/core/tables/accounts.ts';
import { secondFactors } from '../../src/core/tables/factors.ts';
import { maxPasskeys } from '../../src/modules/auth/passkeys/rules.ts';
import { createPasskey } from '../support/authenticator.ts';
import { codeOf, factors } from '../support/factors.ts';
import { addPasskey, beginPasskey, createPasskeyHolder } from '../support/passkeys.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, password, registerPatient } from '../support/world.ts';

const minute = 60_000;

const refused = '401 second_factor_invalid';

describe('a passkey', () => {
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

  it('is excluded for devices that already have a passkey of the account', async () => {
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

  it('needs a login of the last ten minutes to be added, and logs other devices out with the first factor', async () => {
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
