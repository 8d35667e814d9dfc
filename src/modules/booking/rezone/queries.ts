import { and, asc, count, gte, lte, ne, type SQL, sql } from 'drizzle-orm';
import { hourMs } from '../../../core/clinic/durations.ts';
import { maxReminderHours } from '../../../core/clinic/notice-settings.ts';
import { recognisesRepeat } from '../../../core/db/db.ts';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { randomUuid } from '../../../core/db/ids.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { systemEvent } from '../../../core/events/queries.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { clinic } from '../../../core/tables/catalog.ts';
import { notices } from '../../../core/tables/mail.ts';
import { bookingEvents } from '../../../core/tables/webhooks.ts';

const stillToCome = (now: SQL, shift: SQL): SQL =>
  sql`(${bookings.status} <> 'canceled' and ${bookings.completedAt} is null and ${bookings.noShowAt} is null
    and (${bookings.endsAt} > ${now} or ${bookings.endsAt} + ${shift} > ${now}))`;

/** All bookings, counted by local time and instant. */
export const findGroups = statement((db, named: Named<'now'>) =>
  db
    .select({
      date: bookings.scheduleDate,
      time: bookings.scheduleTime,
      startsAt: bookings.startsAt,
      bookings: count().as('bookings_here'),
      live: sql<number>`sum(${bookings.status} <> 'canceled')`.as('live_here'),
      coming: sql<number>`sum(${stillToCome(sql`${named('now')}`, sql`0`)})`.as('coming_here'),
    })
    .from(bookings)
    .groupBy(bookings.scheduleDate, bookings.scheduleTime, bookings.startsAt)
    .orderBy(asc(bookings.scheduleDate), asc(bookings.scheduleTime)),
);

/** Live bookings of some dates. */
export const findLiveBetween = statement((db, named: Named<'from' | 'to'>) =>
  db
    .select({
      id: bookings.id,
      bookingCode: bookings.bookingCode,
      doctorId: bookings.doctorId,
      patientId: bookings.patientId,
      scheduleDate: bookings.scheduleDate,
      scheduleTime: bookings.scheduleTime,
      startsAt: bookings.startsAt,
      endsAt: bookings.endsAt,
    })
    .from(bookings)
    .where(
      and(
        gte(bookings.scheduleDate, named('from')),
        lte(bookings.scheduleDate, named('to')),
        ne(bookings.status, 'canceled'),
      ),
    )
    .orderBy(asc(bookings.scheduleDate), asc(bookings.startsAt)),
);

// Each of these raises the calendar's version, so that a seat decided on before it is refused.

/** From now on no server books or lists slots, because the database is between two time zones. */
export const beginRezone = rowStatement(['zone'], (db, row) =>
  db
    .update(clinic)
    .set({ rezoningTo: sql`r.zone`, calendarVersion: sql`${clinic.calendarVersion} + 1` })
    .from(fromRow(row))
    .where(sql`${clinic.id} = 1`),
);

/** Cancels a change that has begun but has not moved a booking yet. */
export const cancelRezone = rowStatement(['zone'], (db, row) =>
  db
    .update(clinic)
    .set({ rezoningTo: null, calendarVersion: sql`${clinic.calendarVersion} + 1` })
    .from(fromRow(row))
    .where(sql`${clinic.id} = 1 and ${clinic.rezoningTo} = r.zone`),
);

/**
 * This process does not know how long before a visit reminders are sent, or which are late now that visits start
 * earlier: everything that may be due is checked again. A reminder that was sent is found by its notice, whose times
 * were moved too.
 */
const reminderReachMs = maxReminderHours * hourMs;

export const endRezone = rowStatement(['zone', 'now'], (db, row) =>
  db
    .update(clinic)
    .set({
      timeZone: sql`r.zone`,
      rezoningTo: null,
      calendarVersion: sql`${clinic.calendarVersion} + 1`,
      remindedAt: sql`min(${clinic.remindedAt}, r.now - ${sql.raw(String(reminderReachMs))})`,
    })
    .from(fromRow(row))
    .where(sql`${clinic.id} = 1 and ${clinic.rezoningTo} = r.zone`),
);

const moveRow = ['zone', 'date', 'time', 'oldStart', 'newStart', 'now', 'requestId'] as const;

const isMoved = sql`${bookings.scheduleDate} = r.date and ${bookings.startsAt} = r.old_start
  and ${bookings.scheduleTime} = r.time
  and exists (select 1 from clinic c where c.id = 1 and c.rezoning_to = r.zone)`;

/**
 * Notices of the bookings, sent or planned, move by the same difference, while the bookings still have their old time:
 * a notice about the old start is about the new start now; a notice about an earlier start stays out of date.
 */
const moveNotices = rowStatement(moveRow, (db, row) =>
  db
    .update(notices)
    .set({
      startsAt: sql`${notices.startsAt} + m.shift`,
      urgentUntil: sql`case when ${notices.urgentUntil} = 0 then 0 else ${notices.urgentUntil} + m.shift end`,
    })
    .from(
      sql`(with ${row} select ${bookings.id} as moved_id, r.new_start - r.old_start as shift
        from r join ${bookings} on ${isMoved}) m`,
    )
    .where(sql`${notices.bookingId} = m.moved_id`),
);

const newInstants = {
  startsAt: sql`r.new_start`,
  endsAt: sql`${bookings.endsAt} + r.new_start - r.old_start`,
  // This time was promised as an instant, not as a time of day, so it stays; but no offer is held past its start. Null
  // stays null.
  heldUntil: sql`min(${bookings.heldUntil}, r.new_start)`,
  // Starts with the start of the booking behind which somebody was skipped.
  queueTurn: sql`printf('%013d', substr(${bookings.queueTurn}, 1, 13) + r.new_start - r.old_start)
    || substr(${bookings.queueTurn}, 14)`,
};

const moveComing = rowStatement(moveRow, (db, row) =>
  db
    .update(bookings)
    .set({
      ...newInstants,
      version: sql`${bookings.version} + 1`,
      writeId: randomUuid,
      updatedAt: sql`r.now`,
    })
    .from(fromRow(row))
    .where(and(isMoved, stillToCome(sql`r.now`, sql`r.new_start - r.old_start`))),
);

/** An instant as JavaScript's `toISOString` writes it. */
const formatIso = (instant: SQL): SQL =>
  sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${instant} / 1000.0, 'unixepoch')`;

const arrived = sql`r join bookings b on b.schedule_date = r.date and b.starts_at = r.new_start
  and b.schedule_time = r.time`;

const payloadInNewZone = (payload: SQL): SQL =>
  sql`json_set(${payload}, '$.version', cast(b.version as integer), '$.queue_label', b.queue_label, '$.starts_at', ${formatIso(sql`b.starts_at`)},
    '$.ends_at', ${formatIso(sql`b.ends_at`)})`;

/** The previous slot; the zone changes only its instants. */
const slotBefore = (payload: SQL): SQL => sql`json_object('doctor_id', ${payload} ->> 'doctor_id',
  'session_id', ${payload} ->> 'session_id', 'schedule_date', ${payload} ->> 'schedule_date',
  'schedule_time', ${payload} ->> 'schedule_time', 'starts_at', ${payload} ->> 'starts_at',
  'ends_at', ${payload} ->> 'ends_at')`;

/** The bookings whose last write has no event yet are those that were just moved. */
const recordComing = rowStatement(moveRow, (db, row) =>
  insertFromRow(
    db,
    bookingEvents,
    row,
    sql`from ${arrived} join booking_events e on e.booking_id = b.id and e.version = b.version - 1
      where not exists (select 1 from booking_events w where w.booking_id = b.id and w.write_id = b.write_id)`,
    {
      ...systemEvent('booking.rescheduled'),
      payload: sql`json_set(${payloadInNewZone(sql`e.payload`)}, '$.actor_role', 'system',
        '$.previous', ${slotBefore(sql`e.payload`)})`,
    },
  ),
);

const moveRest = rowStatement(moveRow, (db, row) =>
  db
    .update(bookings)
    .set({ ...newInstants, updatedAt: sql`r.now` })
    .from(fromRow(row))
    .where(isMoved),
);

/** A past booking gets no new event: its last event is corrected instead. */
const correctRest = rowStatement(moveRow, (db, row) =>
  db
    .update(bookingEvents)
    .set({ payload: sql`m.payload` })
    .from(
      sql`(with ${row} select e.sequence as event_sequence, ${payloadInNewZone(sql`e.payload`)} as payload from ${arrived}
        join booking_events e on e.booking_id = b.id and e.version = b.version
        where json_extract(e.payload, '$.starts_at') <> ${formatIso(sql`b.starts_at`)}) m`,
    )
    .where(sql`${bookingEvents.sequence} = m.event_sequence`),
);

type MoveValues = Parameters<typeof moveRest>[1];

/** Moves the bookings of one local time to their new instant, each with its event and notices, in one atomic step. */
export const moveGroup = (db: Parameters<typeof moveRest>[0], values: MoveValues) => [
  moveNotices(db, values),
  moveComing(db, values),
  recordComing(db, values),
  moveRest(db, values),
  // A repetition changes nothing: no booking is at the old instant any more.
  recognisesRepeat(correctRest(db, values)),
];
