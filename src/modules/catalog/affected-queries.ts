import { and, asc, eq, gt, gte, inArray, isNull, lt, lte, ne, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../core/db/db.ts';
import { bookings } from '../../core/tables/bookings.ts';
import { schedules } from '../../core/tables/catalog.ts';
import { patients } from '../../core/tables/patients.ts';
import { isItsWeek, isOnGrid, minuteIn } from './slots/schedule-guards.ts';

const maxListed = 1_000;

const isComing = (now: number) =>
  and(
    ne(bookings.status, 'canceled'),
    gt(bookings.endsAt, now),
    isNull(bookings.completedAt),
    isNull(bookings.noShowAt),
  );

const coming = (db: Db, now: number, ...conditions: (SQL | undefined)[]) =>
  db
    .select({
      id: bookings.id,
      patientId: bookings.patientId,
      patientName: sql<string>`${patients.name}`.as('patient_name'),
      phoneCountryCode: patients.phoneCountryCode,
      phoneNumber: patients.phoneNumber,
      doctorId: sql<string>`${bookings.doctorId}`.as('booked_doctor_id'),
      doctorName: bookings.doctorName,
      scheduleDate: bookings.scheduleDate,
      scheduleTime: bookings.scheduleTime,
      startsAt: bookings.startsAt,
      endsAt: bookings.endsAt,
      status: bookings.status,
      total: sql<number>`count(*) over ()`.as('total'),
    })
    .from(bookings)
    .innerJoin(patients, eq(patients.id, bookings.patientId))
    .where(and(isComing(now), ...conditions))
    .orderBy(asc(bookings.startsAt), asc(bookings.id))
    .limit(maxListed);

export type AffectedRow = Awaited<ReturnType<typeof coming>>[number];

interface Closed {
  doctorId: string | null;
  startDate: string;
  endDate: string;
  startTime: string | null;
  endTime: string | null;
}

// HH:MM:SS can be compared as text. A booking's local end is its local start plus its length, as for slots.
const endMinute = sql`(substr(${bookings.scheduleTime}, 1, 2) * 60 + substr(${bookings.scheduleTime}, 4, 2)
  + (${bookings.endsAt} - ${bookings.startsAt}) / 60000)`;

/** Live bookings that overlap a closure. */
export const findUnderClosure = (db: Db, now: number, { doctorId, ...closed }: Closed) =>
  coming(
    db,
    now,
    doctorId === null ? undefined : eq(bookings.doctorId, doctorId),
    gte(bookings.scheduleDate, closed.startDate),
    lte(bookings.scheduleDate, closed.endDate),
    closed.startTime === null || closed.endTime === null
      ? undefined
      : and(
          lt(bookings.scheduleTime, closed.endTime),
          sql`${endMinute} > substr(${closed.startTime}, 1, 2) * 60 + substr(${closed.startTime}, 4, 2)`,
        ),
  );

/** A schedule with these columns or values lays out the slot of a booking; its capacity includes the booking's seat. */
const laysOut = (schedule: Record<keyof LaidOut, unknown>): SQL => {
  const { sessionId, weekday, capacity, validFrom, validUntil, slotMinutes } = schedule;
  const hours = {
    startTime: sql`${schedule.startTime}`,
    endTime: sql`${schedule.endTime}`,
    slotMinutes: sql`${slotMinutes}`,
    breakStart: sql`${schedule.breakStart}`,
    breakEnd: sql`${schedule.breakEnd}`,
  };
  const lengthMinutes = sql`((bookings.ends_at - bookings.starts_at) / 60000)`;
  return sql`(bookings.session_id = ${sessionId}
    and (strftime('%w', bookings.schedule_date) + 6) % 7 + 1 = ${weekday}
    and (${validFrom} is null or ${validFrom} <= bookings.schedule_date)
    and (${validUntil} is null or ${validUntil} >= bookings.schedule_date)
    and ${isItsWeek(sql`${schedule.everyWeeks}`, sql`${validFrom}`, sql`bookings.schedule_date`)}
    and ${isOnGrid(minuteIn(sql`bookings.schedule_time`), hours)} and ${lengthMinutes} = ${slotMinutes}
    and bookings.seat <= ${capacity})`;
};

type LaidOut = Pick<
  typeof schedules.$inferSelect,
  | 'sessionId'
  | 'weekday'
  | 'startTime'
  | 'endTime'
  | 'slotMinutes'
  | 'capacity'
  | 'validFrom'
  | 'validUntil'
  | 'everyWeeks'
  | 'breakStart'
  | 'breakEnd'
>;

/** A booking whose slot the schedule laid out as it was, and which none lays out any more. */
const leftBy = (before: LaidOut): SQL => {
  return sql`${laysOut(before)} and not exists (select 1 from schedules where ${schedules.doctorId} = bookings.doctor_id
    and ${schedules.retiredAt} is null and ${laysOut(schedules)})`;
};

/**
 * Live bookings that a changed or ended schedule leaves outside of its hours, slots or capacity, queried after the
 * change; and that they keep the doctor's room it had.
 */
export const leftBySchedule = (
  db: Db,
  now: number,
  today: string,
  before: LaidOut & Pick<typeof schedules.$inferSelect, 'doctorId' | 'room'>,
) => {
  const left = [
    eq(bookings.doctorId, before.doctorId),
    gte(bookings.scheduleDate, today),
    leftBy(before),
  ] as const;
  return [
    coming(db, now, ...left),
    db
      .update(bookings)
      .set({ room: before.room, updatedAt: now })
      .where(and(isComing(now), ...left)),
  ] as const;
};

/** The names of a doctor or a session reach the bookings that are coming, until their patient has checked in. */
const renamed = (now: number, today: string, of: SQL): SQL | undefined =>
  and(isComing(now), isNull(bookings.checkedInAt), gte(bookings.scheduleDate, today), of);

export const renameDoctor = (db: Db, now: number, today: string, doctorId: string) =>
  db
    .update(bookings)
    .set({
      doctorName: sql`(select trim(d.title || ' ' || d.name) from doctors d where d.id = ${doctorId})`,
      updatedAt: now,
    })
    .where(renamed(now, today, eq(bookings.doctorId, doctorId)));

export const renameSession = (db: Db, now: number, today: string, sessionId: string) =>
  db
    .update(bookings)
    .set({
      sessionName: sql`(select n.name from sessions n where n.id = ${sessionId})`,
      updatedAt: now,
    })
    .where(renamed(now, today, eq(bookings.sessionId, sessionId)));

/** A session that begins to ask questions asks them of those who are coming, too. */
export const askOfSession = (db: Db, now: number, today: string, sessionId: string) =>
  db
    .update(bookings)
    .set({ answers: '[]', updatedAt: now })
    .where(and(renamed(now, today, eq(bookings.sessionId, sessionId)), isNull(bookings.answers)));

/** Live bookings of the clinic on some dates. */
export const findOnDates = (db: Db, now: number, dates: readonly string[]) =>
  coming(db, now, inArray(bookings.scheduleDate, [...dates]));

/** Live bookings of a session that retires. */
export const findOfSession = (db: Db, now: number, today: string, sessionId: string) =>
  coming(db, now, eq(bookings.sessionId, sessionId), gte(bookings.scheduleDate, today));

/** Live bookings of a doctor who retires. */
export const findOfDoctor = (db: Db, now: number, today: string, doctorId: string) =>
  coming(db, now, eq(bookings.doctorId, doctorId), gte(bookings.scheduleDate, today));
