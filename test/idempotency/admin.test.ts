import { count } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/core/endpoint/endpoint.ts';
import { securityEvents } from '../../src/core/tables/accounts.ts';
import { replays } from '../../src/core/tables/idempotency.ts';
import { bodiesFor } from '../support/admin-bodies.ts';
import { createScene, endpoints, pathFor, type Scene } from '../support/scene.ts';

const dayMs = 86_400_000;
const ofAdmins = endpoints.filter(
  ({ method, path }) => method === 'post' && path.startsWith('/v1/admin/') && !path.endsWith('/resolve'),
);

const asking = (scene: Scene, contract: Endpoint) => (body: object, key: string) =>
  scene.world.request(pathFor(scene, contract), {
    method: 'POST',
    token: scene.people.admin.token,
    body,
    headers: { 'Idempotency-Key': key },
  });

const prepared = async (contract: Endpoint) => {
  const scene = await createScene();
  const ask = asking(scene, contract);
  // Only an account that is shut can be opened.
  if (contract.path.endsWith('/reactivate'))
    await scene.world.request(pathFor(scene, contract).replace('reactivate', 'deactivate'), {
      method: 'POST',
      token: scene.people.admin.token,
    });
  const [body, other] = bodiesFor(scene, contract);
  const events = async () => {
    const [row] = await scene.world.db.select({ count: count() }).from(securityEvents);
    return row?.count ?? 0;
  };
  return { scene, ask, body, other, events };
};

/** How many lines an act has in the audit trail: a step of an import has its own, and one for its patient. */
const eventsFor = ({ path }: Endpoint): number => (path.endsWith('/rows') ? 2 : 1);

describe.each(ofAdmins.map((contract) => ({ path: contract.path, contract })))(
  'POST $path under an idempotency key',
  ({ contract }) => {
    it('is done once; its repeat gets the same answer, or word that the answer was shown', async () => {
      const { ask, body, other, events } = await prepared(contract);
      const before = await events();
      const first = await ask(body, 'satu');
      expect(first.status).toBeLessThan(300);
      expect(first.headers.get('Idempotency-Replayed')).toBeNull();
      const again = await ask(body, 'satu');
      if (contract.answersSecret)
        expect(again).toMatchObject({ status: 409, body: { code: 'idempotency_key_spent' } });
      else {
        expect([again.status, again.headers.get('Idempotency-Replayed')]).toEqual([first.status, 'true']);
        expect(again.body).toEqual(first.body);
        expect(again.headers.get('Location')).toBe(first.headers.get('Location'));
      }
      expect(await ask(other, 'satu')).toMatchObject({
        status: 422,
        body: { code: 'idempotency_key_reused' },
      });
      expect(await events()).toBe(before + eventsFor(contract));
    });

    it('is done once by five at the same moment', async () => {
      const { ask, body, events } = await prepared(contract);
      const before = await events();
      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => ask(body, 'lima')));
      expect(await events()).toBe(before + eventsFor(contract));
      const done = answers.filter(({ status }) => status < 300);
      expect(done).toHaveLength(contract.answersSecret ? 1 : 5);
      expect(new Set(done.map(({ body: each }) => JSON.stringify(each))).size).toBe(1);
      for (const { status, body: refused } of answers.filter(({ status }) => status >= 300))
        expect([status, refused.code]).toEqual([409, 'idempotency_key_spent']);
    });
  },
);

it('keeps nothing of what a refused request asked for', async () => {
  const contract = endpoints.find(({ method, path }) => method === 'post' && path === '/v1/admin/schedules');
  const { scene, ask, body } = await prepared(contract as Endpoint);
  const overlapping = { ...body, start_time: '08:00:00', end_time: '09:00:00' };
  expect((await ask(overlapping, 'dua')).body.code).toBe('schedule_overlap');
  expect(await scene.world.db.select().from(replays)).toEqual([]);
  expect((await ask(body, 'dua')).status).toBe(201);
});

it('forgets a key after a day, also where the change is not guarded by it', async () => {
  const contract = endpoints.find(({ method, path }) => method === 'post' && path === '/v1/admin/doctors');
  const { scene, ask, body } = await prepared(contract as Endpoint);
  const first = await ask(body, 'hari');
  scene.world.clock.now += dayMs;
  const anew = await ask(body, 'hari');
  expect(anew.status).toBe(201);
  expect(anew.body.data.id).not.toBe(first.body.data.id);
});

it('holds no first password as a plain hash', async () => {
  const contract = endpoints.find(({ method, path }) => method === 'post' && path === '/v1/admin/people');
  const { scene, ask, body } = await prepared(contract as Endpoint);
  const sent = { ...body, password: 'kuda-terbang-2026' };
  expect((await ask(sent, 'rahasia')).status).toBe(201);
  const [row] = await scene.world.db.select().from(replays);
  const plain = new TextEncoder().encode(`POST /v1/admin/people\n${JSON.stringify(sent)}`);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', plain));
  const hexadecimal = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  expect(row?.fingerprint).toMatch(/^[0-9a-f]{64}$/);
  expect(row?.fingerprint).not.toBe(hexadecimal);
  expect(row?.body).toBe('{}');
});
