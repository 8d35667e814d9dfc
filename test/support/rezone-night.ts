import { expect } from 'vitest';
import { createClinicTime } from '../../src/core/clinic/time.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { bookingInput, createPractice } from './clinic.ts';
import { findViolations } from './invariants.ts';
import { createPeople } from './people.ts';
import type { World } from './world.ts';

export const always = { startTime: '00:00:00', endTime: '24:00:00', capacity: 2 };

export const expectAllIn = async (world: World, zone: string) => {
  const clock = createClinicTime(zone);
  const rows = await world.db.select().from(bookings);
  for (const row of rows) {
    const [hours = 0, minutes = 0] = row.scheduleTime.split(':').map(Number);
    expect([row.scheduleDate, row.scheduleTime, row.startsAt]).toEqual([
      row.scheduleDate,
      row.scheduleTime,
      clock.instantOf(row.scheduleDate, hours * 60 + minutes),
    ]);
    expect(row.endsAt - row.startsAt).toBe(30 * 60_000);
  }
  expect(await findViolations(world.db)).toEqual([]);
  return rows;
};

/** A night of neighbouring half hours, all of one doctor's first seat, across midnight. */
export const fullNight = async (world: World) => {
  const practice = await createPractice(world, always);
  const people = await createPeople(world, 3);
  const times = ['22:30:00', '23:00:00', '23:30:00', '00:00:00', '00:30:00', '01:00:00'];
  for (const [at, schedule_time] of times.entries()) {
    const body = bookingInput(practice, {
      schedule_date: at < 3 ? '2026-11-24' : '2026-11-25',
      schedule_time,
    });
    const { status } = await world.request('/v1/bookings', { token: people[at % 2]?.token, body });
    expect(status).toBe(201);
    const other = await world.request('/v1/bookings', { token: people[2]?.token, body });
    expect(other.status).toBe(201);
  }
  return { practice, people };
};
