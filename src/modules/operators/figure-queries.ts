import { and, eq, inArray, sql } from 'drizzle-orm';
import { createClinicTime } from '../../core/clinic/time.ts';
import type { Db } from '../../core/db/db.ts';
import { bookings } from '../../core/tables/bookings.ts';
import { liveStatuses } from '../../core/tables/words.ts';

/** How many bookings of today take a seat at a clinic, or did. */
export const countToday = async (db: Db, timeZone: string, now: number): Promise<number> => {
  const date = createClinicTime(timeZone).dateOf(now);
  const [row] = await db
    .select({ count: sql<number>`count(*)`.as('bookings_of_day') })
    .from(bookings)
    .where(and(eq(bookings.scheduleDate, date), inArray(bookings.status, [...liveStatuses])));
  return row?.count ?? 0;
};
