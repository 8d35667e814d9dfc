import { expect, it } from 'vitest';
import { contracts } from '../../src/contracts.ts';
import { createWorld } from '../support/world.ts';

const named = (method: string, path: string) =>
  `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;

// What is served without being part of the interface: middleware, and the reference's own pages and files.
const isInterface = (method: string, path: string) =>
  method !== 'ALL' && !/^\/(docs|openapi\.json|metrics)/.test(path);

it('has a contract for every mounted route, and a route for every contract', async () => {
  const { app } = await createWorld();
  const mounted = app.routes.filter(({ method, path }) => isInterface(method, path));
  const routes = new Set(mounted.map(({ method, path }) => named(method, path)));
  const promised = Object.values(contracts).map(({ method, path }) => named(method, path));
  expect([...routes].sort()).toEqual([...new Set(promised)].sort());
  expect(promised).toHaveLength(new Set(promised).size);
});
