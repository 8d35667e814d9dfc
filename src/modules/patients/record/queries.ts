import { type SQL, sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { patients } from '../../../core/tables/patients.ts';

// In a select from one table drizzle leaves its name out, also inside subqueries: hence the raw names there.

/** Whether an account acts for a patient other than its own record. */
export const actsFor = (accountId: SQL, patientId: SQL): SQL => sql`exists (select 1 from family_relations f
  where f.account_id = ${accountId} and f.patient_id = ${patientId} and f.ended_at is null)`;

/** The patient of a booking request, after merges, with the facts that decide who may book for them. */
export const findBookable = statement((db, named: Named<'id' | 'accountId' | 'doctorId'>) =>
  db
    .select({
      id: patients.id,
      isFamily: sql<number>`${actsFor(sql`${named('accountId')}`, sql.raw('patients.id'))}`.as('is_family'),
      isKnownToDoctor: sql<number>`exists (select 1 from bookings b where b.patient_id = patients.id
        and b.doctor_id = ${named('doctorId')} and b.held_until is null)`.as('is_known_to_doctor'),
      worksHere:
        sql<number>`exists (select 1 from users u where u.id = patients.id and u.role <> 'patient')`.as(
          'works_here',
        ),
    })
    .from(patients)
    .where(
      sql`${patients.id} = (select coalesce(p.merged_into, p.id) from patients p where p.id = ${named('id')})
        and ${patients.erasureId} is null`,
    ),
);

export type Bookable = ReturnType<typeof findBookable>['_']['result'][number];
