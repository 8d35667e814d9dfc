import { RegExpRouter } from 'hono/router/reg-exp-router';
import { SmartRouter } from 'hono/router/smart-router';
import { TrieRouter } from 'hono/router/trie-router';
import { expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { CachedRouter } from '../../src/core/http/router.ts';
import { createWorld } from '../support/world.ts';

it('a path finds the handlers that Hono’s own routers find, each time, but that a literal is no parameter', async () => {
  const world = await createWorld();
  const { routes } = createApp(world.deps);
  const own = new SmartRouter<string>({ routers: [new RegExpRouter(), new TrieRouter()] });
  const cached = new CachedRouter<string>();
  for (const router of [own, cached])
    for (const { method, path } of routes) router.add(method, path, `${method} ${path}`);
  const literals = Map.groupBy(
    routes.filter(({ method, path }) => method !== 'ALL' && !/[:*]/.test(path)),
    ({ path }) => path,
  );
  const knows = (method: string, path: string) =>
    literals.get(path)?.some((route) => route.method === method) !== false;
  const paths = new Set(routes.flatMap(({ path }) => [path, path.replaceAll(/:\w+/g, 'x'), `${path}/x`]));
  expect(paths.size).toBeGreaterThan(100);
  for (const path of paths)
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'OPTIONS'])
      for (let times = 0; times < 3; times++) {
        const expected = own.match(knows(method, path) ? method : 'ALL', path);
        expect([method, path, cached.match(method, path)]).toEqual([method, path, expected]);
      }
});

it('a path that knows methods answers 405 to every other one, a literal beside an id too', async () => {
  const world = await createWorld();
  const { routes } = createApp(world.deps);
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
  const byPath = Map.groupBy(
    routes.filter(({ method, path }) => method !== 'ALL' && !path.includes('*')),
    ({ path }) => path,
  );
  const id = '11111111-1111-4111-8111-111111111111';
  const wrong: unknown[] = [];
  for (const [path, known] of byPath) {
    const asked = path.replaceAll(/:\w+/g, id);
    const allowed = new Set(known.map(({ method }) => method));
    for (const method of methods.filter((each) => !allowed.has(each))) {
      const { status, headers } = await world.request(asked, { method });
      const told = headers
        .get('Allow')
        ?.split(', ')
        .filter((each) => each !== 'HEAD')
        .sort();
      if (status !== 405 || String(told) !== String([...allowed].sort()))
        wrong.push([method, path, status, told]);
    }
  }
  expect(wrong).toEqual([]);
  expect((await world.request('/v1/bookings/history', { method: 'PATCH' })).status).toBe(405);
});
