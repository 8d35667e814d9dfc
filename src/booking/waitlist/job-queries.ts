import { type SQL, sql } from 'drizzle-orm';
import { type Named, statement } from '../../db/statement.ts';
import { bookings } from '../../tables/bookings.ts';
import { waitlistEntries } from '../../tables/queues.ts';

/** Offers whose time is over, the oldest first. */
export const findLapsed = statement((db, named: Named<'now' | 'limit'>) =>
  db
    .select()
    .from(bookings)
    .where(
      sql`bookings.id in (select o.id from bookings o indexed by bookings_held where o.status = 'waiting'
        and o.held_until <= ${named('now')} order by o.held_until, o.id limit ${named('limit')})`,
    )
    .orderBy(sql`bookings.held_until`, sql`bookings.id`),
);

/** Ends the entries whose last date has passed, but for those that still have an offer. */
export const endOver = statement((db, named: Named<'now' | 'today'>) =>
  db
    .update(waitlistEntries)
    .set({ endedAt: sql`${named('now')}`, endedAs: 'over' })
    .where(
      sql`ended_at is null and to_date < ${named('today')} and not exists (select 1 from bookings o
        where o.waitlist_id = waitlist_entries.id and o.status = 'waiting' and o.held_until is not null)`,
    ),
);

/** The earliest or latest of a time of day, or null where somebody has none. */
const timeOfAll = (times: 'min(w.earliest_time)' | 'max(w.latest_time)', given: SQL) =>
  sql<string | null>`case when count(*) = count(${given}) then ${sql.raw(times)} end`;

/**
 * For which session and which doctor, null for any, somebody waits who may be offered something until a date: from when until
 * when, at what times of day, and who offers it as a JSON list.
 */
export const findWishes = statement((db, named: Named<'until'>) =>
  db
    .select({
      sessionId: sql<string>`w.session_id`.as('session_id'),
      doctorId: sql<string | null>`w.doctor_id`.as('doctor_id'),
      fromDate: sql<string>`min(w.from_date)`.as('from_date'),
      toDate: sql<string>`min(max(w.to_date), ${named('until')})`.as('to_date'),
      earliestTime: timeOfAll('min(w.earliest_time)', sql`w.earliest_time`).as('earliest_time'),
      latestTime: timeOfAll('max(w.latest_time)', sql`w.latest_time`).as('latest_time'),
      doctorIds: sql<string>`(select json_group_array(distinct s.doctor_id) from schedules s
        where s.session_id = w.session_id and s.doctor_id = coalesce(w.doctor_id, s.doctor_id)
        and s.retired_at is null)`.as('doctor_ids'),
    })
    .from(
      sql`waitlist_entries w indexed by waitlist_order where w.ended_at is null and w.from_date <= ${named('until')}
        group by w.session_id, w.doctor_id`,
    ),
);
