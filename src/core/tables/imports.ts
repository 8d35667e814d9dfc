import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, uuid } from '../db/columns.ts';
import { patients } from './patients.ts';
import type { DateOrder, ImportKind, ImportOutcome, OnDuplicate } from './words.ts';

/** The id of a patient in another system, by which a row that is imported again is recognized. */
export const patientSources = sqliteTable(
  'patient_sources',
  {
    source: text('source').notNull(),
    externalId: text('external_id').notNull(),
    patientId: uuid('patient_id')
      .notNull()
      .references(() => patients.id),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.source, t.externalId] }),
    index('patient_sources_patient').on(t.patientId),
  ],
);

/** One file of patients, or of their past visits, on its way in: how its rows are read, how far it has come, and what became of them. */
export const patientImports = sqliteTable(
  'patient_imports',
  {
    id: uuid('id').primaryKey(),
    source: text('source').notNull(),
    onDuplicate: text('on_duplicate').$type<OnDuplicate>().notNull(),
    /** Null if an ambiguous date is refused. */
    dateOrder: text('date_order').$type<DateOrder>(),
    /** A dry run: only the results are written. */
    dryRun: integer('dry_run', { mode: 'boolean' }).notNull(),
    /** A hash of the file and of the meaning of its columns, which identifies the same file; null if none was given. */
    fileKey: text('file_key'),
    /** The last row that was processed; the next step begins after it. */
    lastRow: integer('last_row').notNull(),
    created: integer('created').notNull(),
    updated: integer('updated').notNull(),
    unchanged: integer('unchanged').notNull(),
    skipped: integer('skipped').notNull(),
    refused: integer('refused').notNull(),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    finishedAt: instant('finished_at'),
    kind: text('kind').$type<ImportKind>().notNull().default('patients'),
    /** Whether each past visit gets an event, which receivers of webhooks are sent. */
    events: integer('events', { mode: 'boolean' }).notNull().default(false),
  },
  (t) => [
    index('patient_imports_created').on(t.createdAt, t.id),
    index('patient_imports_updated').on(t.updatedAt),
    index('patient_imports_file').on(t.fileKey).where(sql`file_key is not null`),
  ],
);

/** The outcome of each row, without any of its content. */
export const patientImportRows = sqliteTable(
  'patient_import_rows',
  {
    importId: uuid('import_id')
      .notNull()
      .references(() => patientImports.id),
    row: integer('row').notNull(),
    outcome: text('outcome').$type<ImportOutcome>().notNull(),
    /** The record that the row made, changed or looks like. */
    patientId: uuid('patient_id'),
    /** The errors as JSON: fields and rules, never a value. */
    issues: text('issues'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.importId, t.row] }),
    index('patient_import_rows_created').on(t.createdAt),
    index('patient_import_rows_patient').on(t.patientId).where(sql`patient_id is not null`),
  ],
);
