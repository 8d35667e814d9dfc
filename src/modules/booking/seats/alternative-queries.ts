import { and, eq, gt, isNull, lt, type Placeholder, sql } from 'drizzle-orm';
import { type Db, reading } from '../../../core/db/db.ts';
import { type Named, statement } from '../../../core/db/statement.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { doctors, schedules, sessions } from '../../../core/tables/catalog.ts';
import { buildFindHeld, withHeld } from '../../catalog/slots/hold-queries.ts';
import { buildFindOccupied, findAllClosures } from '../../catalog/slots/many-queries.ts';
import { scheduleColumns } from '../../catalog/slots/queries.ts';
import { longestSlotMs } from '../../catalog/slots/rules.ts';

const maxDoctors = 20;

/** The active doctors who offer a session, except one. */
const offering = (sessionId: unknown, doctorId: unknown) =>
  sql`(select d.id from doctors d where d.id in (select s.doctor_id from schedules s
    where s.session_id = ${sessionId} and s.retired_at is null) and d.retired_at is null and d.id <> ${doctorId}
    order by d.name, d.id limit ${sql.raw(String(maxDoctors))})`;

const findOtherSchedules = statement((db, named: Named<'sessionId' | 'doctorId'>) =>
  db
    .select({
      doctorId: schedules.doctorId,
      doctorName: sql<string>`trim(${doctors.title} || ' ' || ${doctors.name})`.as('doctor_name'),
      ...scheduleColumns,
    })
    .from(schedules)
    .innerJoin(sessions, eq(sessions.id, schedules.sessionId))
    .innerJoin(doctors, eq(doctors.id, schedules.doctorId))
    .where(
      and(
        eq(schedules.sessionId, named('sessionId')),
        isNull(schedules.retiredAt),
        isNull(sessions.retiredAt),
        sql`${schedules.doctorId} in ${offering(named('sessionId'), named('doctorId'))}`,
      ),
    ),
);

/** When a booking takes its patient's time, and whether it counts for the limits of its session. */
export const busyColumns = {
  startsAt: bookings.startsAt,
  endsAt: bookings.endsAt,
  sessionId: bookings.sessionId,
  scheduleDate: bookings.scheduleDate,
  counts: sql<number>`${bookings.noShowAt} is null and ${bookings.heldUntil} is null`.as('counts'),
};

/** The times when a patient is busy: live bookings that touch a time range, except the one that is being moved. */
export const findBusy = statement((db, named: Named<'patientId' | 'exceptId' | 'after' | 'before'>) =>
  db
    .select(busyColumns)
    .from(bookings)
    .where(
      and(
        eq(bookings.patientId, named('patientId')),
        gt(bookings.startsAt, named('after')),
        lt(bookings.startsAt, named('before')),
        sql`${bookings.status} <> 'canceled'`,
        sql`${bookings.id} <> ${named('exceptId')}`,
      ),
    ),
);

const ofOffering = (named: (name: 'sessionId' | 'doctorId') => Placeholder) =>
  offering(named('sessionId'), named('doctorId'));
const findOtherOccupied = buildFindOccupied(ofOffering);
const findOtherHeld = buildFindHeld(ofOffering);

interface AlternativeSpan {
  sessionId: string;
  doctorId: string;
  fromDate: string;
  toDate: string;
  fromInstant: number;
  toInstant: number;
  now: number;
  countsHolds: boolean;
}

/**
 * The calendars of the other doctors who offer a session: three statements, however many doctors there are, and one more
 * where holds count.
 */
export const otherCalendarReads = (db: Db, span: AlternativeSpan) => {
  const { sessionId, doctorId, fromDate, toDate } = span;
  const between = { after: span.fromInstant - longestSlotMs, before: span.toInstant, now: span.now };
  return reading(
    {
      schedules: findOtherSchedules(db, { sessionId, doctorId }),
      closures: findAllClosures(db, { fromDate, toDate }),
      occupied: findOtherOccupied(db, { sessionId, doctorId, ...between }),
      held: span.countsHolds ? [findOtherHeld(db, { sessionId, doctorId, ...between })] : [],
    },
    ({ occupied, held, ...rows }) => ({ ...rows, occupied: withHeld(occupied, held.flat()) }),
  );
};
