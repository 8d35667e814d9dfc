import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { createClinicTime } from '../../../src/core/clinic/time.ts';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { doctors } from '../../../src/core/tables/catalog.ts';
import { findNumbers } from '../../../src/modules/booking/statistics/queries.ts';
import { groupings, nearestRank, offeredSeats } from '../../../src/modules/booking/statistics/rules.ts';
import { unlimited } from '../../../src/modules/catalog/slots/limit-rules.ts';
import { createClosure, createSchedule } from '../../support/clinic.ts';
import { act, book, createClinic } from '../../support/clinic-people.ts';
import { createPeople } from '../../support/people.ts';
import { planOf, queryOf } from '../../support/plans.ts';
import { asker } from '../../support/statistics.ts';
import { createWorld } from '../../support/world.ts';

const minute = 60_000;

const none = {
  offered_seats: 0,
  booked_seats: 0,
  created: 0,
  approved: 0,
  canceled_by_patient: 0,
  canceled_by_clinic: 0,
  canceled_by_system: 0,
  no_shows: 0,
  completed: 0,
  lead_minutes_median: null,
  lead_minutes_p90: null,
  waiting_minutes_p10: null,
  waiting_minutes_p25: null,
  waiting_minutes_median: null,
  waiting_minutes_p75: null,
  waiting_minutes_p90: null,
  visit_minutes_p10: null,
  visit_minutes_p25: null,
  visit_minutes_median: null,
  visit_minutes_p75: null,
  visit_minutes_p90: null,
};

describe('the statistics', () => {
  it('count what was offered, booked, canceled and done, and tell how long it took', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { capacity: 6 });
    const ask = asker(world, clinic.admin.token);
    const people = await createPeople(world, 6);
    const ids = await Promise.all(people.map(({ token }) => book(world, clinic, {}, token)));
    const [done, later, absent, own, refused, expires] = ids.map(String);
    const tuesday = await book(world, clinic, { schedule_date: '2026-11-24', schedule_time: '13:30:00' });
    for (const id of [done, later, absent]) await act(world, clinic.staff, `${id}`, 'approve');
    await act(world, people[3] as { token: string }, `${own}`, 'cancel');
    await act(world, clinic.staff, `${refused}`, 'reject');
    const at = (minutes: number) => {
      world.clock.now = Date.parse('2026-11-23T02:00:00Z') + minutes * minute;
    };
    at(-20);
    for (const id of [done, later]) await act(world, clinic.staff, `${id}`, 'check-in');
    at(-10);
    await act(world, clinic.staff, `${done}`, 'call');
    at(2);
    await act(world, clinic.staff, `${done}`, 'complete');
    await act(world, clinic.staff, `${later}`, 'call');
    await act(world, clinic.staff, `${absent}`, 'no-show');
    at(9);
    await act(world, clinic.staff, `${later}`, 'complete');
    await world.db
      .update(bookings)
      .set({
        status: 'canceled',
        canceledBy: 'system',
        cancelReasonCode: 'expired',
        canceledAt: world.clock.now,
      })
      .where(eq(bookings.id, `${expires}`));

    const monday = {
      booked_seats: 3,
      created: 6,
      approved: 3,
      canceled_by_patient: 1,
      canceled_by_clinic: 1,
      canceled_by_system: 1,
      no_shows: 1,
      completed: 2,
      lead_minutes_median: 120,
      lead_minutes_p90: 120,
      waiting_minutes_p10: 10,
      waiting_minutes_p25: 10,
      waiting_minutes_median: 10,
      waiting_minutes_p75: 22,
      waiting_minutes_p90: 22,
      visit_minutes_p10: 7,
      visit_minutes_p25: 7,
      visit_minutes_median: 7,
      visit_minutes_p75: 12,
      visit_minutes_p90: 12,
    };
    // 16 half hours of six seats, and of the other doctor's one.
    const seats = 16 * 6 + 16;
    const byDay = (await ask('from=2026-11-23&to=2026-11-25')).body;
    expect(byDay.data).toEqual([
      { ...none, date: '2026-11-23', offered_seats: seats, ...monday },
      {
        ...none,
        date: '2026-11-24',
        offered_seats: seats,
        booked_seats: 1,
        created: 1,
        lead_minutes_median: 30.5 * 60,
        lead_minutes_p90: 30.5 * 60,
      },
      { ...none, date: '2026-11-25', offered_seats: seats },
    ]);
    expect(byDay.meta).toMatchObject({
      from: '2026-11-23',
      by: 'day',
      time_zone: 'Asia/Jakarta',
      total: { offered_seats: 3 * seats, booked_seats: 4, created: 7, lead_minutes_p90: 30.5 * 60 },
    });
    expect(byDay.meta.total.lead_minutes_median).toBe(120);
    const rows = async (by: string) => (await ask(`from=2026-11-23&to=2026-11-24&by=${by}`)).body.data;
    expect(
      (await rows('doctor')).find((row: { doctor_id: string }) => row.doctor_id === clinic.practice.doctorId),
    ).toMatchObject({
      doctor_name: 'dr. Sari Wulandari',
      offered_seats: 192,
      booked_seats: 4,
      completed: 2,
    });
    expect(await rows('session')).toHaveLength(2);
    const byHour = await rows('hour');
    expect(byHour.map(({ hour }: { hour: number }) => hour)).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
    expect(byHour[1]).toMatchObject({ hour: 9, offered_seats: seats / 4, created: 6 });
    expect(byHour[5]).toMatchObject({ hour: 13, booked_seats: 1 });
    const byWeek = await rows('weekday_hour');
    expect(byWeek).toHaveLength(16);
    expect(byWeek[1]).toMatchObject({ weekday: 1, hour: 9 });
    expect(byWeek[9]).toMatchObject({ weekday: 2, hour: 9 });
    for (const name of ['offered_seats', 'booked_seats', 'created'] as const)
      expect(byWeek[1][name] + byWeek[9][name]).toBe(byHour[1][name]);
    expect(tuesday).toBeDefined();
  });

  it('are for admins, of at most 366 days', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const ask = asker(world, clinic.admin.token);
    for (const { token } of [clinic.staff, clinic.doctor, clinic.patient])
      expect((await asker(world, token)('from=2026-11-23&to=2026-11-23')).status).toBe(403);
    expect((await ask('from=2026-01-01&to=2027-01-01')).body.data).toHaveLength(366);
    for (const query of [
      'from=2026-01-01&to=2027-01-02',
      'from=2026-01-02&to=2026-01-01',
      'from=2026-01-02',
      'from=2026-01-02&to=2026-01-03&by=year',
    ])
      expect([query, (await ask(query)).status]).toEqual([query, 400]);
  });

  it('leave out what a closure closes, what is retired and what is not in force', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const { doctorId } = clinic.practice;
    await createClosure(world, { doctorId, startDate: '2026-11-24' });
    await createClosure(world, { startDate: '2026-11-25', startTime: '08:00:00', endTime: '09:15:00' });
    await createClosure(world, {
      doctorId: clinic.others.doctorId,
      startDate: '2026-11-20',
      endDate: '2026-11-23',
    });
    await createSchedule(world, {
      ...clinic.practice,
      weekday: 4,
      startTime: '18:00:00',
      endTime: '19:00:00',
      validFrom: '2026-11-27',
    });
    const ask = asker(world, clinic.admin.token);
    const seats = async () =>
      (await ask('from=2026-11-23&to=2026-11-26')).body.data.map(
        ({ offered_seats }: { offered_seats: number }) => offered_seats,
      );
    expect(await seats()).toEqual([16, 16, 2 * 13, 32]);
    await world.db.update(doctors).set({ retiredAt: world.clock.now }).where(eq(doctors.id, doctorId));
    expect(await seats()).toEqual([0, 16, 13, 16]);
  });

  it('tell weeks and months apart by the dates of the range that lie in them', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const ask = asker(world, clinic.admin.token);
    await book(world, clinic, { schedule_date: '2026-11-24', schedule_time: '13:30:00' });
    await book(world, clinic, { schedule_date: '2026-12-01', schedule_time: '13:30:00' });
    const counted = async (by: string) => {
      const { body } = await ask(`from=2026-11-22&to=2026-12-02&by=${by}`);
      return {
        total: body.meta.total.offered_seats,
        rows: body.data.map((row: Record<string, unknown>) => [row[by], row.offered_seats, row.booked_seats]),
      };
    };
    // Two doctors, each with 16 seats a day.
    expect(await counted('week')).toEqual({
      total: 11 * 32,
      rows: [
        ['2026-11-16', 32, 0],
        ['2026-11-23', 7 * 32, 1],
        ['2026-11-30', 3 * 32, 1],
      ],
    });
    expect(await counted('month')).toEqual({
      total: 11 * 32,
      rows: [
        ['2026-11', 9 * 32, 1],
        ['2026-12', 2 * 32, 1],
      ],
    });
  });

  it('tell who booked long before from who booked late, with those who did not come', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { capacity: 6 });
    const [early, late] = await createPeople(world, 2);
    const start = Date.parse('2026-12-07T02:00:00Z');
    const dayMs = 24 * 60 * minute;
    const monday = { schedule_date: '2026-12-07', schedule_time: '09:00:00' };
    world.clock.now = start - 8 * dayMs;
    const long = await book(world, clinic, monday, early?.token);
    world.clock.now = start - dayMs + 1;
    await book(world, clinic, monday, late?.token);
    await act(world, clinic.staff, `${long}`, 'approve');
    world.clock.now = start + 30 * minute;
    await act(world, clinic.staff, `${long}`, 'no-show');
    const ask = asker(world, clinic.admin.token);
    const { data, meta } = (await ask('from=2026-12-07&to=2026-12-07&by=lead')).body;
    expect(
      data.map((row: Record<string, unknown>) => [
        row.lead_days_from,
        row.lead_days_until,
        row.offered_seats,
        row.booked_seats,
        row.no_shows,
      ]),
    ).toEqual([
      [0, 1, 0, 1, 0],
      [8, 15, 0, 1, 1],
    ]);
    expect(meta.total).toMatchObject({ booked_seats: 2, no_shows: 1, offered_seats: 16 * 6 + 16 });
  });

  it('offer no hour that the clock skips, and all others of that day', () => {
    const clock = createClinicTime('Europe/Berlin');
    const schedule = {
      doctorId: 'd',
      sessionId: 's',
      sessionName: '',
      approval: 'manual' as const,
      ...unlimited,
      room: '',
      weekday: 7,
      startTime: '01:00:00',
      endTime: '05:00:00',
      slotMinutes: 60,
      capacity: 2,
      validFrom: null,
      validUntil: null,
    };
    const seats = (date: string) => Object.fromEntries(offeredSeats('hour', [date], [schedule], [], clock));
    expect(seats('2026-03-29')).toEqual({ '01': 2, '03': 2, '04': 2 });
    expect(seats('2026-04-05')).toEqual({ '01': 2, '02': 2, '03': 2, '04': 2 });
  });

  it.each(groupings)('read only the bookings of the range, by %s', async (by) => {
    const { db } = await createWorld();
    const span = { fromDate: '2026-11-01', toDate: '2026-11-30' };
    const plan = await planOf(db, queryOf(findNumbers[by](db, span)));
    expect(plan.filter((step) => /^(SEARCH|SCAN)/.test(step))).toEqual([
      expect.stringMatching(/^SEARCH s USING INDEX bookings_day \(/),
    ]);
  });

  it('rank by the nearest, as a sheet of paper would', () => {
    const tenths = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100];
    const ranks = (sorted: number[]) => [nearestRank(sorted, 50), nearestRank(sorted, 90)];
    expect(ranks(tenths)).toEqual([5, 9]);
    expect(ranks([...tenths, 110])).toEqual([6, 10]);
    expect(ranks([35])).toEqual([3.5, 3.5]);
    expect(ranks([])).toEqual([null, null]);
  });
});
