import { and, asc, eq, getTableColumns, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../db/db.ts';
import { type Named, statement } from '../../db/statement.ts';
import { hasTerms } from '../../search/queries.ts';
import { bookings } from '../../tables/bookings.ts';
import { patients } from '../../tables/patients.ts';

const withPatient = {
  ...getTableColumns(bookings),
  patientName: sql<string>`${patients.name}`.as('patient_name'),
  phoneCountryCode: patients.phoneCountryCode,
  phoneNumber: patients.phoneNumber,
};

type DayValues =
  | 'date'
  | 'doctorId'
  | 'status'
  | 'afterStart'
  | 'afterId'
  | 'terms'
  | 'phone'
  | 'code'
  | 'limit';

/** What was searched for: beginnings of words of the name, a part of the phone number, or the whole booking code. */
const matches = (named: Named<DayValues>): SQL => sql`(${named('terms')} is null
  or (${named('terms')} <> '[]' and ${hasTerms(sql`${patients.id}`, sql`${named('terms')}`)})
  or ${bookings.bookingCode} = ${named('code')} or (${named('phone')} <> '' and
    instr(${patients.phoneCountryCode} || ltrim(${patients.phoneNumber}, '0'), ${named('phone')}) > 0))`;

const dayPage = (db: Db, named: Named<DayValues>, doctor: SQL | undefined) =>
  db
    .select(withPatient)
    .from(bookings)
    .innerJoin(patients, eq(patients.id, bookings.patientId))
    .where(
      and(
        doctor,
        eq(bookings.scheduleDate, named('date')),
        sql`(${bookings.startsAt}, ${bookings.id}) > (${named('afterStart')}, ${named('afterId')})`,
        or(sql`${named('status')} is null`, eq(bookings.status, named('status'))),
        matches(named),
      ),
    )
    .orderBy(asc(bookings.startsAt), asc(bookings.id))
    .limit(named('limit'));

/** One page of the clinic's bookings of a date. */
export const findDay = statement((db, named: Named<DayValues>) => dayPage(db, named, undefined));

/** One page of a doctor's bookings of a date. */
export const findDoctorDay = statement((db, named: Named<DayValues>) =>
  dayPage(db, named, eq(bookings.doctorId, named('doctorId'))),
);

/** The booking of a code, whatever its date. */
export const findByCode = statement((db, named: Named<'code' | 'doctorId' | 'status'>) =>
  db
    .select(withPatient)
    .from(bookings)
    .innerJoin(patients, eq(patients.id, bookings.patientId))
    .where(
      and(
        eq(bookings.bookingCode, named('code')),
        or(sql`${named('doctorId')} is null`, eq(bookings.doctorId, named('doctorId'))),
        or(sql`${named('status')} is null`, eq(bookings.status, named('status'))),
      ),
    ),
);

const stands = sql`${bookings.status} <> 'canceled'`;

/** How many stand in a doctor's queue on a date, and how many of them are still to be called. */
export const findQueue = statement((db, named: Named<'doctorId' | 'date' | 'sessionId'>) =>
  db
    .select({
      total: sql<number>`count(case when ${stands} then 1 end)`.as('total'),
      remaining:
        sql<number>`count(case when ${stands} and ${bookings.calledAt} is null and ${bookings.completedAt} is null
        and ${bookings.noShowAt} is null then 1 end)`.as('remaining'),
    })
    .from(bookings)
    .where(
      and(
        eq(bookings.doctorId, named('doctorId')),
        eq(bookings.scheduleDate, named('date')),
        or(sql`${named('sessionId')} is null`, eq(bookings.sessionId, named('sessionId'))),
      ),
    ),
);
