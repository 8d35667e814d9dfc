import { asc, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { isFirstRequest } from '../../../core/idempotency/queries.ts';
import { rowIsRecorded } from '../../../core/tables/accounts.ts';
import { familyRelations, patients } from '../../../core/tables/patients.ts';
import type { RelationWithSelf } from '../../../core/tables/words.ts';
import { securityEventWhen } from '../../auth/audit/queries.ts';

const liveFamily = sql`(select count(*) from family_relations f where f.account_id = r.actor_id and f.ended_at is null)`;
const addedLately = sql`(select count(*) from family_relations f where f.account_id = r.actor_id
  and f.created_at > r.since)`;

/** The family is below its limits, in total and for this year. */
export const hasRoom: SQL = sql`(${liveFamily} < r.max_family and ${addedLately} < r.max_family)`;

/** Recorded if the family is below its limits and the request is not a repeat. */
export const recordAddition = securityEventWhen(sql`${hasRoom} and ${isFirstRequest}`, [
  'key',
  'maxFamily',
  'since',
]);

export const insertRelation = rowStatement(
  ['writeId', 'accountId', 'patientId', 'relation', 'now'],
  (db, row) =>
    insertFromRow(db, familyRelations, row, sql`from r where ${rowIsRecorded}`, {
      createdAt: sql`r.now`,
    }).onConflictDoUpdate({
      target: [familyRelations.accountId, familyRelations.patientId],
      set: { relation: sql`excluded.relation`, createdAt: sql`excluded.created_at`, endedAt: sql`null` },
    }),
);

/** Whether one of the family was added and, where not, why. */
export const explainAddition = rowStatement(
  ['writeId', 'actorId', 'key', 'now', 'maxFamily', 'since'],
  (db, row) =>
    db
      .select({
        recorded: sql<number>`${rowIsRecorded}`.as('recorded'),
        repeated: sql<number>`not ${isFirstRequest}`.as('repeated'),
        hasRoom: sql<number>`${hasRoom}`.as('has_room'),
      })
      .from(fromRow(row)),
);

const selectRelation = (
  column: string,
  accountId: SQL,
): SQL => sql`(select ${sql.raw(`f.${column}`)} from family_relations f
  where f.account_id = ${accountId} and f.patient_id = patients.id and f.ended_at is null)`;

const memberColumns = (accountId: SQL) => ({
  ...getTableColumns(patients),
  relation: sql<RelationWithSelf>`coalesce(${selectRelation('relation', accountId)}, 'self')`.as('relation'),
  /** When it was added to the family; 0 for the own record. */
  addedAt: sql<number>`coalesce(${selectRelation('created_at', accountId)}, 0)`.as('added_at'),
  accountEmail: sql<string | null>`(select u.email from users u where u.id = patients.id
    and u.id = ${accountId})`.as('account_email'),
});

/** The own record, and those of the family. */
const isMember = (
  accountId: SQL,
): SQL => sql`patients.id in (select ${accountId} union all select f.patient_id
  from family_relations f where f.account_id = ${accountId} and f.ended_at is null)`;

/**
 * One page of the patients for whom an account acts, the own record first; a family is small enough to be read whole.
 */
export const findMembers = statement((db, named: Named<'accountId' | 'afterAdded' | 'afterId' | 'limit'>) => {
  const accountId = sql`${named('accountId')}`;
  return db
    .select(memberColumns(accountId))
    .from(patients)
    .where(
      sql`${isMember(accountId)} and (coalesce(${selectRelation('created_at', accountId)}, 0), patients.id)
        > (${named('afterAdded')}, ${named('afterId')})`,
    )
    .orderBy(sql`added_at`, asc(patients.id))
    .limit(named('limit'));
});

export type MemberRow = ReturnType<typeof findMembers>['_']['result'][number];

/** The record that a path names, by one that was merged into it as well, for the account that acts for it. */
export const findMember = statement((db, named: Named<'accountId' | 'id'>) => {
  const accountId = sql`${named('accountId')}`;
  return db
    .select(memberColumns(accountId))
    .from(patients)
    .where(
      sql`patients.id = (select coalesce(p.merged_into, p.id) from patients p where p.id = ${named('id')})
        and ${isMember(accountId)}`,
    );
});

/** How far the clinic knows a patient: whether a visit began, and how many bookings are still to come. */
export const findDependents = statement((db, named: Named<'id' | 'now'>) =>
  db
    .select({
      visited: sql<number>`exists (select 1 from bookings b where b.patient_id = patients.id
        and (b.checked_in_at is not null or b.completed_at is not null))`.as('visited'),
      coming: sql<number>`(select count(*) from bookings b where b.patient_id = patients.id
        and b.status <> 'canceled' and b.starts_at > ${named('now')})`.as('coming'),
    })
    .from(patients)
    .where(
      sql`patients.id = (select coalesce(p.merged_into, p.id) from patients p where p.id = ${named('id')})`,
    ),
);

const noneComing = sql`not exists (select 1 from bookings b where b.patient_id = r.patient_id
  and b.status <> 'canceled' and b.starts_at > r.now)`;

const relationStands = sql`exists (select 1 from family_relations f where f.account_id = r.actor_id
  and f.patient_id = r.patient_id and f.ended_at is null)`;

/** Recorded if the relation exists and the patient has no upcoming booking. */
export const recordEndOfRelation = securityEventWhen(sql`${relationStands} and ${noneComing}`, ['patientId']);

export const endRelation = rowStatement(['writeId', 'accountId', 'patientId', 'now'], (db, row) =>
  db
    .update(familyRelations)
    .set({ endedAt: sql`r.now` })
    .from(fromRow(row))
    .where(
      sql`${familyRelations.accountId} = r.account_id and ${familyRelations.patientId} = r.patient_id
        and ${familyRelations.endedAt} is null and ${rowIsRecorded}`,
    )
    .returning({ patientId: familyRelations.patientId }),
);

export const changeRelation = rowStatement(['writeId', 'accountId', 'patientId', 'relation'], (db, row) =>
  db
    .update(familyRelations)
    .set({ relation: sql`r.relation` })
    .from(fromRow(row))
    .where(
      sql`${familyRelations.accountId} = r.account_id and ${familyRelations.patientId} = r.patient_id
          and ${familyRelations.endedAt} is null and ${rowIsRecorded}`,
    ),
);
