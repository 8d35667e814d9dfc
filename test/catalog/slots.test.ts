import { describe, expect, it } from 'vitest';
import type { Db } from '../../src/core/db/db.ts';
import {
  bookingInput,
  createClosure,
  createDoctor,
  createPractice,
  createSchedule,
  createSession,
} from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, type World } from '../support/world.ts';

const monday = '2026-11-23';

const setUp = async (settings = {}, schedule = {}) => {
  const world = await createWorld(settings);
  const practice = await createPractice(world, schedule);
  const slots = (query: string, headers = {}) =>
    world.request(`/v1/doctors/${practice.doctorId}/slots?${query}`, { headers });
  return { world, practice, slots };
};

/** Counts the statements that the service gives to the database. */
const countStatements = (world: World) => {
  const counted = { statements: 0 };
  const { db } = world;
  const batch = async (statements: Parameters<Db['batch']>[0]) => {
    counted.statements += statements.length;
    return db.batch(statements);
  };
  world.deps.db = new Proxy(db, {
    get: (target, name) => (name === 'batch' ? batch : Reflect.get(target, name)),
  });
  return counted;
};

describe('the slots of a doctor', () => {
  it('are answered with 304 until one of them changes', async () => {
    const { world, practice, slots } = await setUp();
    const first = await slots(`from=${monday}&to=${monday}`);
    const tag = first.headers.get('ETag') ?? '';
    expect(tag).toMatch(/^W\/"[\w-]+"$/);
    const known = { 'If-None-Match': tag };
    const same = await slots(`from=${monday}&to=${monday}`, known);
    expect([same.status, same.body, same.headers.get('ETag')]).toEqual([304, '', tag]);
    const { token } = await createPerson(world);
    await world.request('/v1/bookings', { token, body: bookingInput(practice) });
    const changed = await slots(`from=${monday}&to=${monday}`, known);
    expect(changed.status).toBe(200);
    expect(changed.headers.get('ETag')).not.toBe(tag);
    expect(changed.body.data).toHaveLength(first.body.data.length - 1);
  });

  it('name the next open one of the session that was asked for', async () => {
    const { world, practice, slots } = await setUp({}, { endTime: '12:00:00' });
    const sessionId = await createSession(world, 'Imunisasi');
    const hours = { weekday: 3, startTime: '13:00:00', endTime: '14:00:00' };
    await createSchedule(world, { doctorId: practice.doctorId, sessionId, ...hours });
    const { body } = await slots(`from=${monday}&to=${monday}&session_id=${sessionId}`);
    expect(body).toMatchObject({
      data: [],
      meta: {
        next_available: { schedule_date: '2026-11-25', schedule_time: '13:00:00', session_id: sessionId },
      },
    });
  });

  it('name the next open one beyond a range that has none, and none where nothing is open at all', async () => {
    const { world, practice, slots } = await setUp({ MAX_ADVANCE_DAYS: '10' });
    await createClosure(world, { doctorId: practice.doctorId, startDate: monday, endDate: '2026-11-25' });
    const closed = await slots(`from=${monday}&to=2026-11-24`);
    expect(closed.body).toMatchObject({
      data: [],
      meta: { next_available: { schedule_date: '2026-11-26', schedule_time: '08:00:00' } },
    });
    const shown = await slots(`from=${monday}&to=2026-11-24&include=unavailable`);
    expect(shown.body.meta.next_available).toEqual(closed.body.meta.next_available);
    expect((await slots(`from=${monday}&to=2026-11-26`)).body.meta.next_available).toBeNull();
    await createClosure(world, { startDate: monday, endDate: '2026-12-31' });
    expect((await slots(`from=${monday}&to=2026-11-24`)).body.meta.next_available).toBeNull();
  });

  it('name the next open one after a range of any age without a look at the days between', async () => {
    const { world, slots } = await setUp();
    const { clinicTime } = world.deps;
    let daysLookedAt = 0;
    const weekdayOf = (date: string) => {
      daysLookedAt += 1;
      return clinicTime.weekdayOf(date);
    };
    world.deps.clinicTime = { ...clinicTime, weekdayOf };
    for (const range of ['from=0001-01-01', 'from=2026-11-01&to=2026-11-20', 'from=2026-11-16&to=2026-11-22'])
      expect((await slots(range)).body).toMatchObject({
        data: [],
        meta: { next_available: { schedule_date: monday, schedule_time: '08:00:00' } },
      });
    expect(daysLookedAt).toBeLessThan(50);
  });

  it('are closed by a booking after midnight where the clock skips the last hour of a day', async () => {
    const world = await createWorld({ CLINIC_TIME_ZONE: 'America/Nuuk' }, Date.parse('2027-03-25T12:00:00Z'));
    const hours = { weekday: 6, startTime: '22:30:00', endTime: '23:10:00', slotMinutes: 40 };
    const practice = { doctorId: await createDoctor(world), sessionId: await createSession(world) };
    await createSchedule(world, { ...practice, ...hours });
    const night = { ...hours, weekday: 7, startTime: '00:00:00', endTime: '00:40:00' };
    await createSchedule(world, { ...practice, ...night });
    const evening = async () =>
      (await world.request(`/v1/doctors/${practice.doctorId}/slots?from=2027-03-27&to=2027-03-27`)).body.data;
    expect(await evening()).toHaveLength(1);
    const { token } = await createPerson(world);
    const early = { schedule_date: '2027-03-28', schedule_time: '00:00:00' };
    expect((await world.request('/v1/bookings', { token, body: bookingInput(practice, early) })).status).toBe(
      201,
    );
    expect(await evening()).toEqual([]);
  });

  it('are listed over 31 days and no more', async () => {
    const { slots } = await setUp();
    const whole = await slots('from=2026-11-23&to=2026-12-23');
    expect(whole.status).toBe(200);
    const dates = new Set(whole.body.data.map((slot: { schedule_date: string }) => slot.schedule_date));
    expect(dates.size).toBe(31);
    for (const range of ['from=2026-11-23&to=2026-12-24', 'from=2026-11-24&to=2026-11-23'])
      expect(await slots(range)).toMatchObject({ status: 400, body: { code: 'invalid_query' } });
  });

  it('take as many statements for 31 days as for one', async () => {
    const { world, slots } = await setUp();
    const counted = countStatements(world);
    const statementsOf = async (range: string) => {
      counted.statements = 0;
      expect((await slots(range)).status).toBe(200);
      return counted.statements;
    };
    const one = await statementsOf(`from=${monday}&to=${monday}`);
    expect(one).toBeGreaterThan(0);
    expect(await statementsOf(`from=${monday}&to=2026-12-23`)).toBe(one);
    expect(await statementsOf('from=2027-01-01&to=2027-01-31')).toBeLessThanOrEqual(one * 2);
  });
});
