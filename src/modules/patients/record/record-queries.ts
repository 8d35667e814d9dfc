import { and, type SQL, sql } from 'drizzle-orm';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { columnGroup } from '../../../core/db/row-columns.ts';
import { rowStatement } from '../../../core/db/statement.ts';
import { isFirstRequest } from '../../../core/idempotency/queries.ts';
import { isRecorded, rowIsRecorded } from '../../../core/tables/accounts.ts';
import { patients } from '../../../core/tables/patients.ts';
import { securityEventWhen } from '../../auth/audit/queries.ts';
import { writtenColumns } from './fields.ts';

export const recordColumns = columnGroup(patients, writtenColumns);

/** Adds a record if the event was recorded; `numbered` takes the next number of the clinic's counter. */
export const insertRecord = rowStatement(
  ['id', 'writeId', 'actorId', 'now', 'numbered', ...recordColumns.names],
  (db, row) =>
    insertFromRow(db, patients, row, sql`from r where ${rowIsRecorded}`, {
      medicalRecordNumber: sql`case when r.numbered then (select printf('RM-%06d', c.last_record_number + 1)
          from clinic c where c.id = 1) else r.medical_record_number end`,
      version: sql`1`,
      createdBy: sql`r.actor_id`,
      createdAt: sql`r.now`,
      updatedAt: sql`r.now`,
    }).returning({ medicalRecordNumber: patients.medicalRecordNumber }),
);

/** Writes a record, if it still has the version that was read and the event was recorded. */
export const updateRecord = rowStatement(
  ['id', 'writeId', 'version', 'now', ...recordColumns.names],
  (db, row) =>
    db
      .update(patients)
      .set({
        ...recordColumns.fromRow,
        version: sql`r.version + 1`,
        updatedAt: sql`r.now`,
      })
      .from(fromRow(row))
      .where(and(sql`${patients.id} = r.id`, sql`${patients.version} = r.version`, rowIsRecorded))
      .returning({ version: patients.version }),
);

/** Recorded if the record still has the version that was read. */
export const recordChange = securityEventWhen(
  sql`exists (select 1 from patients p where p.id = r.patient_id and p.version = r.version and p.merged_into is null)`,
  ['patientId', 'version'],
);

/** Recorded unless the same request was answered before. */
export const recordIfFirst = securityEventWhen(isFirstRequest, ['key']);

/** For the words of a record, which are written only with it; `version` where its batch may be repeated. */
export const recordStands = (id: string, writeId: string, version: number | null = null): SQL =>
  sql`${isRecorded(writeId)}
    and exists (select 1 from patients p where p.id = ${id} and p.version = coalesce(${version}, p.version))`;
