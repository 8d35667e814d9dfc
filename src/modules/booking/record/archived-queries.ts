import { sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { patients } from '../../../core/tables/patients.ts';
import { actsFor } from '../../patients/record/queries.ts';

/**
 * The patients of archived bookings, by the ids that these have, after merges; and whether an account acts for each. Of a
 * record that was erased only its id is left.
 */
export const findPatientsOfArchived = statement((db, named: Named<'ids' | 'accountId'>) =>
  db
    .select({
      named: sql<string>`n.id`.as('named'),
      id: sql<string>`patients.id`.as('id'),
      name: patients.name,
      phoneCountryCode: patients.phoneCountryCode,
      phoneNumber: patients.phoneNumber,
      isErased: sql<number>`patients.erasure_id is not null`.as('is_erased'),
      isFamily: sql<number>`${actsFor(sql`${named('accountId')}`, sql.raw('patients.id'))}`.as('is_family'),
    })
    .from(patients)
    .innerJoin(sql`patients n`, sql`patients.id = coalesce(n.merged_into, n.id)`)
    .where(sql`n.id in (select value from json_each(${named('ids')}))`),
);

/** The account's own record and those of its family. */
export const findMembers = statement((db, named: Named<'accountId'>) =>
  db.select({ id: sql<string>`m.id`.as('id') }).from(
    sql`(select ${named('accountId')} as id union all select f.patient_id from family_relations f
        where f.account_id = ${named('accountId')} and f.ended_at is null) m`,
  ),
);

/** The names of those who did something. */
export const findActors = statement((db, named: Named<'ids'>) =>
  db
    .select({
      id: sql<string>`a.value`.as('id'),
      name: sql<string | null>`coalesce(u.name, k.name)`.as('name'),
    })
    .from(
      sql`json_each(${named('ids')}) a left join users u on u.id = a.value left join api_keys k on k.id = a.value`,
    ),
);

/** The record that a patient's id names, after merges. */
export const findRecordId = statement((db, named: Named<'id'>) =>
  db
    .select({ id: sql<string>`coalesce(p.merged_into, p.id)`.as('id') })
    .from(sql`${patients} p`)
    .where(sql`p.id = ${named('id')}`),
);
