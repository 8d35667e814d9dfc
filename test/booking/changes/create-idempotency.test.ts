import { describe, expect, it } from 'vitest';
import { TransientDatabaseError } from '../../../src/core/db/transient.ts';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { bookingInput } from '../../support/clinic.ts';
import { act, book, createClinic, detail } from '../../support/clinic-people.ts';
import { findViolations } from '../../support/invariants.ts';
import { createWorld, type Got, type World } from '../../support/world.ts';

const keyed = { 'Idempotency-Key': 'kunci-1' };
const ten = { schedule_date: '2026-11-23', schedule_time: '10:00:00' };

const expectOneAnswer = (answers: readonly Got[], status: number) => {
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([status]));
  const first = answers.filter(({ headers }) => headers.get('Idempotency-Replayed') === null);
  expect(first).toHaveLength(1);
};

describe('50 parallel requests with one key have one effect and one answer', () => {
  const fifty = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 50 }, work));

  it('when they book', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { capacity: 60 });
    const sent = { token: clinic.patient.token, body: bookingInput(clinic.practice), headers: keyed };
    expectOneAnswer(await fifty(() => world.request('/v1/bookings', sent)), 201);
    expect(await world.db.select().from(bookingEvents)).toHaveLength(1);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it.each([
    ['reschedule', 'patient', ten],
    ['cancel', 'patient', {}],
    ['approve', 'staff', {}],
  ] as const)('when they %s', async (verb, who, body) => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    expectOneAnswer(await fifty(() => act(world, clinic[who], id, verb, body, keyed)), 200);
    expect(await world.db.select().from(bookingEvents)).toHaveLength(2);
    expect(await findViolations(world.db)).toEqual([]);
  });
});

describe('a key', () => {
  const reused = { status: 422, body: { code: 'idempotency_key_reused' } };

  it('is refused when it was used with another path, booking or body, and nothing changes', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    const other = await book(world, clinic, { schedule_time: '11:00:00' });
    expect((await act(world, clinic.patient, id, 'reschedule', ten, keyed)).status).toBe(200);
    const { token } = clinic.patient;
    const late = bookingInput(clinic.practice, { schedule_time: '14:00:00' });
    expect(await world.request('/v1/bookings', { token, body: late, headers: keyed })).toMatchObject(reused);
    expect(await act(world, clinic.patient, id, 'cancel', {}, keyed)).toMatchObject(reused);
    expect(await act(world, clinic.patient, other, 'reschedule', ten, keyed)).toMatchObject(reused);
    const noon = { ...ten, schedule_time: '12:00:00' };
    expect(await act(world, clinic.patient, id, 'reschedule', noon, keyed)).toMatchObject(reused);
    expect(await world.db.select().from(bookingEvents)).toHaveLength(3);
  });

  it('can be used for another request once its answer has expired', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const { token } = clinic.patient;
    const ask = (date: string) => {
      const body = bookingInput(clinic.practice, { schedule_date: date });
      return world.request('/v1/bookings', { token, body, headers: keyed });
    };
    expect((await ask('2026-11-25')).status).toBe(201);
    world.clock.now += 24 * 3_600_000;
    const anew = await ask('2026-11-26');
    expect([anew.status, anew.headers.get('Idempotency-Replayed')]).toEqual([201, null]);
    world.clock.now += 24 * 3_600_000 - 1;
    const again = await ask('2026-11-26');
    expect([again.status, again.headers.get('Idempotency-Replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual(anew.body);
    expect(again.headers.get('Location')).toBe(`/v1/bookings/${anew.body.data.id}`);
    expect(await ask('2026-11-25')).toMatchObject(reused);
  });

  it('is the same bare and quoted, and has 255 visible characters at most', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const { token } = clinic.patient;
    const ask = (key: string) =>
      world.request('/v1/bookings', {
        token,
        body: bookingInput(clinic.practice),
        headers: { 'Idempotency-Key': key },
      });
    const long = 'k'.repeat(255);
    for (const key of [`${long}k`, `"${long}k"`, '', '""', 'k k', 'k"k'])
      expect([key, (await ask(key)).body]).toMatchObject([
        key,
        { code: 'invalid_header', errors: { 'Idempotency-Key': ['Tidak valid.'] } },
      ]);
    expect((await ask(long)).status).toBe(201);
    expect((await ask(`"${long}"`)).headers.get('Idempotency-Replayed')).toBe('true');
  });

  it('is used by only one of two paths at once', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    const answers = await Promise.all([
      act(world, clinic.patient, id, 'reschedule', ten, keyed),
      act(world, clinic.patient, id, 'cancel', {}, keyed),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(await world.db.select().from(bookingEvents)).toHaveLength(2);
  });

  it('belongs to its person: another one with the same key is another request', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { capacity: 2 });
    const body = bookingInput(clinic.practice);
    for (const { token } of [clinic.patient, clinic.stranger]) {
      const { status, headers } = await world.request('/v1/bookings', { token, body, headers: keyed });
      expect([status, headers.get('Idempotency-Replayed')]).toEqual([201, null]);
    }
  });
});

/** Lets the answer of the next write get lost, and something happen before it is asked for again. */
const loseNextAnswer = (world: World, meanwhile: () => Promise<unknown>): void => {
  const { db } = world;
  let isLost = false;
  const batch = async (statements: Parameters<typeof db.batch>[0]) => {
    const results = await db.batch(statements);
    const sent = statements as unknown as { getQuery?: () => { sql: string } }[];
    if (isLost || !sent.some((one) => one.getQuery?.().sql.startsWith('update'))) return results;
    isLost = true;
    world.deps.db = db;
    await meanwhile();
    throw new TransientDatabaseError('the answer was lost');
  };
  world.deps.db = new Proxy(db, {
    get: (target, name) => (name === 'batch' ? batch : Reflect.get(target, name)),
  });
};

it('answers a move as it was written, though the booking moved on before a lost answer was asked for again', async () => {
  const world = await createWorld();
  const clinic = await createClinic(world);
  const id = await book(world, clinic);
  const tuesday = { schedule_date: '2026-11-24', schedule_time: '09:00:00' };
  const wednesday = { schedule_date: '2026-11-25', schedule_time: '09:00:00' };
  await book(world, clinic, { ...wednesday, schedule_time: '10:00:00' }, clinic.stranger.token);
  let last: Got | undefined;
  let meanwhile = 0;
  loseNextAnswer(world, async () => {
    meanwhile += 1;
    last = await act(world, clinic.staff, id, 'reschedule', wednesday);
  });
  const answer = await act(world, clinic.patient, id, 'reschedule', tuesday, keyed);
  expect([meanwhile, last?.body.data.queue_number]).toEqual([1, 2]);
  expect(answer).toMatchObject({ status: 200, body: { data: { ...tuesday, version: 2, queue_number: 1 } } });
  const again = await act(world, clinic.patient, id, 'reschedule', tuesday, keyed);
  expect(again.body).toEqual(answer.body);
  expect(await detail(world, clinic.staff, id)).toMatchObject({ ...wednesday, version: 3, queue_number: 2 });
});
