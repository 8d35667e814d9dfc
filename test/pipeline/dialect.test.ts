import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createApp } from '../../src/app.ts';
import { endpoint } from '../../src/core/endpoint/endpoint.ts';
import { Failure } from '../../src/core/endpoint/errors.ts';
import { identifyKey } from '../../src/modules/auth/keys/use.ts';
import type { Spoken } from '../../src/modules/handler.ts';
import { addKey } from '../support/keys.ts';
import { createPerson } from '../support/people.ts';
import { linesOf } from '../support/trail.ts';
import { createWorld, type World } from '../support/world.ts';

const common = { tag: 'Toy', summary: 'Toy', fails: [] } as const;
const returns = { 201: { description: 'Done' } } as const;
const Say = endpoint({
  ...common,
  method: 'post',
  path: '/toy/say',
  access: 'bearer',
  scope: 'queue:write',
  idempotent: true,
  body: () => z.object({ word: z.string() }),
  returns,
});
const Search = endpoint({
  ...common,
  method: 'post',
  path: '/toy/_search',
  access: 'bearer',
  scope: 'queue:write',
  searches: true,
  discloses: 'list',
  body: () => z.looseObject({}),
  returns,
});
const Greet = endpoint({ ...common, method: 'get', path: '/toy/greet', access: 'public', returns });

const write = (value: object) => ({
  status: 200,
  raw: JSON.stringify(value),
  headers: { 'Content-Type': 'application/toy+json' },
});

/** Takes any type of body, answers 200 always, and names its caller by a header of its own. */
const toy: Spoken = {
  dialect: {
    base: '/toy',
    assertAcceptable: ({ header }) => {
      if (header('accept') === 'text/plain') throw new Failure('invalid_header');
    },
    toJson: (body, contentType, path) =>
      contentType.startsWith('text/csv') ? JSON.stringify({ word: body, path }) : body,
    writeSuccess: ({ status, data, headers }) => ({
      ...write({ code: status, data }),
      ...(headers && { headers }),
    }),
    writeFailure: ({ code, message, issues }) => write({ code, message, issues }),
    identify: (deps, header, now) => identifyKey(deps, header('x-token') ?? '', now),
  },
  mountRoutes: (mount) => {
    mount(Say, {
      answer: ({ body, actor, toStoredResponse }) => {
        toStoredResponse({ status: 201 });
        return { status: 201, data: { word: body.word, role: actor.role } };
      },
    });
    mount(Search, { answer: () => ({ status: 201, data: [] }) });
    mount(Greet, { answer: () => ({ status: 201, data: 'hello' }) });
  },
};

let world: World;
let ask: (path: string, init?: RequestInit) => Promise<Response>;
beforeEach(async () => {
  world = await createWorld();
  const app = createApp(world.deps, undefined, [toy]);
  ask = async (path, init) => app.request(path, init);
});
const json = async (response: Response | Promise<Response>) => (await response).json() as Promise<object>;

describe('a dialect', () => {
  it('reads bodies of its own types, with the type they came with or none, and names the caller by its own header', async () => {
    const { token: key } = await addKey(world, ['queue:write']);
    const say = (body: string, type?: string) =>
      json(
        ask('/toy/say', {
          method: 'POST',
          body: new TextEncoder().encode(body),
          headers: { 'x-token': key, ...(type !== undefined && { 'Content-Type': type }) },
        }),
      );
    const spoken = { code: 201, data: { word: 'halo', role: 'api_key' } };
    const text = '{"word":"halo"}';
    for (const type of [undefined, 'application/json', 'text/plain', 'application/x-www-form-urlencoded'])
      expect(await say(text, type)).toEqual(spoken);
    expect(await say('halo', 'text/csv')).toEqual(spoken);
    expect(await say('{', 'text/plain')).toMatchObject({ code: 'malformed_json' });
    expect(await say('{}', 'text/plain')).toMatchObject({
      code: 'validation_failed',
      issues: [{ path: 'word', rule: 'required', message: 'Wajib diisi.' }],
    });
  });

  it('writes every failure in its own form: callers, scopes, sizes, methods and unknown paths', async () => {
    const { token: key } = await addKey(world, ['queue:write']);
    const { token: other } = await addKey(world, ['bookings:read']);
    const { token } = await createPerson(world);
    const post = (headers: Record<string, string>, body = '{"word":"a"}') =>
      ask('/toy/say', { method: 'POST', body, headers });
    const answers: readonly [Promise<Response>, string][] = [
      [post({}), 'unauthenticated'],
      [post({ Authorization: `Bearer ${token}` }), 'unauthenticated'],
      [post({ 'x-token': other }), 'insufficient_scope'],
      [post({ 'x-token': key }, ' '.repeat(70_000)), 'payload_too_large'],
      [post({ 'x-token': key, Accept: 'text/plain' }), 'invalid_header'],
      [ask('/toy/say'), 'method_not_allowed'],
      [ask('/toy/nothing'), 'not_found'],
      [ask('/toy'), 'not_found'],
    ];
    for (const [answer, code] of answers) {
      const { status, headers } = await answer;
      expect([status, headers.get('Content-Type')]).toEqual([200, 'application/toy+json']);
      expect(await json(answer)).toMatchObject({ code });
    }
  });

  it('changes nothing outside its path, and answers a public endpoint too', async () => {
    expect(await json(ask('/toy/greet'))).toEqual({ code: 201, data: 'hello' });
    const outside = await ask('/toys');
    expect(outside.status).toBe(404);
    expect(await json(outside)).toMatchObject({ status: 'error', code: 'not_found' });
    const csv = await ask('/v1/auth/login', {
      method: 'POST',
      body: 'a',
      headers: { 'Content-Type': 'text/csv' },
    });
    expect(csv.status).toBe(415);
  });

  it('writes the audit line of a list for a search by POST, with its filters', async () => {
    const { token: key } = await addKey(world, ['queue:write']);
    await ask('/toy/_search', { method: 'POST', body: '{"patient":"rahasia"}', headers: { 'x-token': key } });
    const line = (await linesOf(world)).find(({ type }) => type === 'list_read');
    expect(line?.detail).toContain('patient');
    expect(line?.detail).not.toContain('rahasia');
  });
});
