import { sql } from 'drizzle-orm';
import { type Named, statement } from '../db/statement.ts';

/** How many events one request looks through at most, for whomever they are. */
export const eventsLookedThrough = 500;

const oldest = sql`(select min(o.sequence) from booking_events o)`;
const newest = sql`(select max(n.sequence) from booking_events n)`;

/**
 * The first and the last event that is stored, and the last one that a request after `after` looks through.
 *
 * No event is committed after one with a higher number. The number is given within the transaction that writes the
 * event, and SQLite has one writer at a time: it holds the lock from before the number is taken until the commit is
 * visible, so the next number is taken after that. D1 and libSQL servers are the same SQLite behind one primary, and a
 * replica applies its log in the order of the commits. The newest event is never removed, so no number is given out again.
 */
export const findSpan = statement((db, named: Named<'after'>) =>
  db
    .select({
      oldest: sql<number | null>`${oldest}`.as('oldest'),
      newest: sql<number | null>`${newest}`.as('newest'),
      lookedThrough: sql<number | null>`(select max(l.sequence) from (select e.sequence from booking_events e
        where e.sequence > ${named('after')} order by e.sequence limit ${sql.raw(String(eventsLookedThrough))}) l)`.as(
        'looked_through',
      ),
    })
    .from(sql`(select 1) one`),
);
