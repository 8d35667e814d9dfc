import { describe, expect, it } from 'vitest';
import { createPractice } from '../support/clinic.ts';
import { createScene, endpoints, nameOf, pathFor, tokenFor } from '../support/scene.ts';
import { wishOf } from '../support/waitlist.ts';

/** Lists that are one whole, or continue after a number that the caller keeps. */
const others = [
  'GET /v1/admin/statistics',
  'GET /v1/bookings/changes',
  'GET /v1/doctors/{id}/slots',
  'GET /v1/events',
  'GET /v1/patients/changes',
  'GET /v1/queues',
  'GET /v1/slots',
];

const queries: Partial<Record<string, string>> = { 'GET /v1/admin/holidays': '&year=2027' };

const isList = ({ method, returns }: (typeof endpoints)[number]): boolean =>
  method === 'get' && returns[200]?.data?.().def.type === 'array';

const takesCursor = ({ query }: (typeof endpoints)[number]): boolean =>
  query !== undefined && 'cursor' in query().def.shape;

describe('a list', () => {
  it('takes limit and cursor', () => {
    const whole = endpoints.filter((contract) => isList(contract) && !takesCursor(contract));
    expect(whole.map(nameOf).sort()).toEqual(others);
  });

  it('has the same rows in pages of one, in the same order, by its Link', async () => {
    const scene = await createScene();
    const { world, people } = scene;
    const { token } = people.patient;
    for (let more = 0; more < 3; more++) {
      await world.request('/v1/waitlist', { token, body: wishOf(await createPractice(world)) });
      await world.request('/v1/calendar-feeds', { token, body: {} });
      world.clock.now += more; // Two of them are of one millisecond.
    }
    const long: string[] = [];
    for (const contract of endpoints.filter((one) => isList(one) && takesCursor(one))) {
      const name = nameOf(contract);
      const asked = { token: tokenFor(scene, contract) };
      const path = pathFor(scene, contract);
      const more = queries[name] ?? '';
      await world.request(path + (more && `?${more}`), asked); // The first read of an hour is a line of the audit trail.
      const whole = await world.request(`${path}?limit=100${more}`, asked);
      expect([name, whole.status]).toEqual([name, 200]);
      const found: unknown[] = [];
      for (let next: string | null = `${path}?limit=1${more}`; next !== null && found.length <= 100; ) {
        const page: Awaited<ReturnType<typeof world.request>> = await world.request(next, asked);
        found.push(...page.body.data);
        next = /<(.+)>; rel="next"/.exec(page.headers.get('Link') ?? '')?.[1] ?? null;
        expect([name, page.body.data.length <= 1, next === null]).toEqual([
          name,
          true,
          page.body.meta.next_cursor === null,
        ]);
      }
      expect([name, found]).toEqual([name, whole.body.data]);
      if (found.length > 1) long.push(name);
    }
    const oftenWhole = ['GET /v1/admin/holidays', 'GET /v1/calendar-feeds', 'GET /v1/waitlist'];
    expect(long).toEqual(expect.arrayContaining(oftenWhole));
  });
});
