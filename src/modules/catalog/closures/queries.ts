import { and, asc, eq, sql } from 'drizzle-orm';
import { raiseClinicCalendar } from '../../../core/clinic/row.ts';
import type { Db } from '../../../core/db/db.ts';
import { type Named, statement } from '../../../core/db/statement.ts';
import { closures } from '../../../core/tables/catalog.ts';
import { raiseDoctorCalendar } from '../calendar-queries.ts';

export type ClosureRow = typeof closures.$inferSelect;

export const findClosure = statement((db, named: Named<'id'>) =>
  db
    .select()
    .from(closures)
    .where(eq(closures.id, named('id'))),
);

/** One page by first day; a doctor's account gets only its own leave. */
export const findClosurePage = statement(
  (db, named: Named<'afterDate' | 'afterId' | 'kind' | 'doctorId' | 'from' | 'to' | 'accountId' | 'limit'>) =>
    db
      .select()
      .from(closures)
      .where(
        sql`(${closures.startDate}, ${closures.id}) > (${named('afterDate')}, ${named('afterId')})
          and coalesce(${named('kind')} = case when ${closures.doctorId} is null then 'holiday' else 'leave' end, true)
          and coalesce(${closures.doctorId} = ${named('doctorId')}, ${named('doctorId')} is null)
          and coalesce(${closures.endDate} >= ${named('from')}, true)
          and ${closures.startDate} <= ${named('to')}
          and (${closures.doctorId} is null or not exists (select 1 from users u where u.id = ${named('accountId')}
            and u.role = 'doctor' and u.doctor_id <> ${closures.doctorId}))`,
      )
      .orderBy(asc(closures.startDate), asc(closures.id))
      .limit(named('limit')),
);

/** Increases the version of the calendar that a closure changes: the doctor's, or for a holiday the clinic's. */
const raiseCalendar = (db: Db, doctorId: string | null) =>
  doctorId === null ? raiseClinicCalendar(db) : raiseDoctorCalendar(db, doctorId);

export const insertClosure = (db: Db, closure: ClosureRow) =>
  [db.insert(closures).values(closure), raiseCalendar(db, closure.doctorId)] as const;

/** Updates the closure if it still has the previous version. */
export const updateClosure = (db: Db, { id, version, ...fields }: ClosureRow) =>
  [
    db
      .update(closures)
      .set({ ...fields, version })
      .where(and(eq(closures.id, id), eq(closures.version, version - 1)))
      .returning({ id: closures.id }),
    raiseCalendar(db, fields.doctorId),
  ] as const;

export const deleteClosure = (db: Db, { id, doctorId }: Pick<ClosureRow, 'id' | 'doctorId'>) =>
  [db.delete(closures).where(eq(closures.id, id)), raiseCalendar(db, doctorId)] as const;
