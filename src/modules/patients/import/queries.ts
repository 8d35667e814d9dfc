import { asc, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { insertFromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { isFirstRequest } from '../../../core/idempotency/queries.ts';
import { rowIsRecorded } from '../../../core/tables/accounts.ts';
import { clinic } from '../../../core/tables/catalog.ts';
import { patientImportRows, patientImports, patientSources } from '../../../core/tables/imports.ts';
import { patients } from '../../../core/tables/patients.ts';
import { securityEventWhen } from '../../auth/audit/queries.ts';

export const findImport = statement((db, named: Named<'id'>) =>
  db
    .select()
    .from(patientImports)
    .where(eq(patientImports.id, named('id'))),
);

export type ImportRecord = ReturnType<typeof findImport>['_']['result'][number];

/** One page of imports, the newest first. */
export const findImports = statement((db, named: Named<'beforeAt' | 'beforeId' | 'limit'>) =>
  db
    .select()
    .from(patientImports)
    .where(
      sql`(${patientImports.createdAt}, ${patientImports.id}) < (${named('beforeAt')}, ${named('beforeId')})`,
    )
    .orderBy(desc(patientImports.createdAt), desc(patientImports.id))
    .limit(named('limit')),
);

/** One page of what became of the rows of an import. */
export const findResults = statement((db, named: Named<'id' | 'afterRow' | 'outcome' | 'limit'>) =>
  db
    .select()
    .from(patientImportRows)
    .where(
      sql`${patientImportRows.importId} = ${named('id')} and ${patientImportRows.row} > ${named('afterRow')}
        and (${named('outcome')} is null or ${patientImportRows.outcome} = ${named('outcome')})`,
    )
    .orderBy(asc(patientImportRows.row))
    .limit(named('limit')),
);

/** The import of the same file with the same settings; a dry run is none. */
export const findSameFile = statement(
  (db, named: Named<'fileKey' | 'kind' | 'source' | 'onDuplicate' | 'dateOrder' | 'events'>) =>
    db
      .select()
      .from(patientImports)
      .where(
        sql`${patientImports.fileKey} = ${named('fileKey')} and ${patientImports.dryRun} = 0 and ${patientImports.kind} = ${named('kind')}
          and ${patientImports.source} = ${named('source')} and ${patientImports.onDuplicate} = ${named('onDuplicate')}
          and ${patientImports.dateOrder} is ${named('dateOrder')} and ${patientImports.events} = ${named('events')}`,
      )
      .limit(1),
);

const settings = ['kind', 'source', 'onDuplicate', 'dateOrder', 'dryRun', 'fileKey', 'events'] as const;

/** Recorded unless the same request was answered, or the same file begun, before. */
export const recordStart = securityEventWhen(
  sql`${isFirstRequest} and (r.dry_run or r.file_key is null or not exists (select 1 from patient_imports i
    where i.file_key = r.file_key and i.dry_run = 0 and i.kind = r.kind and i.source = r.source and i.on_duplicate = r.on_duplicate
    and i.date_order is r.date_order and i.events = r.events))`,
  [...settings, 'key'],
);

export const insertImport = rowStatement(['id', 'writeId', 'actorId', 'now', ...settings], (db, row) =>
  insertFromRow(db, patientImports, row, sql`from r where ${rowIsRecorded}`, {
    lastRow: sql`0`,
    created: sql`0`,
    updated: sql`0`,
    unchanged: sql`0`,
    skipped: sql`0`,
    refused: sql`0`,
    createdBy: sql`r.actor_id`,
    createdAt: sql`r.now`,
    updatedAt: sql`r.now`,
  }).returning(getTableColumns(patientImports)),
);

const inList = (list: SQL): SQL => sql`(select value from json_each(${list}))`;

/** Which patients the ids of a source are, by the record that they were merged into. */
export const findSources = statement((db, named: Named<'source' | 'externalIds'>) =>
  db
    .select({
      externalId: patientSources.externalId,
      patientId: sql<string>`(select coalesce(m.merged_into, m.id) from patients m
        where m.id = patient_sources.patient_id)`.as('known_patient_id'),
      hasMerged: sql<
        0 | 1
      >`exists (select 1 from patients m where m.merged_into = patient_sources.patient_id)`.as('has_merged'),
    })
    .from(patientSources)
    .where(
      sql`${patientSources.source} = ${named('source')}
        and ${patientSources.externalId} in ${inList(sql`${named('externalIds')}`)}`,
    ),
);

/** Records that share a date of birth or a phone number with one of the rows of a step. */
export const findLooks = statement((db, named: Named<'births' | 'phones'>) =>
  db
    .select({
      id: patients.id,
      name: patients.name,
      birthDate: patients.birthDate,
      phoneNumber: patients.phoneNumber,
      phoneCountryCode: patients.phoneCountryCode,
    })
    .from(patients)
    .where(
      sql`patients.merged_into is null and patients.erasure_id is null and patients.id in (
        select b.id from patients b where b.birth_date in ${inList(sql`${named('births')}`)}
        union select w.owner_id from search_words w where w.kind = 'person' and w.word in ${inList(sql`${named('phones')}`)})`,
    ),
);

/** The records that the rows of a step may be of: by these ids, by the ids of their source, and by their numbers. */
export const findMatches = statement(
  (db, named: Named<'ids' | 'source' | 'externalIds' | 'nationalIds' | 'insuranceNumbers'>) =>
    db
      .select({
        ...getTableColumns(patients),
        accountEmail: sql<string | null>`(select u.email from users u where u.id = patients.id)`.as(
          'account_email',
        ),
        accountRole: sql<string | null>`(select u.role from users u where u.id = patients.id)`.as(
          'account_role',
        ),
      })
      .from(patients)
      .where(
        sql`patients.merged_into is null and patients.erasure_id is null and patients.id in (
          select value from json_each(${named('ids')})
          union select coalesce(m.merged_into, m.id) from patient_sources s join patients m on m.id = s.patient_id
            where s.source = ${named('source')} and s.external_id in ${inList(sql`${named('externalIds')}`)}
          union select n.id from patients n where n.national_id_hash in ${inList(sql`${named('nationalIds')}`)}
          union select i.id from patients i where i.insurance_number_hash in ${inList(sql`${named('insuranceNumbers')}`)})`,
      ),
);

export type MatchRow = ReturnType<typeof findMatches>['_']['result'][number];

/** The patients with one of these medical record numbers, merged records included. */
export const findRecordNumbers = statement((db, named: Named<'numbers'>) =>
  db
    .select({ id: patients.id, medicalRecordNumber: patients.medicalRecordNumber })
    .from(patients)
    .where(
      sql`patients.medical_record_number is not null
        and patients.medical_record_number in ${inList(sql`${named('numbers')}`)}`,
    ),
);

/** The clinic's counter of record numbers. */
export const findRecordCounter = statement((db) =>
  db.select({ lastRecordNumber: clinic.lastRecordNumber }).from(clinic).where(eq(clinic.id, 1)),
);
