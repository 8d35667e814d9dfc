import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open as openFile, realpath } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { ensureClinic } from '../../../core/clinic/row.ts';
import { createClinicTime } from '../../../core/clinic/time.ts';
import { type Db, run } from '../../../core/db/db.ts';
import { newId } from '../../../core/db/ids.ts';
import { formatCsv } from '../../../core/http/csv.ts';
import {
  type DateOrder,
  dateOrders,
  type ImportKind,
  type OnDuplicate,
  onDuplicates,
} from '../../../core/tables/words.ts';
import { importVisits } from '../../../modules/booking/import/actions.ts';
import { neededVisitFields, type VisitField } from '../../../modules/booking/import/cell-rules.ts';
import { visitFile } from '../../../modules/booking/import/column-rules.ts';
import { importRows, startImport } from '../../../modules/patients/import/actions.ts';
import { type ImportField, maxRows } from '../../../modules/patients/import/cell-rules.ts';
import { findResults } from '../../../modules/patients/import/queries.ts';
import {
  correctColumns,
  type FileFields,
  fileRows,
  patientFile,
  recognizeFile,
  rowSteps,
  type StepRow,
  UnreadableFile,
} from '../../../modules/patients/import/reader.ts';
import { issuesIn, resultColumns, resultLine, resultView } from '../../../modules/patients/import/views.ts';
import { assertFile } from '../database/database-file.ts';
import { documented, give } from './documented.ts';
import { createSealing, openChosen } from './rekey.ts';
import { note, tell } from './terminal.ts';

interface Options {
  source: string;
  onDuplicate?: OnDuplicate;
  dateOrder?: DateOrder;
  column?: string[];
  results?: string;
  dryRun?: true;
  again?: true;
  events?: true;
  json?: true;
}

/** The exit code if everything was read, but some rows were refused. */
const someRefused = 2;
/** How many refused rows are named; `--results` has all. */
const maxNamed = 20;

const unreadable = {
  empty: 'The file is empty.',
  not_text: 'The file is no text: save the table as CSV.',
  no_columns: 'The file has no line of names that are known: see --column.',
} as const;

const doneBefore = 'Nothing was done: this file was imported before. --again imports it anew.';

/** A hash of the file and of how its columns are read. */
const hashFileKey = async (file: string, columns: readonly unknown[]): Promise<string> => {
  const hash = createHash('sha256').update(JSON.stringify(columns));
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return `sha256-${hash.digest('hex')}`;
};

const rowsARead = 1_000;

/** Where the results go: a file, or standard output, to which the summary gives way. */
interface Results {
  write: (text: string) => Promise<unknown>;
  close: () => Promise<unknown>;
}

const openResults = async (given: string, file: string, { json }: Options): Promise<Results> => {
  if (given === '-') {
    if (json)
      throw new Error('With --results - the results go to standard output, where --json would answer.');
    const write = (text: string) => pipeline(Readable.from([text]), process.stdout, { end: false });
    return { write, close: async () => {} };
  }
  const existing = await realpath(given).catch(() => null);
  if (existing === (await realpath(file))) throw new Error('--results names the file that is imported.');
  const handle = await openFile(given, 'w');
  return { write: (text) => handle.write(text), close: () => handle.close() };
};

/** Writes what became of each row, those of a run that was broken off too. */
const writeResults = async (db: Db, id: string, file: Results): Promise<void> => {
  let afterRow = 0;
  await file.write(`${resultColumns.join(',')}\r\n`);
  for (;;) {
    const rows = await run(db, findResults(db, { id, afterRow, outcome: null, limit: rowsARead }));
    const lines = rows.map(({ issues, ...row }) => resultView({ ...row, issues: issuesIn(issues) }, 'en'));
    await file.write(formatCsv(resultColumns, lines.map(resultLine)).replace(/^.*\r\n/, ''));
    if (rows.length < rowsARead) return;
    afterRow = rows.at(-1)?.row ?? afterRow;
  }
};

type ImportingHere = Parameters<typeof importRows>[0] & Parameters<typeof importVisits>[0];

/** What a command imports: its columns, those that it cannot do without, and a step of its rows. */
interface Kind<F extends string> {
  kind: ImportKind;
  file: FileFields<F>;
  needed: readonly (readonly [F, string])[];
  step: (
    importing: ImportingHere,
    id: string,
    input: { after_row: number; rows: StepRow<F>[]; finish: boolean },
  ) => ReturnType<typeof importRows>;
  /** The counts in words. */
  sums: (state: Progress) => string;
}

type Progress = Awaited<ReturnType<typeof importRows>>['meta']['progress'];

const patientKind: Kind<ImportField> = {
  kind: 'patients',
  file: patientFile,
  needed: [['name', 'name']],
  step: importRows,
  sums: ({ created, updated, unchanged, skipped, refused }) =>
    `${created} added, ${updated} changed, ${unchanged} unchanged, ${skipped} skipped, ${refused} refused.`,
};

const visitKind: Kind<VisitField> = {
  kind: 'visits',
  file: visitFile,
  needed: neededVisitFields.map((field) => [field, field] as const),
  step: importVisits,
  sums: ({ created, unchanged, skipped, refused }) =>
    `${created} added, ${unchanged} unchanged, ${skipped} skipped, ${refused} refused.`,
};

const load = async <F extends string>(kind: Kind<F>, file: string, options: Options): Promise<void> => {
  assertFile(file);
  const open = () => createReadStream(file);
  const form = await recognizeFile(open, kind.file.recognize).catch((error: unknown) => {
    throw error instanceof UnreadableFile ? new Error(unreadable[error.why]) : error;
  });
  const columns = correctColumns(kind.file, form.header, options.column ?? []);
  const missing = kind.needed.find(([field]) => !columns.includes(field));
  if (missing !== undefined)
    throw new Error(
      `No column holds the ${missing[1]}: say which by --column '<column>=${missing[0]}'. The file has ${form.header.join(', ')}.`,
    );
  for (const [at, name] of form.header.entries())
    note(`${name || `#${at + 1}`}: ${columns[at] ?? 'left out'}`);
  // Opened first: an unwritable place is reported before any work is done.
  const results = options.results === undefined ? null : await openResults(options.results, file, options);
  // Wrangler returns no rows of a batch that writes, which would show that a step was written: a Worker's clinic imports in the console.
  const opened = await openChosen({});
  const { db, archive, config } = opened;
  try {
    await ensureClinic(db, config.CLINIC_TIME_ZONE, config.CLINIC_ID);
    const { secretBox, tokenKeys } = await createSealing(opened);
    const clinicTime = createClinicTime(config.CLINIC_TIME_ZONE);
    const deps = { db, archive, newId, clinicTime, secretBox, tokenKeys, config, eventsWritten: () => {} };
    const importing = () => ({
      deps,
      by: {
        actorId: null,
        role: 'system' as const,
        deviceLoginId: null,
        requestId: newId(),
        now: Date.now(),
      },
      language: 'en' as const,
      toStoredResponse: () => null,
    });
    const { data: begun } = await startImport(importing(), {
      kind: kind.kind,
      source: options.source,
      on_duplicate: options.onDuplicate,
      dry_run: options.dryRun,
      date_order: options.dateOrder,
      events: options.events,
      file_key: options.again ? undefined : await hashFileKey(file, columns),
    });
    let state = begun;
    const wasDone = begun.status === 'finished';
    if (!wasDone && begun.last_row > 0) note(`Goes on after row ${begun.last_row}.`);
    let named = 0;
    let isAmbiguous = false;
    const steps = rowSteps(fileRows(open, form), columns, {
      afterRow: begun.last_row,
      maxRows,
      maxBytes: Number.POSITIVE_INFINITY,
    });
    const take = async (rows: StepRow<F>[], finish: boolean) => {
      const after_row = state.last_row;
      const { data, meta } = await kind.step(importing(), begun.id, { after_row, rows, finish });
      state = meta.progress;
      for (const { row, problems } of data)
        for (const { field, rule, message } of problems) {
          named += 1;
          isAmbiguous ||= rule === 'date_order';
          if (named <= maxNamed) note(`Row ${row}, ${field}: ${message}`);
        }
      if (Math.floor(state.last_row / 1_000) > Math.floor(after_row / 1_000)) note(`Row ${state.last_row} …`);
    };
    if (!wasDone) {
      for await (const rows of steps) if (rows.length > 0) await take(rows, false);
      await take([], true);
    }
    if (isAmbiguous)
      note(
        `Say what stands first in such dates: ${dateOrders.map((order) => `--date-order ${order}`).join(' or ')}.`,
      );
    if (results !== null) await writeResults(db, begun.id, results);
    if (named > maxNamed) note(`… and ${named - maxNamed} more: --results <file> names all.`);
    if (wasDone && options.json) note(doneBefore);
    const say = options.results === '-' ? note : tell;
    if (options.json) give(options, state, () => {});
    else if (wasDone) say(`${doneBefore}\nThat time: ${kind.sums(state)}`);
    else say(`${options.dryRun ? 'Nothing was written. It would be: ' : ''}${kind.sums(state)}`);
    if (state.refused > 0) process.exitCode = someRefused;
  } finally {
    await results?.close();
    await opened.close();
  }
};

/** What both kinds of file take. */
const withFileOptions = (command: Command): Command =>
  command
    .option('--source <name>', 'where the rows come from: the ids in it are known by it', 'import')
    .addOption(
      new Option(
        '--date-order <order>',
        'what stands first in 05/01/1950; unless given, such a row is refused',
      ).choices(dateOrders),
    )
    .option('--column <name=field...>', 'what a column is, where its name does not tell')
    .option('--dry-run', 'only say what would be done')
    .option('--again', 'also where this file was imported before')
    .option('--results <file>', 'write what became of each row as CSV; - is standard output');

/** `import-patients`: patients out of a table that another system or a person wrote. */
export const addImportPatients = (program: Command): void => {
  const command = program
    .command('import-patients')
    .summary('patients from CSV or NDJSON')
    .description(
      'Adds the patients of a file (CSV with comma, semicolon or tab; lines of JSON), each row by the rules of the desk. Broken off, the same command goes on; done, it changes nothing.',
    )
    .argument('<file>', 'the file')
    .addOption(
      new Option('--on-duplicate <what>', 'with a row that looks like a patient who is there')
        .choices(onDuplicates)
        .default('skip'),
    )
    .action((file: string, options: Options) => load(patientKind, file, options));
  documented(withFileOptions(command), {
    examples: ["import-patients pasien.csv --date-order day_first --column 'HP=phone_number' --dry-run"],
    exitCodes: '0 all rows taken, 1 not done, and said why, 2 some rows refused, the others taken',
  });
};

/** `import-visits`: visits of the past out of the same, for patients who are there. */
export const addImportVisits = (program: Command): void => {
  const command = program
    .command('import-visits')
    .summary('visits of the past from CSV or NDJSON')
    .description(
      'Adds completed, missed and canceled visits of the past to patients who are there, by their id in the source or their medical record number. No notice or queue number is made of them, and no event unless --events asks for it. Broken off, the same command goes on; done, it changes nothing.',
    )
    .argument('<file>', 'the file')
    .option('--events', 'write an event for each visit, which receivers of webhooks are sent')
    .action((file: string, options: Options) => load(visitKind, file, options));
  documented(withFileOptions(command), {
    examples: ['import-visits kunjungan.csv --source lama --date-order day_first --dry-run'],
    exitCodes: '0 all rows taken, 1 not done, and said why, 2 some rows refused, the others taken',
  });
};
