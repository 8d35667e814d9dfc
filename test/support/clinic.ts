import { runAll } from '../../src/db/db.ts';
import { replaceWords } from '../../src/search/queries.ts';
import { doctorWords } from '../../src/search/rules.ts';
import { closures, doctors, schedules, sessions } from '../../src/tables/catalog.ts';
import type { World } from './world.ts';

const timesOf = ({ clock }: World) => ({ createdAt: clock.now, updatedAt: clock.now });

export const createDoctor = async (world: World, fields: Partial<typeof doctors.$inferInsert> = {}) => {
  const id = world.deps.newId();
  const doctor = { id, name: 'Sari Wulandari', title: 'dr.', specialty: 'Umum', ...fields };
  await world.db.insert(doctors).values({ calendarVersion: 1, ...timesOf(world), ...doctor });
  await runAll(world.db, replaceWords(world.db, 'doctor', id, doctorWords(doctor)));
  return id;
};

export const createSession = async (world: World, name = 'Konsultasi') => {
  const id = world.deps.newId();
  await world.db.insert(sessions).values({ id, name, ...timesOf(world) });
  return id;
};

type ScheduleFields = Partial<typeof schedules.$inferInsert> & { doctorId: string; sessionId: string };

export const createSchedule = async (world: World, fields: ScheduleFields) => {
  const id = world.deps.newId();
  const hours = { startTime: '08:00:00', endTime: '16:00:00', slotMinutes: 30, capacity: 1 };
  await world.db.insert(schedules).values({ id, weekday: 1, ...hours, ...timesOf(world), ...fields });
  return id;
};

export const createClosure = async (
  world: World,
  fields: Partial<typeof closures.$inferInsert> & { startDate: string },
) => {
  const id = world.deps.newId();
  await world.db
    .insert(closures)
    .values({ id, name: 'Libur', endDate: fields.startDate, ...timesOf(world), ...fields });
  return id;
};

/** A doctor with one session on every weekday, 08:00–16:00 in half hours. */
export const createPractice = async (world: World, fields: Partial<typeof schedules.$inferInsert> = {}) => {
  const doctorId = await createDoctor(world);
  const sessionId = await createSession(world);
  for (const weekday of [1, 2, 3, 4, 5, 6, 7])
    await createSchedule(world, { doctorId, sessionId, weekday, ...fields });
  return { doctorId, sessionId };
};

/** A booking's body for this practice; Monday 09:00 unless said otherwise. */
export const bookingInput = (
  practice: { doctorId: string; sessionId: string },
  fields: Record<string, unknown> = {},
) => ({
  doctor_id: practice.doctorId,
  session_id: practice.sessionId,
  schedule_date: '2026-11-23',
  schedule_time: '09:00:00',
  notes: '',
  ...fields,
});
