import { asc, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { isSuited } from '../seats/offer-queries.ts';
import { timeToAnswerMs } from './rules.ts';

/**
 * A booking `r` whose patient was asked long enough before `at`, has not answered, and whose seat suits somebody else on
 * the waitlist.
 */
export const isToRelease = (at: SQL | Placeholder): SQL => sql`r.status <> 'canceled' and r.held_until is null
  and r.asked_at <= ${at} - ${sql.raw(String(timeToAnswerMs))} and r.confirmed_at is null
  and r.checked_in_at is null and r.no_show_at is null
  and exists (select 1 from waitlist_entries w indexed by waitlist_order
    where ${isSuited} and w.patient_id <> r.patient_id)`;

/** Those of a date, the earliest first. */
export const findToRelease = statement((db, named: Named<'date' | 'now' | 'limit'>) =>
  db
    .select()
    .from(bookings)
    .where(
      sql`${bookings.id} in (select r.id from bookings r where r.schedule_date = ${named('date')}
        and ${isToRelease(named('now'))})`,
    )
    .orderBy(asc(bookings.startsAt), asc(bookings.id))
    .limit(named('limit')),
);
