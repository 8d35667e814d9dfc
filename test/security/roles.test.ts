import { beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src/core/endpoint/endpoint.ts';
import { users } from '../../src/core/tables/accounts.ts';
import { createScene, endpoints, nameOf, refusedRoles, type Scene } from '../support/scene.ts';
import { bodyFor, requestPath } from '../support/shapes.ts';

const guarded = endpoints.filter((contract) => refusedRoles(contract).length > 0);

// One scene for all: a refused caller changes nothing, and a test checks that.
let scene: Scene;
let before: unknown;
const rolesNow = async () => (await scene.world.db.select().from(users)).map(({ id, role }) => [id, role]);

beforeAll(async () => {
  scene = await createScene();
  before = await rolesNow();
});

const cases = guarded.flatMap((contract) =>
  refusedRoles(contract).map((role) => [role, nameOf(contract), contract] as const),
);

describe('a role that may not', () => {
  it.each(cases)('%s: %s', async (role, _name, contract) => {
    const { token } = scene.people[role];
    const method = contract.method.toUpperCase();
    const sent = { method, token, ...(method !== 'GET' && { body: bodyFor(scene, contract) }) };
    const answer = await scene.world.request(requestPath(scene, contract), sent);
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(answer.body.data).toBeUndefined();
  });

  it('has changed nobody by asking', async () => {
    expect(await rolesNow()).toEqual(before);
  });
});

describe('a role that may', () => {
  it('is never told that it may not', async () => {
    const own = await createScene();
    const outcomes: string[] = [];
    for (const contract of endpoints.filter(
      ({ access, method }) => Array.isArray(access) && method === 'get',
    ))
      for (const role of contract.access as readonly Role[]) {
        const { token } = own.people[role];
        const { status } = await own.world.request(requestPath(own, contract), { token });
        outcomes.push(`${role} ${nameOf(contract)} ${status}`);
      }
    expect(outcomes.filter((line) => !line.endsWith(' 200'))).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(10);
  });
});
