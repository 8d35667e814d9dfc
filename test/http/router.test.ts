import { RegExpRouter } from 'hono/router/reg-exp-router';
import { SmartRouter } from 'hono/router/smart-router';
import { TrieRouter } from 'hono/router/trie-router';
import { expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { CachedRouter } from '../../src/http/router.ts';
import { createWorld } from '../support/world.ts';

it('a path finds the handlers that Hono’s own routers find, the first time and every time after', async () => {
  const world = await createWorld();
  const { routes } = createApp(world.deps);
  const own = new SmartRouter<string>({ routers: [new RegExpRouter(), new TrieRouter()] });
  const cached = new CachedRouter<string>();
  for (const router of [own, cached])
    for (const { method, path } of routes) router.add(method, path, `${method} ${path}`);
  const paths = new Set(routes.flatMap(({ path }) => [path, path.replaceAll(/:\w+/g, 'x'), `${path}/x`]));
  expect(paths.size).toBeGreaterThan(100);
  for (const path of paths)
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'OPTIONS'])
      for (let times = 0; times < 3; times++)
        expect([method, path, cached.match(method, path)]).toEqual([method, path, own.match(method, path)]);
});
