import { eq, sql } from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { insertFromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { isFirstRequest } from '../../../core/idempotency/queries.ts';
import { isRecorded, isRecordedNow } from '../../../core/tables/accounts.ts';
import { clinic, closures } from '../../../core/tables/catalog.ts';
import { securityEventWhen } from '../../auth/audit/queries.ts';

/** The clinic's holidays of whole days that touch a year. */
export const findWholeDays = statement((db, named: Named<'from' | 'to'>) =>
  db
    .select({ id: closures.id, startDate: closures.startDate, endDate: closures.endDate })
    .from(closures)
    .where(
      sql`${closures.doctorId} is null and ${closures.startTime} is null
        and ${closures.startDate} <= ${named('to')} and ${closures.endDate} >= ${named('from')}`,
    )
    .orderBy(closures.startDate, closures.id),
);

/** Which version of the clinic's calendar was read together with its holidays. */
export const findCalendarVersion = statement((db) =>
  db.select({ calendarVersion: clinic.calendarVersion }).from(clinic).where(eq(clinic.id, 1)),
);

/** Records that a holiday is added, if the clinic's calendar is the one that was read. */
export const recordHoliday = securityEventWhen(
  sql`${isFirstRequest} and exists (select 1 from clinic c where c.id = 1 and c.calendar_version = r.clinic_version)`,
  ['clinicVersion', 'key'],
);

/** Adds the holiday whose event the batch has recorded. */
export const insertHoliday = rowStatement(['id', 'name', 'date', 'writeId', 'now'], (db, row) =>
  insertFromRow(db, closures, row, sql`from r where ${isRecordedNow}`, {
    startDate: sql`r.date`,
    endDate: sql`r.date`,
    version: sql`1`,
    createdAt: sql`r.now`,
    updatedAt: sql`r.now`,
  }),
);

/** Raises the version of the clinic's calendar if the holiday was recorded. */
export const raiseCalendarWith = (db: Db, writeId: string) =>
  db
    .update(clinic)
    .set({ calendarVersion: sql`${clinic.calendarVersion} + 1` })
    .where(sql`${clinic.id} = 1 and ${isRecorded(writeId)}`);
