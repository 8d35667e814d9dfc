import { and, eq, or, sql } from 'drizzle-orm';
import { type Named, statement } from '../../db/statement.ts';
import { bookings } from '../../tables/bookings.ts';

const stands = sql`${bookings.status} <> 'canceled'`;

/** The numbers of a doctor's queue on a date. A called number stays called if its booking is canceled later. */
export const findQueue = statement((db, named: Named<'doctorId' | 'date' | 'sessionId'>) =>
  db
    .select({
      total: sql<number>`count(case when ${stands} then 1 end)`.as('total'),
      called: sql<
        number | null
      >`max(case when ${bookings.calledAt} is not null then ${bookings.queueNumber} end)`.as('called'),
      remaining:
        sql<number>`count(case when ${stands} and ${bookings.calledAt} is null and ${bookings.completedAt} is null
        and ${bookings.noShowAt} is null then 1 end)`.as('remaining'),
      visitMs: sql<
        number | null
      >`avg(${bookings.completedAt} - coalesce(${bookings.calledAt}, ${bookings.checkedInAt}))`.as(
        'visit_ms',
      ),
    })
    .from(bookings)
    .where(
      and(
        eq(bookings.doctorId, named('doctorId')),
        eq(bookings.scheduleDate, named('date')),
        or(sql`${named('sessionId')} is null`, eq(bookings.sessionId, named('sessionId'))),
      ),
    ),
);
