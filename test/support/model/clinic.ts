import { eq, inArray, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { users } from '../../../src/core/tables/accounts.ts';
import { bookings, queues } from '../../../src/core/tables/bookings.ts';
import { closures, doctors, schedules, sessions } from '../../../src/core/tables/catalog.ts';
import { replays } from '../../../src/core/tables/idempotency.ts';
import { familyRelations, patients } from '../../../src/core/tables/patients.ts';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { toVisitStatus } from '../../../src/modules/booking/record/rules.ts';
import { createDoctor, createSchedule, createSession } from '../clinic.ts';
import { everybodyConfirms } from '../factors.ts';
import { findViolations } from '../invariants.ts';
import { createPerson } from '../people.ts';
import { createWorld, type World } from '../world.ts';
import {
  type Actor,
  type Booked,
  dates,
  emptyModel,
  endOf,
  family,
  type Grid,
  type Model,
  settings,
  startOf,
} from './state.ts';

export const patientCount = 3;
/** More than any capacity that is ever set: the invariants take a slot's capacity for the highest it had. */
const maxCapacity = 3;

export const timeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`;

interface Person {
  id: string;
  token: string;
}

/** The real clinic that the model is compared with: two doctors, four patients, one session, three days. */
export interface Real {
  world: World;
  sessionId: string;
  doctorIds: string[];
  scheduleIds: string[][];
  closureIds: string[];
  patients: Person[];
  doctors: Person[];
  staff: Person;
  admin: Person;
  keys: number;
}

export const personOf = (real: Real, { role, at }: Actor): Person => {
  if (role === 'patient') return real.patients[at] as Person;
  if (role === 'doctor') return real.doctors[at] as Person;
  return role === 'admin' ? real.admin : real.staff;
};

const gridRow = ({ start, end, slotMinutes, capacity }: Grid) => ({
  startTime: timeOf(start),
  endTime: timeOf(end),
  slotMinutes,
  capacity,
});

export const createReal = async (): Promise<Real> => {
  const { now, grids } = emptyModel();
  const world = await createWorld(settings, now);
  const sessionId = await createSession(world);
  const real: Real = {
    world,
    sessionId,
    doctorIds: [],
    scheduleIds: [],
    closureIds: [],
    patients: [],
    doctors: [],
    staff: await createPerson(world, 'staff'),
    admin: await createPerson(world, 'admin'),
    keys: 0,
  };
  for (let at = 0; at < patientCount; at++) real.patients.push(await createPerson(world, 'patient'));
  const name = { name: 'Pak Darmo', phoneNumber: '', phoneCountryCode: '', staffNotes: '' };
  const id = world.deps.newId();
  await world.db.insert(patients).values({ id, ...name, createdAt: now, updatedAt: now });
  real.patients.push({ id, token: '' });
  const [mother, child] = [real.patients[family.account], real.patients[family.patient]];
  await world.db.insert(familyRelations).values({
    accountId: mother?.id ?? '',
    patientId: child?.id ?? '',
    relation: 'spouse',
    createdAt: now,
  });
  for (const grid of grids) {
    const doctorId = await createDoctor(world);
    const offered = { doctorId, sessionId, ...gridRow(grid) };
    await createSchedule(world, { ...offered, capacity: maxCapacity, retiredAt: 1 });
    const ids: string[] = [];
    for (const weekday of dates.keys())
      ids.push(await createSchedule(world, { ...offered, weekday: weekday + 1 }));
    real.doctorIds.push(doctorId);
    real.scheduleIds.push(ids);
    real.doctors.push(await createPerson(world, 'doctor', doctorId));
  }
  return real;
};

/** The clinic as it was before the last run: no bookings, no closures, the first grids, Monday at seven. */
export const reset = async (real: Real, { now, grids }: Model): Promise<void> => {
  const { db, clock } = real.world;
  clock.now = now;
  real.closureIds = [];
  await db.delete(bookings);
  await db.delete(bookingEvents);
  await db.delete(queues);
  await db.delete(replays);
  await db.delete(closures);
  await db.update(patients).set({ mergedInto: null });
  await db.update(users).set({ loginPhone: null, phoneProvedAt: null });
  await db.update(sessions).set({ approval: 'manual' });
  // As every change of a calendar does: the service may have cached it.
  await db.update(doctors).set({ calendarVersion: sql`${doctors.calendarVersion} + 1` });
  for (const [doctor, grid] of grids.entries())
    await db
      .update(schedules)
      .set(gridRow(grid))
      .where(inArray(schedules.id, real.scheduleIds[doctor] as string[]));
};

/** The record gets an account that a phone opens, and everybody has just logged in. */
export const giveAccount = async ({ world }: Real, id: string): Promise<void> => {
  const { now } = world.clock;
  const name = { name: 'Pak Darmo', phoneNumber: '', phoneCountryCode: '' };
  const account = { id, ...name, deviceId: '', passwordHash: '', role: 'patient' } as const;
  const times = { phoneProvedAt: now, createdAt: now, updatedAt: now };
  await world.db.insert(users).values({ ...account, ...times, loginPhone: '6281355500001' });
  await everybodyConfirms(world);
};

/** Takes it away again, and gives how many there were. */
export const takeAccount = async ({ world }: Real, id: string): Promise<number> =>
  (await world.db.delete(users).where(eq(users.id, id)).returning({ id: users.id })).length;

const asAdmin = (real: Real, method: string, path: string, body?: object) =>
  real.world.request(`/v1/admin/${path}`, {
    method,
    token: real.admin.token,
    ...(body !== undefined && { body }),
  });

/** Lays out a doctor's days again, as an admin. */
export const setGrid = async (real: Real, doctor: number, grid: Grid): Promise<void> => {
  const { startTime, endTime, slotMinutes, capacity } = gridRow(grid);
  const body = { start_time: startTime, end_time: endTime, slot_minutes: slotMinutes, capacity };
  for (const id of real.scheduleIds[doctor] as string[])
    expect((await asAdmin(real, 'PATCH', `schedules/${id}`, body)).status).toBe(200);
};

/** Sets as an admin whether the session's bookings are approved at once. */
export const setApproval = async (real: Real, approval: 'manual' | 'automatic'): Promise<void> => {
  expect((await asAdmin(real, 'PATCH', `sessions/${real.sessionId}`, { approval })).status).toBe(200);
};

export const addClosure = async (
  real: Real,
  { doctor, day, hours }: Model['closures'][number],
): Promise<void> => {
  const { status, body } = await asAdmin(real, 'POST', 'closures', {
    name: 'Tutup',
    start_date: dates[day],
    ...(doctor !== null && { doctor_id: real.doctorIds[doctor] }),
    ...(hours !== null && { start_time: timeOf(hours.from), end_time: timeOf(hours.until) }),
  });
  expect(status).toBe(201);
  real.closureIds.push(body.data.id);
};

export const removeClosure = async (real: Real, at: number): Promise<void> => {
  const [id] = real.closureIds.splice(at, 1);
  expect((await asAdmin(real, 'DELETE', `closures/${id}`)).status).toBe(200);
};

const stored = (real: Real, row: typeof bookings.$inferSelect, events: string[]) => ({
  patient: real.patients.findIndex(({ id }) => id === row.patientId),
  doctor: real.doctorIds.indexOf(row.doctorId),
  date: row.scheduleDate,
  time: row.scheduleTime,
  startsAt: row.startsAt,
  endsAt: row.endsAt,
  status: row.status,
  visit: toVisitStatus(row),
  calls: row.callCount,
  checkedInAt: row.checkedInAt,
  firstCalledAt: row.firstCalledAt,
  calledAt: row.calledAt,
  overbooked: row.overbooked === 1,
  notes: row.notes,
  staffNotes: row.staffNotes,
  queueNumber: row.queueNumber,
  canceled: row.canceledBy === null ? null : { by: row.canceledBy, code: row.cancelReasonCode },
  version: row.version,
  events,
});

const wanted = (b: Booked) => ({
  patient: b.patient,
  doctor: b.doctor,
  date: dates[b.day],
  time: timeOf(b.minute),
  startsAt: startOf(b),
  endsAt: endOf(b),
  status: b.status,
  visit: b.visit,
  calls: b.calls,
  checkedInAt: b.checkedInAt,
  firstCalledAt: b.firstCalledAt,
  calledAt: b.calledAt,
  overbooked: b.overbooked,
  notes: b.notes,
  staffNotes: b.staffNotes,
  queueNumber: b.queueNumber,
  canceled: b.canceled,
  version: b.events.length,
  events: b.events,
});

/** Compares every stored booking and its events with the model, and asks the invariants. */
export const compare = async (real: Real, model: Model): Promise<void> => {
  const { db } = real.world;
  const rows = await db.select().from(bookings);
  const events = await db.select().from(bookingEvents).orderBy(bookingEvents.sequence);
  const eventsOf = (id: string) =>
    events.filter((e) => e.bookingId === id).map((e) => `${e.type} by ${e.actorRole}`);
  expect(new Map(rows.map((row) => [row.id, stored(real, row, eventsOf(row.id))]))).toEqual(
    new Map(model.bookings.map((b) => [b.id, wanted(b)])),
  );
  expect(await findViolations(db)).toEqual([]);
};
