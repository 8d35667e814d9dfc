import { asc, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { actsFor } from '../../patients/record/queries.ts';

/** The bookings of a series as an account sees them: first those with the account's own doctor, then by start. */
export const findSeries = statement((db, named: Named<'id' | 'accountId'>) =>
  db
    .select({
      ...getTableColumns(bookings),
      isFamily: sql<number>`${actsFor(sql`${named('accountId')}`, sql.raw('bookings.patient_id'))}`.as(
        'is_family',
      ),
    })
    .from(bookings)
    .where(eq(bookings.seriesId, named('id')))
    .orderBy(
      desc(sql`${bookings.doctorId} is (select u.doctor_id from users u where u.id = ${named('accountId')})`),
      asc(bookings.startsAt),
    ),
);
