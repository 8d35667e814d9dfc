import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { isFirstRequest } from '../../../core/idempotency/queries.ts';
import { rowIsRecorded } from '../../../core/tables/accounts.ts';
import { claimCodes, patients } from '../../../core/tables/patients.ts';
import { securityEventWhen } from '../../auth/audit/queries.ts';
import { hasRoom } from '../family/queries.ts';
import { isOpenCode } from '../record/guards.ts';
import { maxClaimFailures } from '../record/rules.ts';

const canBeClaimed = sql`exists (select 1 from patients p where p.id = r.patient_id and p.merged_into is null
  and p.birth_date is not null)`;

/** Recorded if the record can be claimed and the request is not a repeat. */
export const recordClaimCode = securityEventWhen(sql`${canBeClaimed} and ${isFirstRequest}`, [
  'key',
  'patientId',
]);

export const insertClaimCode = rowStatement(
  ['writeId', 'hash', 'patientId', 'createdBy', 'now', 'expiresAt'],
  (db, row) =>
    insertFromRow(db, claimCodes, row, sql`from r where ${rowIsRecorded}`, {
      createdAt: sql`r.now`,
      failures: sql`0`,
    }).returning({ hash: claimCodes.hash }),
);

/** The open code whose hash is in `r.hashes`, with its patient `p`. */
const typedCode = sql`from claim_codes c join patients p on p.id = c.patient_id
  where c.hash in (select value from json_each(r.hashes)) and ${isOpenCode}`;

/** The account that made a code cannot use it, and a record without a date of birth cannot be claimed. */
const isRight: SQL = sql`(p.birth_date is not null and p.birth_date = r.birth_date
  and c.created_by <> r.actor_id and p.merged_into is null)`;

/** Recorded if a code was tried with a wrong date of birth, or by the account that made it. */
export const recordRefusal = securityEventWhen(
  sql`exists (select 1 ${typedCode} and not ${isRight})`,
  ['hashes', 'birthDate'],
  {
    detail: sql`(select json_object('patient_id', p.id) ${typedCode} limit 1)`,
    patientId: sql`(select p.id ${typedCode} limit 1)`,
  },
);

/** Counts the refusal that was recorded against its code. */
export const countFailure = rowStatement(['writeId', 'hashes'], (db, row) =>
  db
    .update(claimCodes)
    .set({ failures: sql`${claimCodes.failures} + 1` })
    .from(fromRow(row))
    .where(sql`${claimCodes.hash} in (select value from json_each(r.hashes)) and ${rowIsRecorded}`),
);

/** The record that a code opens together with the date of birth. */
export const findClaimed = statement((db, named: Named<'hashes' | 'birthDate' | 'actorId' | 'now'>) =>
  db
    .select({
      ...getTableColumns(patients),
      hash: sql<string>`${claimCodes.hash}`.as('code_hash'),
      hasAccount: sql<number>`exists (select 1 from users u where u.id = ${patients.id})`.as('has_account'),
    })
    .from(claimCodes)
    .innerJoin(patients, eq(patients.id, claimCodes.patientId))
    .where(
      sql`${claimCodes.hash} in (select value from json_each(${named('hashes')}))
        and ${claimCodes.usedAt} is null and ${claimCodes.expiresAt} > ${named('now')}
        and ${claimCodes.failures} < ${sql.raw(String(maxClaimFailures))}
        and ${claimCodes.createdBy} <> ${named('actorId')}
        and ${patients.birthDate} = ${named('birthDate')} and ${patients.mergedInto} is null`,
    ),
);

const actsAlready = sql`exists (select 1 from family_relations a where a.account_id = r.actor_id
  and a.patient_id = r.patient_id and a.ended_at is null)`;

const claimRow = ['key', 'maxFamily', 'since', 'hashes', 'birthDate', 'patientId'] as const;

const roomForClaim: SQL = sql`(${actsAlready} or ${hasRoom})`;

/** The first statement in the batch of a claim: the following ones run only if this was recorded. */
export const recordClaim = securityEventWhen(
  sql`exists (select 1 ${typedCode} and ${isRight} and p.id = r.patient_id) and ${roomForClaim}
    and ${isFirstRequest}`,
  claimRow,
);

/** A code is valid once. */
export const spendCode = rowStatement(['writeId', 'hashes', 'now'], (db, row) =>
  db
    .update(claimCodes)
    .set({ usedAt: sql`r.now` })
    .from(fromRow(row))
    .where(
      sql`${claimCodes.hash} in (select value from json_each(r.hashes)) and ${claimCodes.usedAt} is null
        and ${rowIsRecorded}`,
    ),
);

/** Whether a record was linked and, where not, why. */
export const explainClaim = rowStatement(
  ['writeId', 'actorId', 'key', 'now', 'maxFamily', 'since', 'patientId'],
  (db, row) =>
    db
      .select({
        recorded: sql<number>`${rowIsRecorded}`.as('recorded'),
        repeated: sql<number>`not ${isFirstRequest}`.as('repeated'),
        hasRoom: sql<number>`${roomForClaim}`.as('has_room'),
      })
      .from(fromRow(row)),
);
