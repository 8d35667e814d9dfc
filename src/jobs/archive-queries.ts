import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { type Named, statement } from '../core/db/statement.ts';
import { written } from '../core/db/written.ts';
import { bookings } from '../core/tables/bookings.ts';
import { patients } from '../core/tables/patients.ts';
import { bookingEvents } from '../core/tables/webhooks.ts';
import { shownRoom } from '../modules/booking/queue/queries.ts';
import { notNewest } from './old-bookings-queries.ts';

/**
 * A later booking of the same patient with the same doctor, as old and with the same outcome: whatever a rule asks of all
 * bookings of a patient (whether the patient is known here, or to the doctor), it finds in that one. Those do not change any
 * more, and the last of each kind stays.
 */
const hasLaterAlike = sql`exists (select 1 from bookings o where o.patient_id = bookings.patient_id
  and (o.starts_at, o.id) > (bookings.starts_at, bookings.id) and o.doctor_id = bookings.doctor_id
  and o.schedule_date < ${sql.placeholder('before')} and o.status = bookings.status and o.held_until is null
  and (o.checked_in_at is null, o.completed_at is null, o.no_show_at is null)
    = (bookings.checked_in_at is null, bookings.completed_at is null, bookings.no_show_at is null)
  and (o.created_by = bookings.created_by or bookings.checked_in_at is not null or bookings.completed_at is not null))`;

/** Nobody is still to be told of it: receivers of webhooks, and the health systems. */
const isDelivered = sql`not exists (select 1 from booking_events e where e.booking_id = bookings.id
  and (exists (select 1 from webhook_deliveries d where d.sequence = e.sequence)
  or exists (select 1 from webhook_endpoints w where w.retired_at is null and w.last_sequence < e.sequence)))
  and not exists (select 1 from exchanges x where x.booking_id = bookings.id)`;

/**
 * The bookings that may go to the archive after a position, the oldest first: over, unchanged for as long, and without an id of
 * another system, since that is found again by it.
 */
export const findMovable = statement(
  (db, named: Named<'before' | 'unchangedSince' | 'afterDate' | 'afterStart' | 'afterId' | 'limit'>) =>
    db
      .select({ ...getTableColumns(bookings), shownRoom: shownRoom.as('shown_room') })
      .from(bookings)
      .where(
        sql`bookings.schedule_date < ${named('before')}
          and (bookings.schedule_date, bookings.starts_at, bookings.id)
            > (${named('afterDate')}, ${named('afterStart')}, ${named('afterId')})
          and bookings.updated_at < ${named('unchangedSince')} and bookings.status <> 'waiting'
          and bookings.held_until is null and bookings.external_id is null
          and ${notNewest(sql`bookings.id`)} and ${hasLaterAlike} and ${isDelivered}`,
      )
      .orderBy(bookings.scheduleDate, bookings.startsAt, bookings.id)
      .limit(named('limit')),
);

export const findBookingEvents = statement((db, named: Named<'ids'>) =>
  db
    .select()
    .from(bookingEvents)
    .where(sql`booking_events.booking_id in (select value from json_each(${named('ids')}))`)
    .orderBy(bookingEvents.sequence),
);

const names = Object.values(getTableColumns(bookings)).map(({ name }) => name);
const own: SQL = sql.raw(names.map((name) => `b."${name}"`).join(', '));
const copied: SQL = sql.raw(names.map((_, at) => `j.value ->> ${at}`).join(', '));

/**
 * Removes the bookings that were copied, and are still as they were copied, with as many events. Each of `rows` is the list of a
 * booking's values, and then the number of its events.
 */
export const removeCopied = statement((db, named: Named<'rows'>) =>
  db
    .delete(bookings)
    .where(
      sql`bookings.id in (select b.id from json_each(${named('rows')}) j join bookings b on b.id = j.value ->> 0
        where (${own}) is (${copied}) and (select count(*) from booking_events e where e.booking_id = b.id)
          = j.value ->> ${sql.raw(String(names.length))})`,
    )
    .returning({ id: bookings.id }),
);

/** After their bookings. */
export const removeEventsOfCopied = statement((db, named: Named<'ids'>) =>
  written(
    db,
    sql`delete from booking_events where booking_id in (select j.value from json_each(${named('ids')}) j
      where not exists (select 1 from bookings b where b.id = j.value))`,
  ),
);

/**
 * Of these patients, those whose record is merged, erased, or gone with an event that says so. One that is unknown here may be of
 * later than the database, which was brought back to an earlier moment: nothing is taken from its bookings.
 */
export const findLost = statement((db, named: Named<'ids'>) =>
  db
    .select({
      id: sql<string>`j.value`.as('id'),
      mergedInto: sql<string | null>`p.merged_into`.as('merged_into'),
    })
    .from(sql`json_each(${named('ids')}) j left join ${patients} p on p.id = j.value`)
    .where(
      sql`p.merged_into is not null or p.erasure_id is not null or (p.id is null and exists (
        select 1 from booking_events e where e.booking_id = j.value and e.type = 'patient.deleted'))`,
    ),
);

/** Of records whose bookings followed a merge, those that are two with the other one, in a database that was brought back. */
export const findApart = statement((db, named: Named<'merged'>) =>
  db
    .select({
      of: sql<string>`p.id`.as('id'),
      to: sql<string>`coalesce(p.merged_into, p.id)`.as('to'),
      from: sql<string>`m.value ->> 'id'`.as('from'),
    })
    .from(sql`json_each(${named('merged')}) m join ${patients} p on p.id = m.value ->> 'of'`)
    .where(sql`p.merged_into is not m.value ->> 'id'`),
);
