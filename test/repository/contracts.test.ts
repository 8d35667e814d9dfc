import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '../../src/core/endpoint/endpoint.ts';
import { contracts } from '../../src/interface/contracts.ts';
import { createWorld } from '../support/world.ts';

const named = (method: string, path: string) =>
  `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}[^/]*/g, ':$1')}`;

// Routes that are not part of the API: middleware, and pages, their files, the logo and photos.
const isInterface = (method: string, path: string) =>
  method !== 'ALL' &&
  !/^\/(docs|openapi(-webhooks)?\.json|metrics|assets|logo|dokter|foto|robots\.txt|sitemap\.xml|pasien|konsol|layar|kios|mulai|notices|$)/.test(
    path,
  );

it('has a contract for every mounted route, and a route for every contract', async () => {
  const { app } = await createWorld();
  const mounted = app.routes.filter(({ method, path }) => isInterface(method, path));
  const routes = new Set(mounted.map(({ method, path }) => named(method, path)));
  const promised = Object.values(contracts).map(({ method, path }) => named(method, path));
  expect([...routes].sort()).toEqual([...new Set(promised)].sort());
  expect(promised).toHaveLength(new Set(promised).size);
});

it('takes an Idempotency-Key at every POST outside of auth whose repeat would change something', () => {
  const without = Object.values(contracts)
    .filter(({ method, idempotent, repeatable }) => method === 'post' && !idempotent && !repeatable)
    .map(({ path }) => path)
    .filter((path) => !path.startsWith('/v1/auth/'));
  expect(without, 'add `idempotent: true` to its contract, or `repeatable: true` and why').toEqual([]);
});

it('makes each shape of a contract when it is first asked for, and once', () => {
  const made: string[] = [];
  const shape = (part: string) => () => {
    made.push(part);
    return z.object({});
  };
  const contract = endpoint({
    method: 'post',
    path: '/v1/example',
    tag: 'example',
    summary: 'Example',
    access: 'public',
    params: shape('params'),
    query: shape('query'),
    body: shape('body'),
    returns: { 200: { description: 'Done.', data: shape('data'), meta: shape('meta') } },
    fails: [],
  });
  expect(made).toEqual([]);
  const { params, query, body, returns } = contract;
  for (const part of [params, query, body, returns[200].data, returns[200].meta]) expect(part()).toBe(part());
  expect(made).toEqual(['params', 'query', 'body', 'data', 'meta']);
});
