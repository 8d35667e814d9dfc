import { asc, desc, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { isFirstRequest } from '../../../core/idempotency/queries.ts';
import { isRecorded, rowIsRecorded } from '../../../core/tables/accounts.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { patientSources } from '../../../core/tables/imports.ts';
import { matches } from '../../../core/tables/matches.ts';
import { claimCodes, familyRelations, patients } from '../../../core/tables/patients.ts';
import { bookingEvents } from '../../../core/tables/webhooks.ts';
import { securityEventWhen } from '../../auth/audit/queries.ts';
import { longestSlotMs } from '../../catalog/slots/rules.ts';
import { isOpenCode } from '../record/guards.ts';
import { offersAreCurrent } from './waitlist-queries.ts';

/** The account of a record as it decides about a join, as JSON; null where the record has none. */
const accountOf = (id: SQL): SQL<string | null> => sql<string | null>`(select json_object('role', u.role,
  'deactivatedAt', u.deactivated_at, 'email', u.email, 'emailProvedAt', u.email_proved_at, 'loginPhone', u.login_phone,
  'phoneProvedAt', u.phone_proved_at) from users u where u.id = ${id})`;

/** A record, merged or not, with its account and the language of its person. */
export const findMergeable = statement((db, named: Named<'id'>) =>
  db
    .select({
      ...getTableColumns(patients),
      account: accountOf(sql`patients.id`).as('account'),
      language: sql<
        'id' | 'en'
      >`coalesce((select n.language from notice_choices n where n.person_id = patients.id),
        'id')`.as('language'),
    })
    .from(patients)
    .where(sql`patients.id = ${named('id')} and patients.erasure_id is null`),
);

/** Live bookings `a` of one patient and `b` of another that overlap. */
const overlapping = (
  source: SQL,
  target: SQL,
): SQL => sql`bookings a join bookings b on b.patient_id = ${target}
  and b.starts_at > a.starts_at - ${sql.raw(String(longestSlotMs))} and b.starts_at < a.ends_at
  and b.ends_at > a.starts_at and b.status <> 'canceled'
  where a.patient_id = ${source} and a.status <> 'canceled'`;

/** The overlapping live bookings of two patients, as pairs of ids. */
export const findOverlaps = statement((db, named: Named<'source' | 'target' | 'limit'>) =>
  db
    .select({ sourceId: sql<string>`a.id`.as('source_id'), targetId: sql<string>`b.id`.as('target_id') })
    .from(overlapping(sql`${named('source')}`, sql`${named('target')}`))
    .limit(named('limit')),
);

export const findBookingsById = statement((db, named: Named<'ids'>) =>
  db
    .select()
    .from(bookings)
    .where(sql`${bookings.id} in (select value from json_each(${named('ids')}))`),
);

/** The bookings of some patients that begin before an instant. */
export const findBookingsUntil = statement((db, named: Named<'patientIds' | 'until'>) =>
  db
    .select()
    .from(bookings)
    .where(
      sql`${bookings.patientId} in (select value from json_each(${named('patientIds')}))
        and ${bookings.startsAt} < ${named('until')}`,
    ),
);

/** The next bookings to move: upcoming ones first, since only they can cause new conflicts. */
export const findBookingsToMove = statement((db, named: Named<'source' | 'limit'>) =>
  db
    .select()
    .from(bookings)
    .where(sql`bookings.patient_id = ${named('source')}`)
    .orderBy(desc(bookings.startsAt), asc(bookings.id))
    .limit(named('limit')),
);

/** How much belongs to a record. */
export const countBelongings = statement((db, named: Named<'source'>) =>
  db
    .select({
      bookings: sql<number>`(select count(*) from bookings b where b.patient_id = patients.id)`.as(
        'bookings',
      ),
      relations: sql<number>`(select count(*) from family_relations f where f.patient_id = patients.id
        and f.ended_at is null)`.as('relations'),
    })
    .from(patients)
    .where(sql`patients.id = ${named('source')}`),
);

const standsIn = (id: SQL, version: SQL): SQL => sql`exists (select 1 from patients p where p.id = ${id}
  and p.version = ${version} and p.merged_into is null and p.erasure_id is null)`;

// A past booking changes its instant without a new version when the clinic changes its zone.
const movesAreCurrent = sql`not exists (select 1 from json_each(r.moves) m left join bookings b
  on b.id = m.value ->> 'id' and b.version = m.value ->> 'version' and b.starts_at = m.value ->> 'starts_at'
  and b.patient_id = r.source where b.id is null)`;

const nothingIsLeft = sql`not exists (select 1 from bookings b where b.patient_id = r.source
  and b.id not in (select m.value ->> 'id' from json_each(r.moves) m))`;

const mayMerge: SQL = sql.join(
  [
    isFirstRequest,
    standsIn(sql`r.source`, sql`r.source_version`),
    standsIn(sql`r.target`, sql`r.target_version`),
    // Both accounts, or that there is none, are as they were read: a login or a changed address is decided again.
    sql`${accountOf(sql`r.source`)} is r.source_account`,
    sql`(r.source_account is null or ${accountOf(sql`r.target`)} is r.target_account)`,
    sql`not exists (select 1 from ${overlapping(sql`r.source`, sql`r.target`)})`,
    movesAreCurrent,
    offersAreCurrent,
    sql`(r.is_last = 0 or ${nothingIsLeft})`,
    sql`(r.claim_hash is null or exists (select 1 from claim_codes c where c.hash = r.claim_hash
      and c.patient_id = r.source and ${isOpenCode}))`,
    sql`(r.match_id is null or exists (select 1 from record_matches t join users u on u.id = t.account_id
      join patients o on o.id = u.id join patients p on p.id = t.patient_id where t.id = r.match_id
      and t.account_id = r.target and t.patient_id = r.source and t.decision is not 'declined' and ${matches}))`,
  ],
  sql` and `,
);

const stepRow = [
  'key',
  'source',
  'target',
  'sourceVersion',
  'targetVersion',
  'moves',
  'offers',
  'isLast',
  'claimHash',
  'matchId',
  'sourceAccount',
  'targetAccount',
] as const;

/** The first statement in the batch of a step: the following ones run only if this was recorded. */
export const recordMergeStep = securityEventWhen(mayMerge, stepRow);

const movingRow = ['writeId', 'source', 'target', 'moves', 'now'] as const;

/** Assigns bookings to the target, each with a new version. */
export const moveBookings = rowStatement(movingRow, (db, row) =>
  db
    .update(bookings)
    .set({
      patientId: sql`r.target`,
      // No account has the id of a record that was merged.
      createdBy: sql`iif(${bookings.createdBy} = r.source, r.target, ${bookings.createdBy})`,
      version: sql`${bookings.version} + 1`,
      writeId: sql`r.move ->> 'write_id'`,
      updatedAt: sql`r.now`,
    })
    .from(sql`(with ${row} select r.*, m.value as move from r, json_each(r.moves) m) r`)
    .where(
      sql`${bookings.id} = r.move ->> 'id' and ${bookings.version} = r.move ->> 'version'
        and ${bookings.patientId} = r.source and ${rowIsRecorded}`,
    ),
);

/** The event of each booking that was moved, or of an offer that ended. */
export const recordMoves = rowStatement(
  ['writeId', 'type', 'moves', 'now', 'actorId', 'actorRole', 'requestId'],
  (db, row) =>
    insertFromRow(
      db,
      bookingEvents,
      row,
      sql`from r, json_each(r.moves) m join bookings b on b.id = m.value ->> 'id'
        and b.write_id = m.value ->> 'write_id' where ${rowIsRecorded}
        and not exists (select 1 from booking_events v where v.booking_id = b.id and v.write_id = b.write_id)`,
      {
        sequence: sql`null`,
        writeId: sql`b.write_id`,
        bookingId: sql`b.id`,
        version: sql`b.version`,
        occurredAt: sql`r.now`,
        payload: sql`m.value -> 'payload'`,
      },
    ),
);

/** Where two relations become one: a live one wins. */
export const liveRelationWins = {
  target: [familyRelations.accountId, familyRelations.patientId],
  set: {
    relation: sql`case when family_relations.ended_at is not null and excluded.ended_at is null
          then excluded.relation else family_relations.relation end`,
    endedAt: sql`case when excluded.ended_at is null then null else family_relations.ended_at end`,
  },
};

/**
 * Every account that acts for the source now acts for the target; no account acts for itself, and no relation exists
 * twice.
 */
export const copyRelations = rowStatement(['writeId', 'source', 'target'], (db, row) =>
  insertFromRow(
    db,
    familyRelations,
    row,
    sql`from r join family_relations f on f.patient_id = r.source
        where f.account_id <> r.target and ${rowIsRecorded}`,
    {
      accountId: sql`f.account_id`,
      patientId: sql`r.target`,
      relation: sql`f.relation`,
      createdAt: sql`f.created_at`,
      endedAt: sql`f.ended_at`,
    },
  ).onConflictDoUpdate(liveRelationWins),
);

/** The relations to a record that is merged, after they were copied. */
export const removeRelations = statement((db, named: Named<'source' | 'writeId'>) =>
  db
    .delete(familyRelations)
    .where(sql`${familyRelations.patientId} = ${named('source')} and ${isRecorded(named('writeId'))}`),
);

/** Codes of a record that is merged open nothing any more. */
export const voidCodes = statement((db, named: Named<'source' | 'now' | 'writeId'>) =>
  db
    .update(claimCodes)
    .set({ usedAt: sql`${named('now')}` })
    .where(
      sql`${claimCodes.patientId} = ${named('source')} and ${claimCodes.usedAt} is null
        and ${isRecorded(named('writeId'))}`,
    ),
);

/** Records that were merged into this one before are merged into the one that stays. */
export const redirectMerged = statement((db, named: Named<'source' | 'target' | 'writeId'>) =>
  db
    .update(patients)
    .set({ mergedInto: sql`${named('target')}` })
    .where(sql`${patients.mergedInto} = ${named('source')} and ${isRecorded(named('writeId'))}`),
);

/** Ids of other systems name the record that stays. */
export const redirectSources = statement((db, named: Named<'source' | 'target' | 'writeId'>) =>
  db
    .update(patientSources)
    .set({ patientId: sql`${named('target')}` })
    .where(sql`${patientSources.patientId} = ${named('source')} and ${isRecorded(named('writeId'))}`),
);

/** The record is merged; its medical record number and its id of another system stay with it unless the other one took them over. */
export const markMerged = rowStatement(
  ['writeId', 'source', 'target', 'medicalRecordNumber', 'externalId', 'now'],
  (db, row) =>
    db
      .update(patients)
      .set({
        mergedInto: sql`r.target`,
        medicalRecordNumber: sql`r.medical_record_number`,
        externalId: sql`r.external_id`,
        version: sql`${patients.version} + 1`,
        updatedAt: sql`r.now`,
      })
      .from(fromRow(row))
      .where(sql`${patients.id} = r.source and ${patients.mergedInto} is null and ${rowIsRecorded}`),
);

/** Whether the step was made, and whether the request was answered meanwhile. */
export const explainMergeStep = rowStatement(['writeId', 'actorId', 'key', 'now'], (db, row) =>
  db
    .select({
      recorded: sql<number>`${rowIsRecorded}`.as('recorded'),
      repeated: sql<number>`not ${isFirstRequest}`.as('repeated'),
    })
    .from(fromRow(row)),
);
