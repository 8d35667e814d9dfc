import { and, eq, isNull, or, sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { bookings } from '../../../core/tables/bookings.ts';

const stands = sql`${bookings.status} <> 'canceled'`;

/** How many bookings are in a doctor's queue on a date, and how many of them are not called yet. */
export const findQueue = statement((db, named: Named<'doctorId' | 'date' | 'sessionId'>) =>
  db
    .select({
      total: sql<number>`count(case when ${stands} then 1 end)`.as('total'),
      remaining:
        sql<number>`count(case when ${stands} and ${bookings.calledAt} is null and ${bookings.completedAt} is null
        and ${bookings.noShowAt} is null then 1 end)`.as('remaining'),
    })
    .from(bookings)
    .where(
      and(
        eq(bookings.doctorId, named('doctorId')),
        eq(bookings.scheduleDate, named('date')),
        isNull(bookings.heldUntil),
        or(sql`${named('sessionId')} is null`, eq(bookings.sessionId, named('sessionId'))),
      ),
    ),
);
