import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { eventsLookedThrough } from '../../../core/events/feed-queries.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import type { bookingEvents } from '../../../core/tables/webhooks.ts';
import { toAnswer } from '../record/answer-queries.ts';
import type { BookingRow } from '../record/queries.ts';
import { doctorOfCaller } from './queries.ts';

const newest = sql`(select max(n.sequence) from booking_events n)`;

/** The number of the last event; 0 before the first. */
export const findSequence = statement((db, _named: Named<never>) =>
  db.select({ sequence: sql<number>`coalesce(${newest}, 0)`.as('sequence') }).from(sql`(select 1) one`),
);

/** An event's type begins with what it happened to. */
const isOfBooking = sql.raw("substr(w.type, 1, 8) = 'booking.'");

type Event = Pick<
  typeof bookingEvents.$inferSelect,
  'sequence' | 'type' | 'occurredAt' | 'actorRole' | 'bookingId'
>;

/** The columns of a joined booking, by their plain names. */
const joinedBooking = Object.fromEntries(
  Object.entries(getTableColumns(bookings)).map(([key, column]) => [
    key,
    sql`${sql.identifier(column.name)}`.mapWith(column).as(column.name),
  ]),
) as { [K in keyof BookingRow]: SQL.Aliased<BookingRow[K]> };

/**
 * The events after a number, each with its booking as it is now. A doctor gets the events of bookings that are theirs
 * or were theirs, according to the event or the event before it.
 */
export const findChanges = statement((db, named: Named<'after' | 'callerId' | 'limit'>) => {
  const own = doctorOfCaller(sql`${named('callerId')}`);
  const doctorBefore = sql`(select json_extract(p.payload, '$.doctor_id') from booking_events p
    where p.booking_id = w.booking_id and p.version < w.version order by p.version desc limit 1)`;
  return db
    .select({
      ...joinedBooking,
      patientName: sql<string>`patient_name`.as('patient_name'),
      phoneCountryCode: sql<string>`phone_country_code`.as('phone_country_code'),
      phoneNumber: sql<string>`phone_number`.as('phone_number'),
      toAnswer: sql<number | null>`to_answer`.as('to_answer'),
      sequence: sql<Event['sequence']>`sequence`.as('sequence'),
      type: sql<Event['type']>`type`.as('type'),
      at: sql<Event['occurredAt']>`occurred_at`.as('occurred_at'),
      by: sql<Event['actorRole']>`actor_role`.as('actor_role'),
      bookingId: sql<Event['bookingId']>`booking_id`.as('booking_id'),
      previous: sql<string | null>`previous`.as('previous'),
      // Every reader of a row must check this first: the columns of a deleted booking are not shown.
      isGone: sql<number>`is_gone`.as('is_gone'),
    })
    .from(
      sql`(select w.sequence, w.type, w.occurred_at, w.actor_role, w.booking_id,
          json_extract(w.payload, '$.previous') as previous, b.*, p.name as patient_name,
          p.phone_country_code, p.phone_number, ${toAnswer('b')} as to_answer,
          (p.id is null or coalesce(b.doctor_id <> ${own}, false)) as is_gone
        from (select e.* from booking_events e where e.sequence > ${named('after')} order by e.sequence
          limit ${sql.raw(String(eventsLookedThrough))}) w
        left join bookings b on b.id = w.booking_id
        left join patients p on p.id = b.patient_id
        where ${isOfBooking} and (${own} is null or b.doctor_id = ${own}
          or json_extract(w.payload, '$.doctor_id') = ${own} or ${doctorBefore} = ${own})
        order by w.sequence limit ${named('limit')}) x`,
    );
});
