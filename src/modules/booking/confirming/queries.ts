import { asc, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { isSuited, type ruleNames, wouldBeOffered } from '../seats/offer-queries.ts';
import { timeToAnswerMs } from './rules.ts';

/** A booking `r` whose patient was asked long enough before `at` and has not answered. */
const isUnanswered = (at: SQL | Placeholder): SQL => sql`r.status <> 'canceled' and r.held_until is null
  and r.asked_at <= ${at} - ${sql.raw(String(timeToAnswerMs))} and r.confirmed_at is null
  and r.checked_in_at is null and r.no_show_at is null`;

/** The same, whose seat suits somebody else on the waitlist. */
export const isToRelease = (at: SQL | Placeholder): SQL => sql`${isUnanswered(at)}
  and exists (select 1 from waitlist_entries w indexed by waitlist_order
    where ${isSuited} and w.patient_id <> r.patient_id)`;

/** Those of a date whose seat would be offered at once, the earliest first. */
export const findToRelease = statement((db, named: Named<'date' | 'limit' | (typeof ruleNames)[number]>) => {
  const [now, zone, today] = [named('now'), named('zone'), named('today')];
  const rules = { now, zone, today, minNotice: named('minNotice'), maxAdvance: named('maxAdvance') };
  const offered = wouldBeOffered(sql`b.schedule_date = ${named('date')}`, rules);
  return db
    .select()
    .from(bookings)
    .where(sql`${bookings.id} in (select r.id from ${offered} and (${isUnanswered(sql`r.now`)}))`)
    .orderBy(asc(bookings.startsAt), asc(bookings.id))
    .limit(named('limit'));
});
