import { and, asc, eq, gt, gte, isNull, lt, lte, ne, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/db.ts';
import { bookings } from '../tables/bookings.ts';
import { patients } from '../tables/patients.ts';

const maxListed = 1_000;

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
    .where(
      and(
        ne(bookings.status, 'canceled'),
        gt(bookings.endsAt, now),
        isNull(bookings.completedAt),
        isNull(bookings.noShowAt),
        ...conditions,
      ),
    )
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

/** Live bookings of a session that retires. */
export const findOfSession = (db: Db, now: number, today: string, sessionId: string) =>
  coming(db, now, eq(bookings.sessionId, sessionId), gte(bookings.scheduleDate, today));

/** Live bookings of a doctor who retires. */
export const findOfDoctor = (db: Db, now: number, today: string, doctorId: string) =>
  coming(db, now, eq(bookings.doctorId, doctorId), gte(bookings.scheduleDate, today));
