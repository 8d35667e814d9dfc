import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { bookings, queues } from '../../src/core/tables/bookings.ts';
import { closures, doctors, schedules } from '../../src/core/tables/catalog.ts';
import { waitlistEntries } from '../../src/core/tables/queues.ts';
import { bookingEvents } from '../../src/core/tables/webhooks.ts';
import { forgetCalendar } from '../../src/modules/booking/seats/calendar.ts';
import { createDoctor, createSchedule, createSession } from './clinic.ts';
import { createPeople, createPerson } from './people.ts';
import { date, morning } from './waitlist.ts';
import { doctorCount, patientCount, times, type WaitModel } from './waitlist-model.ts';
import { createWorld } from './world.ts';

export const createReal = async () => {
  const world = await createWorld({ MAX_LIVE_BOOKINGS: '0', QUIET_HOURS: 'off' }, morning);
  const sessionId = await createSession(world);
  const doctorIds: string[] = [];
  for (let at = 0; at < doctorCount; at++) doctorIds.push(await createDoctor(world));
  doctorIds.sort();
  const hours = { startTime: '09:00:00', endTime: '10:00:00', weekday: 3 };
  for (const doctorId of doctorIds) {
    await createSchedule(world, { doctorId, sessionId, ...hours });
    // The highest capacity ever, for the invariants.
    await createSchedule(world, { doctorId, sessionId, ...hours, capacity: 3, retiredAt: 1 });
  }
  const people = await createPeople(world, patientCount);
  const staff = await createPerson(world, 'staff');
  return { world, sessionId, doctorIds, people, staff, entryIds: new Map<number, string>() };
};
export type Real = Awaited<ReturnType<typeof createReal>>;

/**
 * As every change of a calendar does. What the service has cached is forgotten, also by a clock that was set back: a
 * booking that is decided on it ends offers that are over before it is refused, and one decided on the new one does not.
 */
export const changeCalendar = async ({ world, doctorIds, sessionId }: Real) => {
  await world.db.update(doctors).set({ calendarVersion: sql`${doctors.calendarVersion} + 1` });
  for (const doctor_id of doctorIds)
    forgetCalendar(world.deps.db, {
      doctor_id,
      session_id: sessionId,
      schedule_date: date,
      schedule_time: times[0],
    });
};

export const isLaidOut = sql`${schedules.retiredAt} is null`;

export const reset = async (real: Real): Promise<void> => {
  const { db, clock } = real.world;
  clock.now = morning;
  for (const table of [bookings, bookingEvents, queues, waitlistEntries, closures]) await db.delete(table);
  await db.update(schedules).set({ capacity: 1 }).where(isLaidOut);
  await changeCalendar(real);
  real.entryIds.clear();
};

export const placeOf = (real: Real, row: { doctorId: string; scheduleTime: string }) => ({
  doctor: real.doctorIds.indexOf(row.doctorId),
  slot: times.indexOf(row.scheduleTime as (typeof times)[number]),
});

const inOrder = (seats: readonly object[]): string[] => seats.map((seat) => JSON.stringify(seat)).sort();

/** Compares who holds which seat until when, and who waits in which order. */
export const compare = async (real: Real, model: WaitModel): Promise<void> => {
  const rows = await real.world.db.select().from(bookings);
  const live = rows.filter(({ status }) => status !== 'canceled');
  const patientOf = (id: string) => real.people.findIndex((person) => person.id === id);
  expect(
    inOrder(
      live.map((row) => ({ patient: patientOf(row.patientId), ...placeOf(real, row), until: row.heldUntil })),
    ),
  ).toEqual(
    inOrder(model.seats.map(({ patient, doctor, slot, until }) => ({ patient, doctor, slot, until }))),
  );
  const { body } = await real.world.request('/v1/admin/waitlist', { token: real.staff.token });
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(
    model.entries.map(({ key }) => real.entryIds.get(key)),
  );
};
