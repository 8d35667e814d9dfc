import { expect, it } from 'vitest';
import { createPlatformCache, withPublicCache } from '../../src/core/http/public-cache.ts';
import { createPractice } from '../support/clinic.ts';
import { createWorld } from '../support/world.ts';

it('public reads are kept in the cache of the platform for five seconds', async () => {
  const world = await createWorld();
  await createPractice(world);
  const works: Promise<unknown>[] = [];
  const clock = () => world.clock.now;
  const fetch = withPublicCache((request) => world.app.fetch(request), {
    cache: createPlatformCache(clock, () => caches.default),
    clock,
    background: (work) => void works.push(work),
  });
  const get = async () => {
    const answer = await fetch(new Request('https://melati.example/v1/doctors?limit=7'));
    await Promise.all(works.splice(0));
    return { age: answer.headers.get('Age'), text: await answer.text() };
  };
  const first = await get();
  expect(first.age).toBeNull();
  world.clock.now += 3_000;
  expect(await get()).toEqual({ age: '3', text: first.text });
  world.clock.now += 2_000;
  expect((await get()).age).toBeNull();
});
