import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { AppEnv } from '../../src/core/http/context.ts';
import { introduce, type Serve } from '../../src/core/http/observed.ts';
import { GetProfile } from '../../src/modules/auth/login/contract.ts';
import { GetDoctor } from '../../src/modules/catalog/slots/contract.ts';
import { mounter } from '../../src/pipeline/mount.ts';
import { createPerson } from '../support/people.ts';
import { createWorld } from '../support/world.ts';

const setUp = async () => {
  const world = await createWorld();
  const app = new Hono<AppEnv>();
  const serve: Serve = (method, path, handle) =>
    void app.on([method], [path], (c) => {
      introduce(c);
      return handle(c);
    });
  const request = (path: string, init?: RequestInit) => app.request(path, init, { deps: world.deps });
  return { world, request, mount: mounter(serve) };
};

describe('what a handler is given', () => {
  it('names nobody at a public endpoint, neither to the compiler nor at run time', async () => {
    const { request, mount } = await setUp();
    let given: object = {};
    mount(GetDoctor, {
      // @ts-expect-error Nobody has proved who asks.
      reads: ({ caller }) => (caller === undefined ? [] : [caller]),
      answer: (known) => {
        given = known;
        // @ts-expect-error Nobody is known to ask.
        return { status: 200, data: known.actor };
      },
    });
    expect((await request(`/v1/doctors/${crypto.randomUUID()}`)).status).toBe(200);
    for (const name of ['actor', 'caller', 'login', 'keep']) expect(given).not.toHaveProperty(name);
    expect(given).toHaveProperty('params.id');
  });

  it('names who asks at an endpoint that takes a token, as the database has them', async () => {
    const { world, request, mount } = await setUp();
    const person = await createPerson(world);
    let given: object = {};
    mount(GetProfile, {
      answer: (known) => {
        given = known;
        return { status: 200, data: { id: known.actor.userId } };
      },
    });
    const headers = { Authorization: `Bearer ${person.token}` };
    expect((await request('/v1/auth/profile', { headers })).status).toBe(200);
    expect(given).toMatchObject({
      actor: { userId: person.id, role: 'patient' },
      login: { user: expect.stringContaining(person.email) },
    });
  });
});
