import { describe, expect, it } from 'vitest';
import { issueAccessToken } from '../../src/modules/auth/tokens.ts';
import { claimsOf, type Forgery, forged, headerOf } from '../support/forge.ts';
import { addDevice, createPerson } from '../support/people.ts';
import { profile } from '../support/refresh.ts';
import { started } from '../support/token-owner.ts';

const now = () => Math.floor(Date.parse('2026-11-23T00:00:00Z') / 1000);

const forgeries: Readonly<Record<string, Forgery>> = {
  'alg none without a signature': { header: { alg: 'none' }, signature: '' },
  'alg none with the genuine signature kept': { header: { alg: 'none' } },
  'alg nOnE': { header: { alg: 'nOnE' }, signature: '' },
  'no alg': { header: { alg: undefined } },
  'alg HS384, signed so': { header: { alg: 'HS384' }, hash: 'SHA-384' },
  'alg HS512, signed so': { header: { alg: 'HS512' }, hash: 'SHA-512' },
  'alg swapped to RS256': { header: { alg: 'RS256' } },
  'alg as a list': { header: { alg: ['HS256'] } },
  'no typ': { header: { typ: undefined } },
  'the typ of another kind of token': { header: { typ: 'at+jwt' } },
  'no kid': { header: { kid: undefined } },
  'an unknown kid': { header: { kid: 'AAAAAAAAAAAA' } },
  'a kid that is a path': { header: { kid: '../../../../dev/null' }, secret: 'x' },
  'a kid that is SQL': { header: { kid: "' union select 'x' --" }, secret: 'x' },
  'a key of its own in the header': { header: { jwk: { kty: 'oct', k: 'eA' } }, secret: 'x' },
  'critical extensions that nobody knows': { header: { crit: ['x'], x: 1 } },
  'another secret': { secret: 'another-secret-that-is-long-enough-0123456789' },
  'no iss': { claims: { iss: undefined } },
  'another iss': { claims: { iss: 'https://evil.example' } },
  'no aud': { claims: { aud: undefined } },
  'another aud': { claims: { aud: 'another-service' } },
  'no sub': { claims: { sub: undefined } },
  'a sub that is a number': { claims: { sub: 1 } },
  'no sid': { claims: { sid: undefined } },
  'a sid that is a list': { claims: { sid: ['x'] } },
  'no role': { claims: { role: undefined } },
  'no iat': { claims: { iat: undefined } },
  'an iat in the future': { claims: { iat: now() + 31 } },
  'an iat that is text': { claims: { iat: String(now()) } },
  'no exp': { claims: { exp: undefined } },
  'an nbf in the future': { claims: { nbf: now() + 31 } },
  'an nbf that is text': { claims: { nbf: String(now()) } },
  'an nbf that is null': { claims: { nbf: null } },
  'a gen that is text': { claims: { gen: '1' } },
  'an exp that has come': { claims: { exp: now() } },
  'an exp that is text': { claims: { exp: '99999999999' } },
  'an exp that is no whole number': { claims: { exp: now() + 0.5 } },
  'an exp beyond all numbers': { payload: (genuine) => genuine.replace(/"exp":\d+/, '"exp":1e400') },
  'a payload that is a list': { payload: () => '[]' },
  'a payload that is text': { payload: () => '"admin"' },
  'a payload that is null': { payload: () => 'null' },
  'a payload that is no JSON': { payload: () => 'exp=99999999999' },
};

describe('a forged token opens nothing:', () => {
  it.each(Object.keys(forgeries))('%s', async (name) => {
    const { world, person } = await started();
    const answer = await profile(world, await forged(person.token, forgeries[name] as Forgery));
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer realm="janji", error="invalid_token"');
    // The base of the forgeries is accepted, so that each fails for its own reason.
    expect((await profile(world, await forged(person.token, {}))).status).toBe(200);
  });

  it("somebody else's device login under one's own name", async () => {
    const { world, person } = await started();
    const other = await createPerson(world, 'admin');
    for (const claims of [{ sid: other.deviceLoginId }, { sub: other.id }])
      expect((await profile(world, await forged(person.token, { claims }))).status).toBe(401);
  });

  it('a role of one’s own choice: the database says who one is', async () => {
    const { world, person } = await started();
    const token = await forged(person.token, { claims: { role: 'admin' } });
    expect((await profile(world, token)).body.data.role).toBe('patient');
    expect((await world.request('/v1/admin/people', { token })).status).toBe(403);
  });
});

describe('the text of a token', () => {
  it('counts to its last bit: the unused ones of the signature are no second spelling', async () => {
    const { world, person } = await started();
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = alphabet.indexOf(person.token.at(-1) ?? '');
    for (const garbage of [1, 2, 3]) {
      const twin = person.token.slice(0, -1) + alphabet[last ^ garbage];
      expect((await profile(world, twin)).status).toBe(401);
    }
  });

  it('counts at every place of its signature', async () => {
    const { world, person } = await started();
    const from = person.token.lastIndexOf('.') + 1;
    for (let at = from; at < person.token.length; at++) {
      const other = person.token[at] === 'A' ? 'E' : 'A';
      const changed = person.token.slice(0, at) + other + person.token.slice(at + 1);
      expect(`${at} ${(await profile(world, changed)).status}`).toBe(`${at} 401`);
    }
  });

  it.each([
    ['padding', (token: string) => `${token}=`],
    ['a fourth part', (token: string) => `${token}.AAAA`],
    ['only two parts', (token: string) => token.split('.').slice(0, 2).join('.')],
    ['parts that are empty', () => '..'],
    ['the parts of two tokens', (token: string) => `${token},${token}`],
    ['a dot before it', (token: string) => `.${token}`],
    ['the other alphabet of base64', (token: string) => `${token.slice(0, -1)}+`],
    ['more than a thousand characters', (token: string) => token.replace('.', `${'A'.repeat(1_200)}.`)],
  ] as const)('has one form alone: not %s', async (_name, change) => {
    const { world, person } = await started();
    expect((await profile(world, change(person.token))).status).toBe(401);
  });

  it('has at most 1,024 characters, however well it is signed', async () => {
    const { world, person } = await started();
    for (const [length, status] of [
      [300, 200],
      [800, 401],
    ] as const) {
      const token = await forged(person.token, { claims: { more: 'A'.repeat(length) } });
      expect(token.length > 1_024).toBe(status === 401);
      expect((await profile(world, token)).status).toBe(status);
    }
  });

  it('has every claim that the service checks', async () => {
    const { world, person } = await started();
    const token = await issueAccessToken(
      world.deps.tokenKeys,
      { userId: person.id, deviceLoginId: person.deviceLoginId, role: 'patient' },
      world.clock.now,
      3600,
    );
    expect(Object.keys(claimsOf(token)).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'role', 'sid', 'sub']);
    expect(Object.keys(headerOf(token)).sort()).toEqual(['alg', 'kid', 'typ']);
  });
});

describe('what is remembered of verified tokens', () => {
  it('is bounded: the oldest is forgotten for the newest', async () => {
    const { world, person } = await started();
    const { verified } = world.deps.tokenKeys;
    const claims = { userId: '', deviceLoginId: '', issuedAtSeconds: 0, expiresAtSeconds: 0 };
    for (let nth = 0; nth < 10_000; nth++) verified.set(`token ${nth}`, claims);
    expect((await profile(world, person.token)).status).toBe(200);
    expect([verified.size, verified.has('token 0'), verified.has('token 1')]).toEqual([10_000, false, true]);
    expect(verified.has(`Bearer ${person.token}`)).toBe(true);
  });
});

describe('the time of a token', () => {
  it('is over with the very second of its exp', async () => {
    const { world, person } = await started();
    const { exp } = claimsOf(person.token) as { exp: number };
    world.clock.now = exp * 1000 - 1;
    expect((await profile(world, person.token)).status).toBe(200);
    world.clock.now = exp * 1000;
    expect((await profile(world, person.token)).status).toBe(401);
  });

  it('may begin 30 seconds from now, for clocks that differ, and no later', async () => {
    const { world, person } = await started();
    for (const claims of [{ iat: now() + 30 }, { nbf: now() + 30 }]) {
      const token = await forged(person.token, { claims });
      expect((await profile(world, token)).status).toBe(200);
    }
  });

  it('begins with its nbf, also once its signature is known to hold', async () => {
    const { world, person } = await started();
    const token = await forged(person.token, { claims: { nbf: now() + 90 } });
    expect((await profile(world, token)).status).toBe(401);
    world.clock.now += 59_000;
    expect((await profile(world, token)).status).toBe(401);
    world.clock.now += 1_000;
    expect((await profile(world, token)).status).toBe(200);
  });

  it('is over with the device login, whatever its exp says', async () => {
    const { world, person } = await started();
    const token = await forged(person.token, { claims: { exp: now() + 400 * 86_400 } });
    // A use makes it last longer: the two are asked apart.
    world.clock.now += 30 * 86_400_000;
    expect((await profile(world, token)).status).toBe(401);
    world.clock.now -= 1;
    expect((await profile(world, token)).status).toBe(200);
  });
});

describe('after logout', () => {
  it('the token is refused from the next request on, though its signature is known to hold', async () => {
    const { world, person } = await started();
    expect((await profile(world, person.token)).status).toBe(200);
    await world.request('/v1/auth/logout', { method: 'POST', token: person.token });
    expect((await profile(world, person.token)).status).toBe(401);
  });

  it('no other spelling and no other token of the same login opens anything', async () => {
    const { world, person } = await started();
    const other = await forged(person.token, { claims: { exp: now() + 7200 } });
    expect((await profile(world, other)).status).toBe(200);
    await world.request('/v1/auth/logout', { method: 'POST', token: person.token });
    const flipped = person.token.slice(0, -1) + (person.token.endsWith('A') ? 'E' : 'A');
    for (const token of [other, flipped, `${person.token}=`])
      expect((await profile(world, token)).status).toBe(401);
  });

  it('the other devices of the person stay', async () => {
    const { world, person } = await started();
    const { token } = await addDevice(world, person.id);
    await world.request('/v1/auth/logout', { method: 'POST', token: person.token });
    expect((await profile(world, token)).status).toBe(200);
  });
});
