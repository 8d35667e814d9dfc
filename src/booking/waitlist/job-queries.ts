import { sql } from 'drizzle-orm';
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

/** The sessions for which somebody waits, from when until when, and who offers them as a JSON list. */
export const findWishes = statement((db, _named: Named<never>) =>
  db
    .select({
      sessionId: sql<string>`w.session_id`.as('session_id'),
      fromDate: sql<string>`min(w.from_date)`.as('from_date'),
      toDate: sql<string>`max(w.to_date)`.as('to_date'),
      doctorIds: sql<string>`(select json_group_array(distinct s.doctor_id) from schedules s
        where s.session_id = w.session_id and s.retired_at is null)`.as('doctor_ids'),
    })
    .from(sql`waitlist_entries w indexed by waitlist_order where w.ended_at is null group by w.session_id`),
);
