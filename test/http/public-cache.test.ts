import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeptAnswers, createPlatformCache, withPublicCache } from '../../src/core/http/public-cache.ts';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, type World } from '../support/world.ts';

const kept = 'public, s-maxage=5, stale-while-revalidate=10';

const open = async (settings: Record<string, string> = { PUBLIC_CACHE: 'on' }) => {
  const world = await createWorld(settings);
  const practice = await createPractice(world, { capacity: 1 });
  const person = await createPerson(world);
  const slots = `/v1/doctors/${practice.doctorId}/slots`;
  const take = () => world.request('/v1/bookings', { token: person.token, body: bookingInput(practice) });
  return { world, practice, person, slots, take };
};

const paths = ({ doctorId }: { doctorId: string }) => [
  '/v1/doctors',
  `/v1/doctors/${doctorId}`,
  '/v1/sessions',
  '/v1/slots',
  `/v1/doctors/${doctorId}/slots`,
  '/v1/queues',
  `/v1/doctors/${doctorId}/queue`,
];

/** Whether the answer was kept before. */
const isOld = ({ headers }: { headers: Headers }) => headers.get('Age') !== null;
const get = (world: World, path: string, headers: Record<string, string> = {}) =>
  world.request(path, { headers });

describe('public reads', () => {
  it('are kept for five seconds where the clinic allows it, and no longer', async () => {
    const { world, practice } = await open();
    for (const path of paths(practice)) {
      const [first, second] = [await get(world, path), await get(world, path)];
      expect([path, isOld(first), isOld(second), second.headers.get('Cache-Control')]).toEqual([
        path,
        false,
        true,
        kept,
      ]);
      expect(second.body).toEqual(first.body);
      expect(second.headers.get('X-Request-Id')).not.toBe(first.headers.get('X-Request-Id'));
    }
    world.clock.now += 4_999;
    expect((await get(world, '/v1/doctors')).headers.get('Age')).toBe('4');
    world.clock.now += 1;
    expect(isOld(await get(world, '/v1/doctors'))).toBe(false);
  });

  it('are computed each time where it does not', async () => {
    const { world, practice } = await open({});
    for (const path of paths(practice)) {
      const answers = [await get(world, path), await get(world, path)];
      expect(answers.map(isOld)).toEqual([false, false]);
      expect(answers[1]?.headers.get('Cache-Control')).not.toBe(kept);
    }
  });

  it('are dropped by a write, and a booking decides by what is true', async () => {
    const { world, slots, take } = await open();
    const before = await get(world, slots);
    expect((await take()).status).toBe(201);
    // The write is not known yet, as on Workers.
    expect((await get(world, slots)).body).toEqual(before.body);
    expect(await take()).toMatchObject({ status: 409 });
    world.writes.count += 1;
    const after = await get(world, slots);
    expect([isOld(after), after.body.data.length]).toEqual([false, before.body.data.length - 1]);
  });

  it('are neither kept nor answered so for a request with credentials, or one that asks anew', async () => {
    const { world, person, slots } = await open();
    const credentials = [
      { Authorization: `Bearer ${person.token}` },
      { Cookie: '__Host-janji-pasien=k.x' },
      { 'Cache-Control': 'no-cache' },
    ];
    for (const headers of credentials) await get(world, slots, headers);
    expect(isOld(await get(world, slots))).toBe(false);
    expect(isOld(await get(world, slots))).toBe(true);
    for (const headers of credentials) expect(isOld(await get(world, slots, headers))).toBe(false);
    expect(isOld(await world.request('/v1/clinic'))).toBe(false);
    expect(isOld(await world.request('/v1/clinic'))).toBe(false);
  });

  it('are 304 to who has them, and failures are not kept', async () => {
    const { world, slots } = await open();
    const { headers } = await get(world, slots);
    const known = { 'If-None-Match': headers.get('ETag') ?? '' };
    const again = await get(world, slots, known);
    expect([again.status, again.body, isOld(again)]).toEqual([304, '', true]);
    for (const _ of [1, 2]) {
      const refused = await get(world, '/v1/queues?date=besok');
      expect([refused.status, isOld(refused)]).toEqual([400, false]);
      expect(refused.headers.get('Cache-Control')).toBe('no-store');
    }
  });

  it('differ by the origin that may read them', async () => {
    const { world } = await open({ PUBLIC_CACHE: 'on', CORS_ORIGINS: 'https://a.example,https://b.example' });
    const allowed = async (Origin: string) =>
      (await get(world, '/v1/doctors', { Origin })).headers.get('Access-Control-Allow-Origin');
    for (const origin of ['https://a.example', 'https://b.example', 'https://a.example'])
      expect(await allowed(origin)).toBe(origin);
  });

  it('are not for a query that spells the header by which they differ', async () => {
    const Origin = 'https://a.example';
    const { world } = await open({ PUBLIC_CACHE: 'on', CORS_ORIGINS: Origin });
    await get(world, '/v1/doctors', { Origin });
    const spelled = await get(world, `/v1/doctors?${new URLSearchParams({ '~Origin': Origin })}`);
    expect([spelled.status, spelled.headers.get('Access-Control-Allow-Origin')]).toEqual([400, null]);
  });

  const word = fc.constantFrom('a', 'https://a.example', '%FF', '\ufffd', 'a&~Origin=a', '');
  const pairs = fc.array(fc.tuple(fc.constantFrom('~Origin', '~Accept-Encoding', 'date'), word), {
    maxLength: 2,
  });
  const header = fc.option(fc.constantFrom('a', 'https://a.example', 'a&~Origin=a'), { nil: undefined });
  const request = fc.record({
    path: fc.constantFrom('/v1/doctors', '/v1/slots'),
    query: fc.oneof(
      pairs.map((all) => `?${new URLSearchParams(all)}`),
      pairs.map((all) => `?${all.map((pair) => pair.join('=')).join('&')}`),
    ),
    Origin: header,
    'Accept-Encoding': header,
  });
  it.each(['memory', 'platform'] as const)('are those of the same request: %s', async (where) => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 10, maxLength: 40 }), async (requests) => {
        const stored = new Map<string, Response>();
        const platform = createPlatformCache(
          () => 0,
          () => ({
            match: async (key) => stored.get(key)?.clone(),
            put: async (key, answer) => void stored.set(new URL(key).href, answer),
          }),
        );
        const cache =
          where === 'memory'
            ? createKeptAnswers(
                () => 0,
                () => 0,
              )
            : platform;
        const works: Promise<unknown>[] = [];
        /** Each answer says all by which answers may differ. */
        const saying = ({ url, headers }: Request) =>
          // A question mark alone asks for nothing.
          JSON.stringify([url.replace(/\?$/, ''), ...cache.variesBy.map((name) => headers.get(name))]);
        const answer = withPublicCache(
          async (asked) => new Response(saying(asked), { headers: { 'Cache-Control': 'public' } }),
          { cache, clock: () => 0, background: (work) => void works.push(work) },
        );
        for (const { path, query: asked, ...headers } of [...requests, ...requests]) {
          const given = Object.entries(headers).filter(([, value]) => value !== undefined);
          const made = new Request(`https://klinik.example${path}${asked}`, {
            headers: given as [string, string][],
          });
          expect(await (await answer(made)).text()).toBe(saying(made));
          await Promise.all(works);
        }
      }),
    );
  });
});
