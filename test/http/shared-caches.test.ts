import { expect, it } from 'vitest';
import { createScene, endpoints, nameOf, pathFor, tokenFor } from '../support/scene.ts';

/** The answers that a shared cache may store, and for how long; all others are private. */
const shared: Readonly<Record<string, string>> = {
  'GET /v1/clinic': 'public, max-age=0, s-maxage=60',
  'GET /v1/slots': 'public, max-age=0, s-maxage=2',
  'GET /v1/doctors': 'public, max-age=0, s-maxage=60',
  'GET /v1/doctors/{id}': 'public, max-age=0, s-maxage=60',
  'GET /v1/doctors/{id}/page': 'public, max-age=0, s-maxage=60',
  'GET /v1/sessions': 'public, max-age=0, s-maxage=60',
  'GET /v1/doctors/{id}/slots': 'public, max-age=0, s-maxage=2',
  'GET /v1/queues': 'public, max-age=0, s-maxage=3, stale-while-revalidate=10',
  'GET /v1/doctors/{id}/queue': 'public, max-age=0, s-maxage=3, stale-while-revalidate=10',
};

it('no answer is left to a shared cache but those that are the same for everybody', async () => {
  const scene = await createScene();
  const told: Record<string, string | null> = {};
  for (const contract of endpoints.filter(({ method }) => method === 'get')) {
    const token = tokenFor(scene, contract);
    const { headers } = await scene.world.request(pathFor(scene, contract), { token });
    expect(headers.get('Content-Language') === null || !(nameOf(contract) in shared)).toBe(true);
    if (headers.get('Cache-Control') !== 'no-store') told[nameOf(contract)] = headers.get('Cache-Control');
  }
  const hint = 'what a shared cache may store has a line in `shared` of test/http/shared-caches.test.ts';
  expect(told, hint).toEqual(shared);
  const refused = await scene.world.request('/v1/queues?date=besok');
  expect([refused.status, refused.headers.get('Cache-Control')]).toEqual([400, 'no-store']);
});
