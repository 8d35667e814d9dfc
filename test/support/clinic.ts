import { runAll } from '../../src/core/db/db.ts';
import { replaceWords } from '../../src/core/search/queries.ts';
import { closures, doctors, schedules, sessions } from '../../src/core/tables/catalog.ts';
import { doctorWords } from '../../src/modules/catalog/doctors/queries.ts';
import type { World } from './world.ts';

const timesOf = ({ clock }: World) => ({ createdAt: clock.now, updatedAt: clock.now });

const doctorRow = (world: World, fields: Partial<typeof doctors.$inferInsert>) => {
  const own = { id: world.deps.newId(), name: 'Sari Wulandari', title: 'dr.', specialty: 'Umum', ...fields };
  const statements = [
    world.db.insert(doctors).values({ calendarVersion: 1, ...timesOf(world), ...own }),
    ...replaceWords(world.db, 'doctor', own.id, doctorWords(own)),
  ] as const;
  return { id: own.id, statements };
};

export const createDoctor = async (world: World, fields: Partial<typeof doctors.$inferInsert> = {}) => {
  const { id, statements } = doctorRow(world, fields);
  await runAll(world.db, statements);
  return id;
};

const sessionRow = (world: World, name: string) => {
  const id = world.deps.newId();
  return { id, statement: world.db.insert(sessions).values({ id, name, ...timesOf(world) }) };
};

export const createSession = async (world: World, name = 'Konsultasi') => {
  const { id, statement } = sessionRow(world, name);
  await statement;
  return id;
};

type ScheduleFields = Partial<typeof schedules.$inferInsert> & { doctorId: string; sessionId: string };

const scheduleRow = (world: World, fields: ScheduleFields) => {
  const id = world.deps.newId();
  const hours = { startTime: '08:00:00', endTime: '16:00:00', slotMinutes: 30, capacity: 1 };
  const row = { id, weekday: 1, ...hours, ...timesOf(world), ...fields };
  return { id, statement: world.db.insert(schedules).values(row) };
};

export const createSchedule = async (world: World, fields: ScheduleFields) => {
  const { id, statement } = scheduleRow(world, fields);
  await statement;
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

/** A doctor with one session on every weekday, 08:00–16:00 in half hours; made in one round trip. */
export const createPractice = async (world: World, fields: Partial<typeof schedules.$inferInsert> = {}) => {
  const doctor = doctorRow(world, {});
  const session = sessionRow(world, 'Konsultasi');
  const weekly = [1, 2, 3, 4, 5, 6, 7].map((weekday) =>
    scheduleRow(world, { doctorId: doctor.id, sessionId: session.id, weekday, ...fields }),
  );
  await runAll(world.db, [
    ...doctor.statements,
    session.statement,
    ...weekly.map(({ statement }) => statement),
  ]);
  return { doctorId: doctor.id, sessionId: session.id };
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
