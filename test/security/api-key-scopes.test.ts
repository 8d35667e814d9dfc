import { beforeAll, describe, expect, it } from 'vitest';
import { type Endpoint, type Scope, scopes } from '../../src/core/endpoint/endpoint.ts';
import { addKey } from '../support/keys.ts';
import { createScene, endpoints, nameOf, type Scene } from '../support/scene.ts';
import { bodyFor, requestPath } from '../support/shapes.ts';

const takesToken = ({ access, takesToken }: Endpoint) => access !== 'public' || takesToken === true;
const taking = endpoints.filter(takesToken);
const named = (contracts: readonly Endpoint[]) =>
  contracts.map((contract) => [nameOf(contract), contract] as const);
const scoped = taking.filter(({ scope }) => scope !== undefined);
const personal = taking.filter(({ scope }) => scope === undefined);

// One scene for those who are refused: they change nothing.
let scene: Scene;
const keys = new Map<string, string>();
const keyFor = async (world: Scene['world'], granted: readonly Scope[]): Promise<string> =>
  (await addKey(world, granted)).token;

beforeAll(async () => {
  scene = await createScene();
  keys.set('none', await keyFor(scene.world, []));
  keys.set('all', await keyFor(scene.world, scopes));
  for (const scope of scopes)
    keys.set(
      `not ${scope}`,
      await keyFor(
        scene.world,
        scopes.filter((other) => other !== scope),
      ),
    );
});

const ask = (to: Scene, contract: Endpoint, token: string | undefined) => {
  const method = contract.method.toUpperCase();
  const body = contract.body === undefined ? {} : bodyFor(to, contract);
  return to.world.request(requestPath(to, contract), { method, token, ...(method !== 'GET' && { body }) });
};

const challenge = (scope: Scope | undefined) =>
  `Bearer realm="janji", error="insufficient_scope"${scope === undefined ? '' : `, scope="${scope}"`}`;

const expectRefused = async (contract: Endpoint, key: string) => {
  const answer = await ask(scene, contract, keys.get(key));
  expect(answer).toMatchObject({
    status: 403,
    body: { code: 'insufficient_scope', scope: contract.scope ?? null },
  });
  expect(answer.headers.get('WWW-Authenticate')).toBe(challenge(contract.scope));
  expect(answer.body.data).toBeUndefined();
};

describe('a key without any scope', () => {
  it.each(named(taking))('is refused, with the scope that it would need: %s', (_name, contract) =>
    expectRefused(contract, 'none'),
  );
});

describe('a key with every other scope', () => {
  it.each(named(scoped))('is refused: %s', (_name, contract) =>
    expectRefused(contract, `not ${contract.scope}`),
  );
});

describe('a key with every scope there is', () => {
  it.each(named(personal))('cannot do what only people may do: %s', (_name, contract) =>
    expectRefused(contract, 'all'),
  );

  it('reaches no key, person, role, second factor, own account, family or audit trail, and no merge', () => {
    const reached = scoped.map(({ path }) => path);
    const forbidden =
      /^\/v1\/auth\/|\/v1\/admin\/(api-keys|people|security-events)|\/v1\/family|\/(merge|claim-code|history)$/;
    expect(reached.filter((path) => forbidden.test(path))).toEqual([]);
    // An endpoint that requires a recent login requires a person; the key for exports was given for that alone.
    const confirmed = scoped.filter(({ recentLogin }) => recentLogin !== undefined);
    expect(confirmed.filter(({ scope }) => scope !== 'export:read')).toEqual([]);
  });

  it('has a use for each of them', () => {
    // FHIR and BPJS have endpoints of their own, outside of `/v1`.
    const used = new Set([...scoped.map(({ scope }) => scope), 'fhir:read', 'fhir:write', 'antrean:write']);
    expect(scopes.filter((scope) => !used.has(scope))).toEqual([]);
  });
});

describe('a key with only the right scope', () => {
  const isRead = ({ method }: Endpoint) => method === 'get';

  it.each(named(scoped.filter(isRead)))('may read: %s', async (_name, contract) => {
    const token = await keyFor(scene.world, [contract.scope as Scope]);
    expect((await ask(scene, contract, token)).status).toBe(200);
  });

  // Each in a scene of its own, which takes the place of the one before on D1.
  const writes = scoped.filter((contract) => !isRead(contract));
  it.each(named(writes))('may write: %s', async (_name, contract) => {
    const own = await createScene({ SELF_CHECK_IN_MINUTES: '720' });
    const token = await keyFor(own.world, [contract.scope as Scope]);
    const { status } = await ask(own, contract, token);
    // A sample body may not fit the state; the missing right is answered before anything else.
    expect([401, 403, 404]).not.toContain(status);
    expect(status).toBeLessThan(500);
  });
});

describe('a key that asks more often than it may', () => {
  it('is refused at every route that takes it, before the database is asked', async () => {
    const own = await createScene({ RATE_LIMIT: 'on', API_KEY_REQUESTS_PER_MINUTE: '1' });
    const token = await keyFor(own.world, scopes);
    expect((await own.world.request('/v1/doctors', { token })).status).toBe(200);
    for (const contract of taking) {
      const { status, body, headers } = await ask(own, contract, token);
      expect(`${nameOf(contract)} ${status} ${body.code}`).toBe(`${nameOf(contract)} 429 rate_limited`);
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
      expect(headers.get('RateLimit')).toMatch(/^"requests";r=0;t=\d+$/);
      expect(headers.get('RateLimit-Policy')).toBe('"requests";q=1;w=60');
    }
  });
});
