import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, freeText, named, oneLine, utcInstant, uuid } from '../../../core/endpoint/fields.ts';
import { once } from '../../../core/endpoint/once.ts';
import { pageMeta, pageQuery, paging } from '../../../core/endpoint/query-fields.ts';
import { dateOrders, importKinds, importOutcomes, onDuplicates } from '../../../core/tables/words.ts';
import { importFields, maxRows } from './cell-rules.ts';

const path = '/v1/admin/imports';
const common = { tag: 'admin', access: ['admin'] } as const;

const count = (description: string, example: number) => described(z.int(), description, { example });

const importShape = () => ({
  id: uuid(),
  kind: described(z.enum(importKinds), 'What its rows are.'),
  source: described(z.string(), 'Where the rows come from: `external_id` is unique in it.', {
    example: 'sistem-lama',
  }),
  on_duplicate: described(
    z.enum(onDuplicates),
    'What is done with a row that looks like a patient who is there.',
  ),
  date_order: described(
    z.nullable(z.enum(dateOrders)),
    'What stands first in 05/01/1950; null where such a date is refused.',
    { example: 'day_first' },
  ),
  dry_run: described(z.boolean(), 'Only says what would be done.', { example: false }),
  events: described(
    z.boolean(),
    'Whether each visit of the past gets an event, which receivers of webhooks are sent.',
    { example: false },
  ),
  status: described(z.enum(['open', 'finished']), 'An open one takes further rows.'),
  last_row: count('The last row that was taken: go on after it.', 101),
  created: count('Rows that made a record.', 88),
  updated: count('Rows that changed a record.', 4),
  unchanged: count('Rows whose record stands as it is.', 3),
  skipped: count('Rows that look like somebody and were left out.', 4),
  refused: count('Rows that something is wrong with.', 1),
  created_at: utcInstant(),
  updated_at: utcInstant(),
  finished_at: described(z.nullable(utcInstant()), 'Null while it is open.', { example: null }),
});

export const PatientImport = named('PatientImport', importShape);

export const RowResult = named('PatientImportResult', () => ({
  row: count('The row, as the sender numbered it.', 2),
  outcome: described(z.enum(importOutcomes), 'What became of it.'),
  patient_id: described(
    z.nullable(uuid()),
    'The record that it made, changed or looks like; null where there is none, and for what a dry run would make.',
  ),
  problems: described(
    z.array(
      z.object({
        field: described(z.string(), 'In which field.', { example: 'birth_date' }),
        rule: described(z.string(), 'A stable name of the problem.', { example: 'date_order' }),
        message: described(z.string(), 'The same in words.', {
          example: 'Bisa berarti dua tanggal. Tentukan dahulu: hari atau bulan yang ditulis di depan.',
        }),
      }),
    ),
    'What is wrong; empty where nothing is. Never what stood there.',
  ),
}));

/** A cell of a row, as it was typed. */
export const cell = (description: string, example: string) =>
  described(z.optional(freeText(65_536)), description, { example });

const meanings: Readonly<Record<(typeof importFields)[number], [description: string, example: string]>> = {
  name: ['The name.', 'Siti Aminah'],
  phone_number: ['As it was typed, with or without a country code.', '0812-3456-7890'],
  phone_country_code: ['Of a number without one; 62 unless set.', '62'],
  email: ['For notices.', 'siti@contoh.example'],
  birth_date: ['As it was typed: 1950-01-05, 05/01/1950, 5 Jan 1950.', '05/01/1950'],
  sex: ['As it was typed: L, P, Laki-laki, Perempuan, male, female.', 'P'],
  address: ['Where the patient lives.', 'Jl. Melati 1, Bandung'],
  national_id: ['NIK; blanks are taken away.', '3171 2345 6789 0001'],
  insurance_number: ['BPJS card; blanks are taken away.', '0001234567890'],
  medical_record_number: ["By hand; the clinic's next one unless set.", 'LAMA-17'],
  staff_notes: ['For the clinic alone.', 'Alergi penisilin.'],
  external_id: ['The id in the source: by it a row that comes again is known.', '17'],
};

const ImportRow = once(() =>
  z.object({
    row: described(z.int().check(z.minimum(1)), 'Its number, higher than that of the row before.', {
      example: 2,
    }),
    ...(Object.fromEntries(importFields.map((field) => [field, cell(...meanings[field])])) as Record<
      (typeof importFields)[number],
      ReturnType<typeof cell>
    >),
  }),
);

export const StartImport = endpoint({
  ...common,
  scope: 'patients:write',
  method: 'post',
  path,
  summary: 'Begin an import of patients, or of their past visits',
  description:
    'Its rows are sent afterwards, in steps. The file stays with the sender: nothing of it is kept but the patients. With the `file_key` of an import that was begun with the same settings, that one is answered (200): go on after its `last_row`.',
  idempotent: true,
  bodyOptional: true,
  body: () =>
    z.object({
      kind: described(
        z.optional(z.enum(importKinds)),
        'What its rows are: `patients` unless set; of `visits` they go to `…/visits`.',
      ),
      source: described(
        z.optional(oneLine(50)),
        'Where the rows come from; `import` unless set. `external_id` is unique in it.',
        { example: 'sistem-lama' },
      ),
      on_duplicate: described(
        z.optional(z.enum(onDuplicates)),
        'With a row that looks like a patient who is there, by the rule of the desk: leave it out (`skip`, unless set), change that record (`update`), or add it all the same (`make`).',
      ),
      date_order: described(
        z.optional(z.enum(dateOrders)),
        'What stands first in 05/01/1950. Unless set, such a date is refused; it is never guessed.',
        { example: 'day_first' },
      ),
      dry_run: described(z.optional(z.boolean()), 'Only say what would be done.', { example: false }),
      events: described(
        z.optional(z.boolean()),
        'Of `visits` alone: write an event `booking.created` for each, which receivers of webhooks and readers of events get. None unless set; no notice in either case.',
        { example: false },
      ),
      file_key: described(
        z.optional(oneLine(128)),
        'A hash of the file: the same one again goes on, or finds it done.',
        { example: 'sha256-5feceb66ffc86f38' },
      ),
    }),
  returns: {
    200: {
      description: 'The same file was begun before.',
      data: PatientImport,
      message: {
        id: 'Impor berkas ini sudah pernah dimulai.',
        en: 'The import of this file was begun before.',
      },
    },
    201: {
      description: 'Begun.',
      data: PatientImport,
      message: 'created',
      headers: ['Location'],
    },
  },
});

export const ListImports = endpoint({
  ...common,
  scope: 'patients:read',
  discloses: 'nothing',
  method: 'get',
  path,
  summary: 'Imports of patients',
  description: 'For 30 days after their last step.',
  query: pageQuery,
  returns: {
    200: { description: 'A page, the newest first.', data: () => z.array(PatientImport()), meta: pageMeta },
  },
});

export const GetImport = endpoint({
  ...common,
  scope: 'patients:read',
  discloses: 'nothing',
  method: 'get',
  path: `${path}/{id}`,
  summary: 'How far an import has come',
  returns: { 200: { description: 'The import.', data: PatientImport } },
});

/** What the next rows of any import are sent as, and what is answered. */
export const importStep = <Row extends z.ZodMiniType>(row: () => Row, example: object) =>
  ({
    idempotent: true,
    body: () =>
      z.object({
        after_row: described(
          z.int().check(z.minimum(0)),
          'The `last_row` that the sender knows; 0 at first.',
          { example: 0 },
        ),
        rows: described(z.array(row()).check(z.maxLength(maxRows)), 'The next rows, in order.', {
          example: [example],
        }),
        finish: described(z.optional(z.boolean()), 'These are the last ones.', { example: true }),
      }),
    returns: {
      200: {
        description: 'What became of each row.',
        data: () => z.array(RowResult()),
        meta: () => z.object({ progress: described(PatientImport(), 'How far the import has come.') }),
        message: { id: 'Baris-baris ini telah diproses.', en: 'These rows were dealt with.' },
      },
    },
    fails: ['import_moved_on', 'import_of_other_kind'],
  }) as const;

export const ImportRows = endpoint({
  ...common,
  scope: 'patients:write',
  method: 'post',
  path: `${path}/{id}/rows`,
  summary: 'Import the next rows',
  description:
    'One atomic step: the patients, and how far the import has come. Each row is judged by the rules of `POST /v1/patients`, in the forms that people type; one that is refused holds up no other. A step whose answer was lost is found by `last_row`.',
  ...importStep(ImportRow, {
    row: 2,
    name: 'Siti Aminah',
    birth_date: '5 Jan 1950',
    sex: 'P',
    external_id: '17',
  }),
});

export const ListImportResults = endpoint({
  ...common,
  scope: 'patients:read',
  discloses: 'nothing',
  method: 'get',
  path: `${path}/{id}/results`,
  summary: 'What became of each row of an import',
  description:
    'In the order of the rows, for 30 days. `Accept: text/csv` gives a table of up to 10,000 rows a page, whatever `limit` says.',
  query: () =>
    z.object({
      ...paging(),
      outcome: described(z.optional(z.enum(importOutcomes)), 'Only rows of which this became.'),
    }),
  returns: {
    200: {
      description: 'A page of rows.',
      data: () => z.array(RowResult()),
      meta: pageMeta,
      alsoAs: 'text/csv',
    },
  },
});
