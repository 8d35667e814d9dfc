import { and, asc, eq, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { type Named, statement } from '../../../core/db/statement.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { doctors, schedules, sessions } from '../../../core/tables/catalog.ts';
import { doctorNotices, queuePrefixes } from '../../../core/tables/queues.ts';
import { isItsWeek } from '../../catalog/slots/schedule-guards.ts';
import { awaitsCall, computeTurn } from '../seats/turn-queries.ts';

const turn = computeTurn('bookings');

/** Those who count in a queue: approved, and not recorded as absent. */
const counts = sql`${bookings.status} = 'approved' and ${bookings.noShowAt} is null`;

const shown = {
  id: bookings.id,
  doctorId: bookings.doctorId,
  sessionId: bookings.sessionId,
  queueNumber: bookings.queueNumber,
  label: bookings.queueLabel,
  startsAt: bookings.startsAt,
  endsAt: bookings.endsAt,
  checkedInAt: bookings.checkedInAt,
  calledAt: bookings.calledAt,
  callCount: bookings.callCount,
  completedAt: bookings.completedAt,
  room: bookings.room,
};

type DayValues = 'date' | 'doctorId' | 'sessionId';

const selectTurns = (db: Db, named: Named<DayValues>, doctor: SQL | undefined) =>
  db
    .select(shown)
    .from(bookings)
    .where(
      and(
        doctor,
        eq(bookings.scheduleDate, named('date')),
        or(sql`${named('sessionId')} is null`, eq(bookings.sessionId, named('sessionId'))),
        counts,
      ),
    )
    .orderBy(asc(turn), asc(bookings.id));

/** Everybody of a date who counts, in calling order. */
export const findTurns = statement((db, named: Named<DayValues>) => selectTurns(db, named, undefined));

/** The same of one doctor. */
export const findDoctorTurns = statement((db, named: Named<DayValues>) =>
  selectTurns(db, named, eq(bookings.doctorId, named('doctorId'))),
);

/** Everybody in the queue of a booking, in calling order; empty unless it is of this date. */
export const findTurnsBeside = statement((db, named: Named<'id' | 'date'>) =>
  db
    .select(shown)
    .from(bookings)
    .where(
      sql`(${bookings.doctorId}, ${bookings.scheduleDate}, ${bookings.sessionId}) = (select o.doctor_id, o.schedule_date,
        o.session_id from bookings o where o.id = ${named('id')} and o.schedule_date = ${named('date')}) and ${counts}`,
    )
    .orderBy(asc(turn), asc(bookings.id)),
);

/** Those whom the doctor may call on a date, in calling order. */
export const findAwaitingCall = statement((db, named: Named<DayValues | 'limit'>) =>
  db
    .select()
    .from(bookings)
    .where(
      and(
        eq(bookings.doctorId, named('doctorId')),
        eq(bookings.scheduleDate, named('date')),
        or(sql`${named('sessionId')} is null`, eq(bookings.sessionId, named('sessionId'))),
        awaitsCall('bookings'),
      ),
    )
    .orderBy(asc(turn), asc(bookings.id))
    .limit(named('limit')),
);

const computeWeekday = (date: SQL): SQL => sql`((strftime('%w', ${date}) + 6) % 7 + 1)`;

const isLaidOut = (
  date: SQL,
): SQL => sql`${schedules.weekday} = ${computeWeekday(date)} and ${schedules.retiredAt} is null
  and (${schedules.validFrom} is null or ${schedules.validFrom} <= ${date})
  and (${schedules.validUntil} is null or ${schedules.validUntil} >= ${date})
  and ${isItsWeek(sql`${schedules.everyWeeks}`, sql`${schedules.validFrom}`, date)}`;

const hours = {
  startTime: schedules.startTime,
  endTime: schedules.endTime,
  slotMinutes: schedules.slotMinutes,
  capacity: schedules.capacity,
  room: schedules.room,
};

/** Every queue that has a prefix, with its hours of a date: a row for each schedule in force, and one without any. */
export const findQueues = statement((db, named: Named<DayValues>) =>
  db
    .select({
      prefix: queuePrefixes.prefix,
      doctorId: queuePrefixes.doctorId,
      doctorName: sql<string>`trim(${doctors.title} || ' ' || ${doctors.name})`.as('doctor_name'),
      sessionId: queuePrefixes.sessionId,
      sessionName: sql<string>`${sessions.name}`.as('session_name'),
      ...hours,
    })
    .from(queuePrefixes)
    .innerJoin(doctors, eq(doctors.id, queuePrefixes.doctorId))
    .innerJoin(sessions, eq(sessions.id, queuePrefixes.sessionId))
    .leftJoin(
      schedules,
      and(
        eq(schedules.doctorId, queuePrefixes.doctorId),
        eq(schedules.sessionId, queuePrefixes.sessionId),
        sql`${doctors.retiredAt} is null and ${sessions.retiredAt} is null`,
        isLaidOut(sql`${named('date')}`),
      ),
    )
    .where(
      and(
        sql`${queuePrefixes.replacedAt} is null`,
        or(sql`${named('doctorId')} is null`, eq(queuePrefixes.doctorId, named('doctorId'))),
        or(sql`${named('sessionId')} is null`, eq(queuePrefixes.sessionId, named('sessionId'))),
      ),
    )
    .orderBy(sql`length(${queuePrefixes.prefix})`, asc(queuePrefixes.prefix), asc(schedules.startTime)),
);

/** The doctors' notices for their patients of a date. */
export const findNotices = statement((db, named: Named<'date' | 'doctorId'>) =>
  db
    .select({
      doctorId: doctorNotices.doctorId,
      delayMinutes: doctorNotices.delayMinutes,
      message: doctorNotices.message,
    })
    .from(doctorNotices)
    .where(
      and(
        eq(doctorNotices.date, named('date')),
        or(sql`${named('doctorId')} is null`, eq(doctorNotices.doctorId, named('doctorId'))),
      ),
    ),
);

const laysOutSlot = sql`schedules.doctor_id = bookings.doctor_id and schedules.session_id = bookings.session_id
  and schedules.start_time <= bookings.schedule_time and schedules.end_time > bookings.schedule_time
  and ${isLaidOut(sql`bookings.schedule_date`)}`;

/** The room to which a booking is called: that of such a schedule, or what the last one left it. */
export const shownRoom = sql<string>`coalesce((select schedules.room from schedules where ${laysOutSlot} limit 1),
  bookings.room)`;

/** The schedule that lays out a booking's slot, and what its doctor lets the patients of that date know. */
export const findSurroundings = statement((db, named: Named<'id'>) =>
  db
    .select({
      slotMinutes: schedules.slotMinutes,
      capacity: schedules.capacity,
      room: sql<string>`coalesce(${schedules.room}, ${bookings.room})`.as('called_to'),
      delayMinutes: doctorNotices.delayMinutes,
      message: doctorNotices.message,
    })
    .from(bookings)
    .leftJoin(schedules, laysOutSlot)
    .leftJoin(
      doctorNotices,
      and(eq(doctorNotices.date, bookings.scheduleDate), eq(doctorNotices.doctorId, bookings.doctorId)),
    )
    .where(eq(bookings.id, named('id')))
    .limit(1),
);
