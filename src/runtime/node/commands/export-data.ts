import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Argument, type Command, Option } from 'commander';
import { instantSince } from '../../../core/clinic/since.ts';
import { createClinicTime } from '../../../core/clinic/time.ts';
import { run } from '../../../core/db/db.ts';
import { recordSecurityEvent } from '../../../modules/auth/audit/queries.ts';
import { ExportPatients } from '../../../modules/exports/contract.ts';
import { type ExportFormat, exportFormats } from '../../../modules/exports/form.ts';
import { type ExportKind, exportKinds } from '../../../modules/exports/sources.ts';
import { writeExport } from '../../../modules/exports/write.ts';
import { counted } from '../counted-rules.ts';
import { addD1Options, type D1Options } from '../d1/wrangler.ts';
import { assertNew, publish, withPartial } from '../database/database-file.ts';
import { documented, give, type JsonOption } from './documented.ts';
import { createSealing, openChosen } from './rekey.ts';
import { note, tell } from './terminal.ts';

interface Options extends D1Options, JsonOption {
  format?: ExportFormat;
  updatedSince?: string;
}

const isSince = (text: string): boolean => ExportPatients.query().safeParse({ updated_since: text }).success;

/** The kinds that tell of patients. */
const ofPatients: readonly ExportKind[] = ['patients', 'bookings'];

const writeTextFile = async (text: AsyncIterable<string>, file: string): Promise<void> => {
  // An interrupted export leaves no file that looks complete.
  await withPartial(file, 'partial', async (partial) => {
    await pipeline(Readable.from(text), createWriteStream(partial));
    publish(partial, file);
  });
};

const exportData = async (kind: ExportKind, given: string, options: Options): Promise<void> => {
  const isPiped = given === '-';
  if (isPiped && options.json)
    throw new Error('With - the rows go to standard output, where --json would answer.');
  const file = resolve(given);
  if (!isPiped) assertNew(file);
  const { format = /\.csv$/i.test(given) ? 'csv' : 'ndjson' } = options;
  const { updatedSince } = options;
  if (updatedSince !== undefined && !isSince(updatedSince))
    throw new Error('--updated-since takes a date, or an instant such as 2026-11-01T00:00:00+07:00.');
  const opened = await openChosen(options);
  try {
    const sealing = { ...(await createSealing(opened)), archive: opened.archive };
    const now = Date.now();
    const since = instantSince(createClinicTime(opened.config.CLINIC_TIME_ZONE), updatedSince);
    const detail = { by: 'command line', kind, format, ...(updatedSince && { updated_since: updatedSince }) };
    const event = { writeId: crypto.randomUUID(), type: 'data_exported' as const, userId: null, now, detail };
    await run(opened.db, recordSecurityEvent(opened.db, event));
    let rows = 0;
    const text = writeExport(sealing, { kind, format, since }, (count) => {
      rows += count;
    });
    const words = () => {
      const all = counted(rows, kind.slice(0, -1), kind);
      return ofPatients.includes(kind) ? `${all}. It is patients' data: keep it as you keep a backup` : all;
    };
    if (isPiped) {
      await pipeline(Readable.from(text), process.stdout, { end: false });
      note(`${words()}.`);
      return;
    }
    await writeTextFile(text, file);
    give(options, { file: given, rows }, () => tell(`${given}: ${words()}.`));
  } finally {
    await opened.close();
  }
};

/** `export-data`: all data of a kind in a file that other programs read. */
export const addExportData = (program: Command): void => {
  const command = program
    .command('export-data')
    .addArgument(new Argument('<kind>', 'what').choices(exportKinds))
    .argument('<file>', 'where it goes; an existing file is never overwritten; - is standard output')
    .summary('all patients, bookings … as NDJSON or CSV')
    .description(
      'Writes all data of a kind into a file that other programs read, as GET /v1/export does, and a line into the audit trail. `export` makes a copy of the whole database instead.',
    )
    .addOption(
      new Option(
        '--format <format>',
        'excel: CSV with semicolons, for decimal commas; unless given, csv for a file of that name, else ndjson',
      ).choices(exportFormats),
    )
    .option('--updated-since <when>', 'only what was changed since this date, or this instant')
    .action(exportData);
  documented(addD1Options(command), {
    examples: [
      'export-data patients patients.ndjson',
      'export-data bookings bookings.csv --format excel --updated-since 2026-11-01',
      'export-data patients - | age --encrypt --recipient age1… > patients.ndjson.age',
    ],
  });
};
