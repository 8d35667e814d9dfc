import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { users } from '../../src/core/tables/accounts.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { clinic } from '../../src/core/tables/catalog.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { createPractice } from './clinic.ts';
import { hour, minute } from './notices.ts';
import { mondayMorning, type World } from './world.ts';

/** When the visits start: a day on, so that their early reminders are due now. */
export const visitsStart = mondayMorning + 24 * hour;

/** Rows that the database makes by itself, `i` from 1 on. */
const fillTable = ({ db }: World, count: number, table: SQLiteTable, values: Record<string, SQL>) =>
  db.insert(table).select(
    sql`with recursive n(i) as (values (1) union all select i + 1 from n where i < ${sql.raw(String(count))})
      select ${sql.join(
        Object.keys(getTableColumns(table)).map((name) => values[name] ?? sql`null`),
        sql`, `,
      )} from n`,
  );

/** So many patients, each with an approved visit at one instant of tomorrow: their reminders come due in one minute. */
export const fillReminders = async (world: World, count: number) => {
  const { doctorId, sessionId } = await createPractice(world);
  const id = sql`printf('00000000-0000-4000-8000-%012d', i)`;
  const phone = { phoneNumber: sql`printf('8%09d', i)`, phoneCountryCode: sql`'62'` };
  const times = { createdAt: sql`1`, updatedAt: sql`1` };
  const person = { id, name: sql`'Pasien ' || i`, ...phone, ...times };
  const login = {
    email: sql`i || '@klinik.example'`,
    deviceId: sql`''`,
    passwordHash: sql`''`,
    role: sql`'patient'`,
  };
  const slot = {
    doctorId: sql`${doctorId}`,
    doctorName: sql`'dr. Sari Wulandari'`,
    sessionId: sql`${sessionId}`,
    sessionName: sql`'Konsultasi'`,
    scheduleDate: sql`'2026-11-24'`,
    scheduleTime: sql`'07:00:00'`,
    startsAt: sql`${visitsStart}`,
    endsAt: sql`${visitsStart + 30 * minute}`,
  };
  const empty = {
    notes: sql`''`,
    staffNotes: sql`''`,
    queueLabel: sql`''`,
    overbooked: sql`0`,
    room: sql`''`,
    channel: sql`'app'`,
    callCount: sql`0`,
  };
  await world.db.batch([
    fillTable(world, count, users, { ...person, ...login }),
    fillTable(world, count, patients, { ...person, staffNotes: sql`''`, version: sql`1` }),
    fillTable(world, count, bookings, {
      id,
      version: sql`1`,
      writeId: id,
      patientId: id,
      ...slot,
      ...empty,
      ...times,
      seat: sql`i`,
      queueNumber: sql`i`,
      bookingCode: sql`printf('K%07d', i)`,
      status: sql`'approved'`,
      createdBy: id,
    }),
    world.db.update(clinic).set({ noticedSequence: 0, remindedAt: mondayMorning - minute }),
  ]);
};
