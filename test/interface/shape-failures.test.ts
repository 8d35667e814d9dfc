import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { type Endpoint, listFailures } from '../../src/core/endpoint/endpoint.ts';
import { catalogue, type ErrorCode, Unavailable } from '../../src/core/endpoint/errors.ts';
import { users } from '../../src/core/tables/accounts.ts';
import { contracts } from '../../src/interface/contracts.ts';
import { recentLoginMs } from '../../src/modules/auth/rules.ts';
import { bodyThatFits } from '../support/admin-bodies.ts';
import { bookingInput } from '../support/clinic.ts';
import { holdToContract } from '../support/contract.ts';
import { createScene, pathFor, refusedRoles, type Scene, tokenFor } from '../support/scene.ts';
import type { Sent } from '../support/world.ts';

const usedKey = 'kunci-terpakai';

/** The scene, with an idempotency key that the reception and an admin used. */
const setUp = async () => {
  const scene = await createScene();
  const { practice, patient, staff, admin } = scene.clinic;
  const used = [
    [staff, '11:00:00'],
    [admin, '11:30:00'],
  ] as const;
  for (const [{ token }, schedule_time] of used)
    await scene.world.request('/v1/bookings', {
      token,
      headers: { 'Idempotency-Key': usedKey },
      body: bookingInput(practice, { patient_id: patient.id, schedule_time }),
    });
  return scene;
};

/** A value of a query parameter that its shape refuses. */
const badQuery = ({ query }: Endpoint): string => {
  const shapes = Object.entries(query?.().shape ?? {}) as unknown as [
    string,
    { safeParse: (value: unknown) => { success: boolean } },
  ][];
  const refusing = shapes.find(([, shape]) => !shape.safeParse('\0').success);
  return refusing === undefined ? '?tidak_dikenal=1' : `?${refusing[0]}=%00`;
};

type Ask = (scene: Scene, contract: Endpoint) => { path: string } & Sent;

const method = (contract: Endpoint) => contract.method.toUpperCase();
const asked =
  (more: (scene: Scene, contract: Endpoint) => { path?: string } & Sent): Ask =>
  (scene, contract) => ({
    path: pathFor(scene, contract),
    method: method(contract),
    token: tokenFor(scene, contract),
    ...more(scene, contract),
  });

/** How to meet each failure that an endpoint's shape brings with it. */
const provoke: Partial<Record<ErrorCode, Ask>> = {
  unauthenticated: asked((_scene, { takesToken }) => ({ token: takesToken ? 'e30.e30.e30' : undefined })),
  forbidden: asked(({ people }, contract) => ({
    token: people[refusedRoles(contract)[0] ?? 'patient'].token,
  })),
  not_found: asked((scene, contract) => ({ path: pathFor(scene, contract, 'bukan-uuid') })),
  invalid_query: asked((scene, contract) => ({ path: `${pathFor(scene, contract)}${badQuery(contract)}` })),
  payload_too_large: asked(() => ({ raw: ' '.repeat(65_537) })),
  unsupported_media_type: asked(() => ({ raw: 'halo', headers: { 'Content-Type': 'text/plain' } })),
  malformed_json: asked(() => ({ raw: '{' })),
  invalid_header: asked((scene, contract) => ({
    body: bodyThatFits(scene, contract),
    headers: { 'Idempotency-Key': 'two words' },
  })),
  idempotency_key_reused: asked((scene, contract) => ({
    token: scene.people[refusedRoles(contract).includes('staff') ? 'admin' : 'staff'].token,
    body: bodyThatFits(scene, contract),
    headers: { 'Idempotency-Key': usedKey },
  })),
  validation_failed: asked(() => ({ raw: '[]' })),
  second_factor_enrolment_required: asked((_scene, contract) => ({
    ...(contract.method !== 'get' && { body: {} }),
  })),
  reauthentication_required: asked((_scene, { recentLogin, method }) => ({
    ...(method !== 'get' && {
      body: Array.isArray(recentLogin) ? dangerous : {},
    }),
  })),
};

/** The state that is needed for these failures. */
const prepare: Partial<Record<ErrorCode, (scene: Scene) => Promise<void>>> = {
  second_factor_enrolment_required: async ({ world }) => {
    world.deps.config.REQUIRE_SECOND_FACTOR = ['patient', 'doctor', 'staff', 'admin'];
    await world.db.update(users).set({ secondFactorAt: null });
  },
  reauthentication_required: async ({ world }) => {
    world.clock.now += recentLoginMs + 1;
  },
};

const methodsOf = (path: string) =>
  Object.values(contracts).flatMap((contract) => (contract.path === path ? [method(contract)] : []));

/** What makes a body dangerous, with what it has to name beside that. */
const dangerous = {
  url: 'https://lain.klinik.example/',
  join_accounts: true,
  into: '0d2f8f0a-1f0e-4f6e-9a0b-6a2a6c2a7b11',
};

const isBrought = (contract: Endpoint, code: ErrorCode) =>
  listFailures(contract).includes(code) && !contract.fails?.includes(code);

describe('every endpoint answers what its shape brings with it', () => {
  for (const [code, ask] of Object.entries(provoke) as [ErrorCode, Ask][])
    it(`${code}: in the envelope, with its status, before anything happens`, async () => {
      const scene = await setUp();
      await prepare[code]?.(scene);
      const concerned = Object.values(contracts).filter((contract) => isBrought(contract, code));
      expect(concerned.length).toBeGreaterThan(0);
      const wrong: string[] = [];
      for (const contract of concerned) {
        const { path, ...sent } = ask(scene, contract);
        const got = await scene.world.request(path, sent);
        if (got.status !== catalogue[code].status || got.body.code !== code)
          wrong.push(`${method(contract)} ${contract.path}: ${got.status} ${got.body.code}`);
      }
      expect(wrong).toEqual([]);
    });

  for (const [code, error] of [
    ['internal', new Error('gangguan')],
    ['unavailable', new Unavailable('gangguan')],
  ] as const)
    it(`${code}: without a word about the cause, wherever the trouble starts`, async () => {
      const scene = await setUp();
      const { world } = scene;
      const clock = () => {
        throw error;
      };
      const app = createApp({
        ...world.deps,
        clock,
        log: { ...world.deps.log, error: () => {}, warn: () => {} },
      });
      for (const contract of Object.values(contracts)) {
        const path = pathFor(scene, contract);
        const token = tokenFor(scene, contract);
        const headers = {
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...(contract.method !== 'get' && { 'Content-Type': 'application/json' }),
        };
        const body = contract.method === 'get' ? {} : { body: '{}' };
        const answer = await app.request(path, { method: method(contract), headers, ...body });
        const text = await answer.text();
        if (answer.status === 422) continue;
        expect(`${contract.path} ${answer.status} ${text}`).toContain(`${catalogue[code].status} `);
        expect(text).not.toContain(error.message);
        holdToContract({
          method: method(contract),
          path: path,
          status: answer.status,
          headers: answer.headers,
          body: JSON.parse(text),
        });
      }
    });

  it('another method: 405 on every path, with the methods that it knows', async () => {
    const scene = await setUp();
    for (const contract of Object.values(contracts)) {
      const path = pathFor(scene, contract);
      const other = ['PUT', 'PATCH', 'POST', 'DELETE'].find((one) => !methodsOf(contract.path).includes(one));
      const { status, body, headers } = await scene.world.request(path, { method: other ?? 'PUT' });
      expect(`${path} ${status} ${body.code}`).toBe(`${path} 405 method_not_allowed`);
      expect(headers.get('Allow')?.split(', ')).toContain(method(contract));
    }
  });

  it('an ETag: 304 without a body to who has the content', async () => {
    const scene = await setUp();
    for (const contract of Object.values(contracts)) {
      if (!Object.values(contract.returns).some(({ headers }) => headers?.includes('ETag'))) continue;
      const token = tokenFor(scene, contract);
      const path = pathFor(scene, contract);
      const first = await scene.world.request(path, { token });
      const etag = first.headers.get('ETag') ?? '';
      const again = await scene.world.request(path, { token, headers: { 'If-None-Match': etag } });
      expect(`${contract.path} ${again.status} ${again.body}`).toBe(`${contract.path} 304 `);
    }
  });
});
