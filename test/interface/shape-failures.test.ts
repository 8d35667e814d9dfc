import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { type Endpoint, failuresOf, type Role } from '../../src/endpoint/endpoint.ts';
import { catalogue, type ErrorCode, Unavailable } from '../../src/endpoint/errors.ts';
import { contracts } from '../../src/interface/contracts.ts';
import { schedules } from '../../src/tables/catalog.ts';
import { bookingInput, createClosure, createPractice } from '../support/clinic.ts';
import { holdToContract } from '../support/contract.ts';
import { createPerson } from '../support/people.ts';
import { createEndpoint } from '../support/receiver.ts';
import { createWorld, type Sent } from '../support/world.ts';

const usedKey = 'kunci-terpakai';
const roles: readonly Role[] = ['patient', 'doctor', 'staff', 'admin'];

const setUp = async () => {
  const world = await createWorld();
  const practice = await createPractice(world);
  const people = Object.fromEntries(
    await Promise.all(
      roles.map(async (role) => [
        role,
        await createPerson(world, role, role === 'doctor' ? practice.doctorId : null),
      ]),
    ),
  ) as Record<Role, Awaited<ReturnType<typeof createPerson>>>;
  const { body } = await world.request('/v1/bookings', {
    token: people.patient.token,
    body: bookingInput(practice),
  });
  await world.request('/v1/bookings', {
    token: people.staff.token,
    headers: { 'Idempotency-Key': usedKey },
    body: bookingInput(practice, { patient_id: people.patient.id, schedule_time: '11:00:00' }),
  });
  const [schedule] = await world.db.select({ id: schedules.id }).from(schedules).limit(1);
  const closureId = await createClosure(world, { startDate: '2026-12-24' });
  const endpoint = await createEndpoint(world);
  const child = await world.request('/v1/family', {
    token: people.patient.token,
    body: { name: 'Anak Pasien', birth_date: '2019-04-23', relation: 'child' },
  });
  const walkIn = await world.request('/v1/patients', {
    token: people.staff.token,
    body: { name: 'Pak Darmo', birth_date: '1960-08-17' },
  });
  await world.request('/v1/bookings', {
    token: people.staff.token,
    body: bookingInput(practice, { patient_id: walkIn.body.data.id, schedule_time: '14:00:00' }),
  });
  /** A record that lives, for the paths that name one. */
  const ids: readonly [prefix: string, id: string][] = [
    ['/v1/bookings/', body.data.id],
    ['/v1/admin/sessions/', practice.sessionId],
    ['/v1/admin/schedules/', schedule?.id ?? ''],
    ['/v1/admin/closures/', closureId],
    ['/v1/admin/people/', people.patient.id],
    ['/v1/family/', child.body.data.id],
    ['/v1/patients/', walkIn.body.data.id],
    ['/v1/admin/webhooks/', endpoint.id],
    ['/v1/auth/devices/', people.patient.deviceLoginId],
    ['/v1/', practice.doctorId],
  ];
  return { world, practice, people, ids };
};

type Scene = Awaited<ReturnType<typeof setUp>>;

const mayCall = ({ access }: Endpoint, role: Role) => !Array.isArray(access) || access.includes(role);

const tokenFor = (scene: Scene, contract: Endpoint) =>
  contract.access === 'public'
    ? undefined
    : scene.people[roles.find((role) => mayCall(contract, role)) ?? 'admin'].token;

const pathFor = (scene: Scene, { path }: Endpoint, id?: string) =>
  path.replaceAll(/\{\w+\}/g, id ?? scene.ids.find(([prefix]) => path.startsWith(prefix))?.[1] ?? '');

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

/** A body that the fields of an endpoint with an idempotency key accept. */
const goodBody = ({ practice, people }: Scene, { path }: Endpoint) => {
  const at = { schedule_date: '2026-11-24', schedule_time: '10:00:00' };
  if (path === '/v1/bookings') return bookingInput(practice, at);
  if (path === '/v1/family') return { name: 'Anak', birth_date: '2020-01-31', relation: 'child' };
  if (path === '/v1/family/claim') return { code: 'AAAAAAAA', birth_date: '2020-01-31', relation: 'child' };
  if (path === '/v1/patients') return { name: 'Bu Siti', phone_number: '81399900001' };
  if (path.endsWith('/merge')) return { into: people.patient.id };
  return path.endsWith('/reschedule') ? at : {};
};

/** How to meet each failure that an endpoint's shape brings with it. */
const provoke: Partial<Record<ErrorCode, Ask>> = {
  unauthenticated: asked(() => ({ token: undefined })),
  forbidden: asked(({ people }, contract) => ({
    token: people[roles.find((role) => !mayCall(contract, role)) ?? 'patient'].token,
  })),
  not_found: asked((scene, contract) => ({ path: pathFor(scene, contract, 'bukan-uuid') })),
  invalid_query: asked((scene, contract) => ({ path: `${pathFor(scene, contract)}${badQuery(contract)}` })),
  payload_too_large: asked(() => ({ raw: ' '.repeat(65_537) })),
  unsupported_media_type: asked(() => ({ raw: 'halo', headers: { 'Content-Type': 'text/plain' } })),
  malformed_json: asked(() => ({ raw: '{' })),
  invalid_header: asked((scene, contract) => ({
    body: goodBody(scene, contract),
    headers: { 'Idempotency-Key': 'two words' },
  })),
  idempotency_key_reused: asked((scene, contract) => ({
    token: scene.people.staff.token,
    body: goodBody(scene, contract),
    headers: { 'Idempotency-Key': usedKey },
  })),
  validation_failed: asked(() => ({ raw: '[]' })),
};

const methodsOf = (path: string) =>
  Object.values(contracts).flatMap((contract) => (contract.path === path ? [method(contract)] : []));

const isBrought = (contract: Endpoint, code: ErrorCode) =>
  failuresOf(contract).includes(code) && !contract.fails.includes(code);

describe('every endpoint answers what its shape brings with it', () => {
  for (const [code, ask] of Object.entries(provoke) as [ErrorCode, Ask][])
    it(`${code}: in the envelope, with its status, before anything happens`, async () => {
      const scene = await setUp();
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
      const { world, ...scene } = await setUp();
      const clock = () => {
        throw error;
      };
      const app = createApp({
        ...world.deps,
        clock,
        log: { ...world.deps.log, error: () => {}, warn: () => {} },
      });
      for (const contract of Object.values(contracts)) {
        const path = pathFor({ world, ...scene }, contract);
        const token = tokenFor({ world, ...scene }, contract);
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
