import { eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { rowStatement, rowsStatement } from '../../../core/db/statement.ts';
import { isFirstRequest } from '../../../core/idempotency/queries.ts';
import { rowIsRecorded, securityEvents } from '../../../core/tables/accounts.ts';
import { clinic } from '../../../core/tables/catalog.ts';
import { patientImportRows, patientImports, patientSources } from '../../../core/tables/imports.ts';
import { patients } from '../../../core/tables/patients.ts';
import { searchWords } from '../../../core/tables/search.ts';
import { securityEventWhen } from '../../auth/audit/queries.ts';
import { recordColumns } from '../record/record-queries.ts';

/**
 * Recorded if all facts of the step's decision are still true: the import's position, the clinic's counter of record
 * numbers where it gives some, and the versions of the records that it changes or adds to (an object of version by id).
 */
export const recordStep = securityEventWhen(
  sql`${isFirstRequest}
    and exists (select 1 from patient_imports i where i.id = r.import_id and i.last_row = r.after_row and i.finished_at is null)
    and (r.record_counter is null
      or exists (select 1 from clinic c where c.id = 1 and c.last_record_number = r.record_counter))
    and not exists (select 1 from json_each(r.versions) v left join patients p on p.id = v.key
      where p.version is not v.value or p.merged_into is not null or p.erasure_id is not null)`,
  ['importId', 'afterRow', 'recordCounter', 'versions', 'key'],
);

const recordNames = ['id', 'writeId', 'now', 'words', ...recordColumns.names] as const;

export const insertRecords = rowsStatement([...recordNames, 'actorId'], (db, row) =>
  insertFromRow(db, patients, row, sql`from r where ${rowIsRecorded}`, {
    version: sql`1`,
    createdBy: sql`r.actor_id`,
    createdAt: sql`r.now`,
    updatedAt: sql`r.now`,
  }),
);

export const updateRecords = rowsStatement(recordNames, (db, row) =>
  db
    .update(patients)
    .set({
      ...recordColumns.fromRow,
      words: sql`r.words`,
      version: sql`${patients.version} + 1`,
      updatedAt: sql`r.now`,
    })
    .from(fromRow(row))
    .where(sql`${patients.id} = r.id and ${rowIsRecorded}`),
);

/** Before the records change, because their rows have the old words. */
export const removeWords = rowsStatement(['id', 'writeId', 'words'], (db, row) =>
  db.delete(searchWords).where(
    sql`(kind, word, owner_id) in (with ${row} select 'person', j.value, p.id
      from r join patients p on p.id = r.id, json_each(p.words) j
      where ${rowIsRecorded} and j.value not in (select value from json_each(r.words)))`,
  ),
);

/** The e-mail of an account needs no entry: the index of the accounts is one. */
export const addSearchWords = rowsStatement(['id', 'writeId', 'words'], (db, row) =>
  insertFromRow(
    db,
    searchWords,
    row,
    sql`from r, json_each(r.words) j where ${rowIsRecorded}
      and j.value is not (select a.email from users a where a.id = r.id)`,
    { ownerId: sql`r.id`, kind: sql`'person'`, word: sql`j.value` },
  ).onConflictDoNothing(),
);

/** The lines of the audit trail of each record, behind that of the step. */
export const recordLines = rowsStatement(
  [
    'writeId',
    'lineId',
    'nth',
    'type',
    'patientId',
    'actorId',
    'actorKind',
    'deviceLoginId',
    'requestId',
    'now',
    'detail',
  ],
  (db, row) =>
    insertFromRow(db, securityEvents, row, sql`from r where ${rowIsRecorded}`, {
      sequence: sql`1 + r.nth + (select max(n.sequence) from security_events n)`,
      writeId: sql`r.line_id`,
      occurredAt: sql`r.now`,
    }),
);

/** Links ids of the source with their records; one that has a record keeps it. */
export const insertSources = rowsStatement(
  ['writeId', 'source', 'externalId', 'patientId', 'now'],
  (db, row) =>
    insertFromRow(db, patientSources, row, sql`from r where ${rowIsRecorded}`, {
      createdAt: sql`r.now`,
    }).onConflictDoNothing(),
);

export const insertResults = rowsStatement(
  ['writeId', 'importId', 'row', 'outcome', 'patientId', 'issues', 'now'],
  (db, row) =>
    insertFromRow(db, patientImportRows, row, sql`from r where ${rowIsRecorded}`, {
      createdAt: sql`r.now`,
    }),
);

const counted = ['created', 'updated', 'unchanged', 'skipped', 'refused'] as const;

/** The progress of the import, if the step was recorded. */
export const moveImport = rowStatement(
  ['id', 'writeId', 'now', 'lastRow', 'finishedAt', ...counted],
  (db, row) =>
    db
      .update(patientImports)
      .set({
        ...(Object.fromEntries(
          counted.map((name) => [name, sql`${patientImports[name]} + ${sql.raw(`r.${name}`)}`]),
        ) as Record<(typeof counted)[number], SQL>),
        lastRow: sql`r.last_row`,
        updatedAt: sql`r.now`,
        finishedAt: sql`r.finished_at`,
      })
      .from(fromRow(row))
      .where(sql`${patientImports.id} = r.id and ${rowIsRecorded}`)
      .returning({ lastRow: patientImports.lastRow }),
);

/** Moves the clinic's counter of record numbers to the last one that was given. */
export const moveRecordCounter = rowStatement(['writeId', 'recordCounter'], (db: Db, row) =>
  db
    .update(clinic)
    .set({ lastRecordNumber: sql`r.record_counter` })
    .from(fromRow(row))
    .where(sql`${eq(clinic.id, 1)} and ${rowIsRecorded}`),
);
