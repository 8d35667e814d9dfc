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

describe('the slots of a session over several days', () => {
  const setUpTwo = async () => {
    const world = await createWorld();
    const sessionId = await createSession(world);
    const hours = { sessionId, startTime: '08:00:00', endTime: '09:00:00' };
    const doctorIds: string[] = [];
    for (const name of ['Budi Santoso', 'Ani Lestari']) {
      const doctorId = await createDoctor(world, { name });
      doctorIds.push(doctorId);
      for (const weekday of [2, 4]) await createSchedule(world, { ...hours, doctorId, weekday });
    }
    return { world, sessionId, doctorIds };
  };

  it('are listed soonest first, each with its doctor', async () => {
    const { world, sessionId } = await setUpTwo();
    const { body } = await world.request(`/v1/slots?from=${monday}&session_id=${sessionId}`);
    const listed = body.data.map(
      (slot: { schedule_date: string; schedule_time: string; doctor_name: string }) =>
        [slot.schedule_date, slot.schedule_time, slot.doctor_name].join(' '),
    );
    const ofDay = (date: string) =>
      ['08:00:00', '08:30:00'].flatMap((time) =>
        ['dr. Ani Lestari', 'dr. Budi Santoso'].map((name) => `${date} ${time} ${name}`),
      );
    expect(listed).toEqual([...ofDay('2026-11-24'), ...ofDay('2026-11-26')]);
    expect(body.meta).toEqual({ time_zone: 'Asia/Jakarta', next_available: null });
  });

  it('cost the same statements whatever the number of doctors and days', async () => {
    const { world, sessionId } = await setUpTwo();
    const counted = countStatements(world);
    const count = async (query: string) => {
      counted.statements = 0;
      expect(await world.request(`/v1/slots?${query}&session_id=${sessionId}`)).toMatchObject({
        status: 200,
      });
      return counted.statements;
    };
    const one = await count('from=2026-11-24&to=2026-11-24');
    for (let nth = 0; nth < 5; nth++)
      await createSchedule(world, { doctorId: await createDoctor(world), sessionId, weekday: 3 });
    expect(await count(`from=${monday}&to=2026-12-06`)).toBe(one);
    expect(await count('from=2026-11-27&to=2026-11-30')).toBe(one + 4);
  });

  it('name the first slot after days without any, of whichever doctor', async () => {
    const { world, sessionId, doctorIds } = await setUpTwo();
    await createClosure(world, { doctorId: doctorIds[1] ?? null, startDate: '2026-12-01' });
    const { body } = await world.request(`/v1/slots?from=2026-11-27&to=2026-11-30&session_id=${sessionId}`);
    expect(body.data).toEqual([]);
    expect(body.meta.next_available).toMatchObject({
      doctor_name: 'dr. Budi Santoso',
      schedule_date: '2026-12-01',
      schedule_time: '08:00:00',
    });
  });

  it('are of at most fourteen days, and not of one day at once', async () => {
    const { world, sessionId } = await setUpTwo();
    const refused = async (query: string) => {
      const { status, body } = await world.request(`/v1/slots?${query}`);
      return [status, body.errors && Object.keys(body.errors)];
    };
    const of = `&session_id=${sessionId}`;
    expect(await refused(`from=${monday}&to=2026-12-07${of}`)).toEqual([400, ['to']]);
    expect(await refused(`from=${monday}&to=2026-11-22${of}`)).toEqual([400, ['to']]);
    expect(await refused(`from=${monday}&date=${monday}${of}`)).toEqual([400, ['date']]);
    expect(await refused(`from=${monday}&to=2026-12-06${of}`)).toEqual([200, undefined]);
    expect(await refused(`to=2026-11-25${of}`)).toEqual([200, undefined]);
  });
});
