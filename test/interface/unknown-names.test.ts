import { beforeAll, describe, expect, it } from 'vitest';
import { createScene, endpoints, nameOf, type Scene, tokenFor } from '../support/scene.ts';
import { bodyFor, requestPath } from '../support/shapes.ts';
import type { Sent } from '../support/world.ts';

/** Unknown names that the API's first clients may send, and that a probe may send. */
const lenient = [
  'GET /health',
  'GET /ready',
  'POST /v1/auth/register',
  'POST /v1/auth/login',
  'GET /v1/auth/profile',
  'POST /v1/auth/logout',
  'POST /v1/bookings',
  'POST /v1/bookings/{id}/cancel',
  'GET /v1/bookings/history',
  'GET /v1/feeds/{token}.ics',
];

type Contract = (typeof endpoints)[number];
const called = (contracts: readonly Contract[]) => contracts.map((one) => [nameOf(one), one] as const);
const strict = endpoints.filter((contract) => !lenient.includes(nameOf(contract)));
const patches = endpoints.filter(({ method }) => method === 'patch');
const searches = endpoints.filter(({ query }) => query !== undefined && 'q' in query().shape);

let scene: Scene;
beforeAll(async () => {
  scene = await createScene();
});

const ask = (contract: Contract, query: string, sent: Sent = {}) => {
  const path = requestPath(scene, contract);
  const method = contract.method.toUpperCase();
  return scene.world.request(`${path}${path.includes('?') ? '&' : '?'}${query}`, {
    method,
    token: tokenFor(scene, contract),
    ...(method !== 'GET' && { body: bodyFor(scene, contract) }),
    ...sent,
  });
};

describe('a query parameter that nobody knows', () => {
  it.each(called(strict))('is refused by its name: %s', async (_name, contract) => {
    const answer = await ask(contract, 'dokter=sari&__proto__=x&dokter=budi&constructor=x');
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_query' } });
    expect(Object.keys(answer.body.errors)).toEqual(
      expect.arrayContaining(['dokter', '__proto__', 'constructor']),
    );
    expect(answer.body.errors.dokter).toEqual(['Parameter ini tidak dikenal.']);
  });

  it.each(called(strict.filter(({ query }) => query !== undefined)))(
    'is refused beside a malformed one that is known, each by its name: %s',
    async (_name, contract) => {
      const [known = ''] = Object.keys(contract.query?.().shape ?? {});
      const { body } = await ask(contract, `dokter=sari&${known}=%00`);
      expect(Object.keys(body.errors).sort()).toEqual(expect.arrayContaining(['dokter', known].sort()));
    },
  );

  it('is ignored where the first clients were promised so, and nowhere else', async () => {
    const ignoring = endpoints.filter(({ ignoresUnknownQuery }) => ignoresUnknownQuery);
    expect(ignoring.map(nameOf).sort()).toEqual([...lenient].sort());
    for (const contract of ignoring.filter(({ path }) => !path.endsWith('logout'))) {
      const { status, body } = await ask(contract, 'dokter=sari&utm_source=surel');
      expect(`${nameOf(contract)} ${status} ${body.code}`).not.toMatch(/ 400 | invalid_query$/);
    }
  });
});

describe('a PATCH that names no field that is known', () => {
  const bodies: readonly [string, Sent][] = [
    ['unknown fields alone', { body: { tidak_dikenal: 1, __proto: 2 } }],
    ['an empty object', { body: {} }],
  ];
  it.each(bodies)('is refused instead of changing nothing: %s', async (_name, sent) => {
    expect(patches.length).toBeGreaterThan(4);
    for (const contract of patches) {
      const { status, body } = await ask(contract, '', sent);
      expect([nameOf(contract), status, body.code, body.errors]).toEqual([
        nameOf(contract),
        422,
        'validation_failed',
        { body: ['Sebutkan minimal satu data yang ingin diubah.'] },
      ]);
    }
  });

  it('is not what naming one field of several is', async () => {
    const name = 'Nama Baru';
    const { token } = scene.people.patient;
    const sent = { method: 'PATCH', token, body: { name, tidak_dikenal: 1 } };
    const answer = await scene.world.request('/v1/auth/profile', sent);
    expect(answer).toMatchObject({ status: 200, body: { data: { user: { name } } } });
  });
});

describe('a search for no letter and no digit', () => {
  it.each(called(searches))('is refused: %s', async (_name, contract) => {
    for (const q of ['%25', '-%20-', '.', '%F0%9F%98%80'])
      expect(await ask(contract, `q=${q}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_query', errors: { q: ['Harus berisi huruf atau angka.'] } },
      });
    for (const q of ['a', '7', '%E6%9D%8E'])
      expect((await ask(contract, `q=${q}`)).status, `${nameOf(contract)} ${q}`).toBe(200);
  });

  it('was tried at every list that searches', () => expect(searches.length).toBeGreaterThan(3));
});

describe('a range of dates', () => {
  const slots = (query: string) =>
    scene.world.request(`/v1/doctors/${scene.clinic.practice.doctorId}/slots?${query}`);

  it.each(['from', 'to'])(
    'beyond what dates can say is refused by the name that was sent: %s',
    async (name) => {
      const { status, body } = await slots(`${name}=9999-12-31`);
      expect([status, body.errors]).toEqual([400, { [name]: ['Tidak boleh setelah 9999-11-30.'] }]);
    },
  );

  it('up to the last date that is taken is answered', async () => {
    const { status, body } = await slots('from=9999-11-24&to=9999-11-30');
    expect([status, body.data, body.meta.next_available]).toEqual([200, [], null]);
  });

  it('that ends on the day it begins is taken, and one that ends before says so', async () => {
    expect((await slots('from=2026-11-24&to=2026-11-24')).status).toBe(200);
    const { body } = await slots('from=2026-11-24&to=2026-11-23');
    expect(body.errors).toEqual({ to: ['Tidak boleh sebelum tanggal awal.'] });
    expect((await slots('to=2026-11-22')).body.errors).toEqual({ to: ['Tidak boleh sebelum 2026-11-23.'] });
  });

  it('to the last date of all gives the whole history', async () => {
    const { token } = scene.people.patient;
    const lengthOf = async (query: string) =>
      (await scene.world.request(`/v1/bookings/history${query}`, { token })).body.data.length;
    expect(await lengthOf('')).toBeGreaterThan(0);
    expect(await lengthOf('?to=9999-12-31')).toBe(await lengthOf(''));
  });
});
