import { describe, expect, it } from 'vitest';
import { createPerson } from '../support/people.ts';
import { createScene, endpoints, nameOf, pathFor } from '../support/scene.ts';
import { createWorld, registerPatient, type World } from '../support/world.ts';

const profileWith = (world: World, headers: [string, string][], path = '/v1/auth/profile') =>
  world.app.request(`http://localhost${path}`, { headers });

describe('a token counts in only one place:', () => {
  it.each([
    ['Basic', (token: string) => `Basic ${token}`],
    ['Digest', (token: string) => `Digest ${token}`],
    ['Token', (token: string) => `Token ${token}`],
    ['no scheme', (token: string) => token],
    ['a scheme without a space', (token: string) => `Bearer${token}`],
    ['a scheme alone', () => 'Bearer'],
    ['the scheme twice', (token: string) => `Bearer Bearer ${token}`],
    ['quotation marks', (token: string) => `Bearer "${token}"`],
    ['a second token behind it', (token: string) => `Bearer ${token} ${token}`],
    ['parameters behind it', (token: string) => `Bearer ${token}, realm="x"`],
  ] as const)('not under %s', async (_name, write) => {
    const world = await createWorld();
    const { token } = await createPerson(world);
    expect((await profileWith(world, [['Authorization', write(token)]])).status).toBe(401);
  });

  it('not in two Authorization headers, even equal ones', async () => {
    const world = await createWorld();
    const { token } = await createPerson(world);
    const other = await createPerson(world, 'admin');
    for (const second of [token, other.token, 'x']) {
      const headers: [string, string][] = [
        ['Authorization', `Bearer ${token}`],
        ['Authorization', `Bearer ${second}`],
      ];
      expect((await profileWith(world, headers)).status).toBe(401);
    }
  });

  it.each(['access_token', 'token', 'authorization', 'bearer'])('not in the query, as %s', async (name) => {
    const world = await createWorld();
    const { token } = await createPerson(world);
    const answer = await profileWith(world, [], `/v1/auth/profile?${name}=${token}`);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer realm="janji"');
  });

  it('not in a cookie, a body or another header', async () => {
    const world = await createWorld();
    const { token } = await createPerson(world);
    for (const name of ['Cookie', 'X-Access-Token', 'Proxy-Authorization'])
      expect((await profileWith(world, [[name, `access_token=${token}`]])).status).toBe(401);
    const logout = await world.request('/v1/auth/logout', { body: { access_token: token } });
    expect(logout.status).toBe(401);
  });

  it('under a scheme in any case, as RFC 9110 has it', async () => {
    const world = await createWorld();
    const { token } = await createPerson(world);
    for (const scheme of ['bearer', 'BEARER'])
      expect((await profileWith(world, [['Authorization', `${scheme} ${token}`]])).status).toBe(200);
  });
});

describe('tokens of two kinds', () => {
  it('cannot replace each other', async () => {
    const world = await createWorld();
    const { token, refreshToken } = await registerPatient(world);
    expect((await world.request('/v1/auth/profile', { token: refreshToken })).status).toBe(401);
    const body = { refresh_token: token.slice(0, 200) };
    expect((await world.request('/v1/auth/refresh', { body })).status).toBe(401);
    const reset = { token: refreshToken, password: 'sandi-yang-baru-42' };
    const answer = await world.request('/v1/auth/password/reset', {
      body: { ...reset, password_confirmation: reset.password },
    });
    expect(answer.body.code).toBe('reset_token_invalid');
  });
});

describe('a public endpoint that takes a token', () => {
  // What a hold shows depends on its secret: test/booking/holds.
  const taking = endpoints.filter(({ takesToken, holdSecret }) => takesToken === true && !holdSecret);

  it.each(taking.map((contract) => [nameOf(contract), contract] as const))(
    '%s refuses one that is not good, and asks for none',
    async (_name, contract) => {
      const scene = await createScene();
      const path = pathFor(scene, contract);
      expect(await scene.world.request(path)).toMatchObject({ status: 200 });
      expect(await scene.world.request(path, { token: 'e30.e30.e30' })).toMatchObject({
        status: 401,
        body: { code: 'unauthenticated' },
      });
      const { token } = scene.people.staff;
      const known = await scene.world.request(path, { token });
      expect([known.status, known.headers.get('Cache-Control')]).toEqual([200, 'private, no-cache']);
      expect(known.headers.get('Vary')).toContain('Authorization');
    },
  );
});

describe('without a token', () => {
  const guarded = endpoints.filter(({ access }) => access !== 'public');

  it.each(guarded.map((contract) => [nameOf(contract), contract] as const))(
    '%s answers 401 and how to ask, and nothing else',
    async (_name, { method, path }) => {
      const world = await createWorld();
      const sent = { method: method.toUpperCase(), ...(method !== 'get' && { body: {} }) };
      const answer = await world.request(path.replaceAll(/\{\w+\}/g, crypto.randomUUID()), sent);
      expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
      expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer realm="janji"');
      expect(answer.headers.get('Cache-Control')).toBe('no-store');
      expect(Object.keys(answer.body).sort()).toEqual(['code', 'message', 'request_id', 'status']);
    },
  );
});
