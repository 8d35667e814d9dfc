import { asc, type Column, type SQL, sql } from 'drizzle-orm';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { patients } from '../../../core/tables/patients.ts';

const numbers = {
  id: patients.id,
  nationalId: patients.nationalId,
  insuranceNumber: patients.insuranceNumber,
};

/** Records whose national id was sealed by a key; the sealed text begins with the key's id. */
export const findNationalIds = statement((db, named: Named<'after' | 'end' | 'limit'>) =>
  db
    .select(numbers)
    .from(patients)
    .where(sql`${patients.nationalId} > ${named('after')} and ${patients.nationalId} < ${named('end')}`)
    .orderBy(asc(patients.nationalId))
    .limit(named('limit')),
);

/** The same for the insurance number. */
export const findInsuranceNumbers = statement((db, named: Named<'after' | 'end' | 'limit'>) =>
  db
    .select(numbers)
    .from(patients)
    .where(
      sql`${patients.insuranceNumber} > ${named('after')} and ${patients.insuranceNumber} < ${named('end')}`,
    )
    .orderBy(asc(patients.insuranceNumber))
    .limit(named('limit')),
);

const given = (name: string) => sql.raw(`r.sealed ->> '${name}'`);

/** Puts newly sealed numbers and their hashes in place, unless the numbers were changed meanwhile. */
export const replaceSealed = rowStatement(['records', 'confirmed'], (db, row) =>
  db
    .update(patients)
    .set({
      nationalId: given('national_id'),
      nationalIdHash: given('national_id_hash'),
      insuranceNumber: given('insurance_number'),
      insuranceNumberHash: given('insurance_number_hash'),
      numbersConfirmedAt: sql`case when r.confirmed then ${patients.numbersConfirmedAt} end`,
      // A change that was decided before would write the old ones back.
      version: sql`${patients.version} + 1`,
    })
    .from(sql`(with ${row} select r.*, j.value as sealed from r, json_each(r.records) j) r`)
    .where(
      sql`${patients.id} = ${given('id')} and ${patients.nationalId} is ${given('old_national_id')}
        and ${patients.insuranceNumber} is ${given('old_insurance_number')}`,
    ),
);

const countSealed = (column: Column, keyIds: SQL) =>
  sql`(select count(*) from json_each(${keyIds}) k, ${patients}
    where ${column} > k.value || '.' and ${column} < k.value || '/')`;
const countAll = (column: Column) => sql`(select count(*) from ${patients} where ${column} > '')`;

/** How many numbers are sealed, and how many of them with one of the given keys. */
export const countNumbers = statement((db, named: Named<'keyIds'>) => {
  const keyIds = sql`${named('keyIds')}`;
  return db
    .select({
      all: sql<number>`${countAll(patients.nationalId)} + ${countAll(patients.insuranceNumber)}`.as('every'),
      byThese:
        sql<number>`${countSealed(patients.nationalId, keyIds)} + ${countSealed(patients.insuranceNumber, keyIds)}`.as(
          'by_these',
        ),
    })
    .from(sql`(select 1)`);
});
