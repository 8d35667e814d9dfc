import { type ImportField, importFields } from './cell-rules.ts';
import { type Recognizer, recognizeColumns } from './column-rules.ts';
import { csvRows, maxHeld, maxRowBytes, RowTooLarge, separatorLine } from './csv-rows.ts';

/** Opens a file at its beginning: a file is read twice, first to know what it is. */
export type OpenFile = () => AsyncIterable<Uint8Array>;

type Encoding = 'utf-8' | 'windows-1252' | 'utf-16le';

/** How a file is written. */
export interface FileForm {
  kind: 'csv' | 'ndjson';
  encoding: Encoding;
  delimiter: string;
  /** The names of its columns. */
  header: readonly string[];
  /** The first rows, by column. */
  sample: readonly (readonly string[])[];
}

/** A row of a file, numbered as a spreadsheet does: the line of names is 1. */
export interface FileRow {
  row: number;
  cells: readonly string[];
}

/** A file that cannot be read at all. */
export class UnreadableFile extends Error {
  readonly why: 'empty' | 'no_columns' | 'not_text';
  constructor(why: UnreadableFile['why']) {
    super(why);
    this.why = why;
  }
}

const delimiters = [',', ';', '\t', '|'];
const sampleRows = 50;
/** As much of a file as is looked at to know its form. */
const headBytes = 262_144;

/** The bytes of a file as text, without a byte order mark. */
async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** UTF-8 if all bytes are valid; else the Windows encoding. Reads the whole file once. */
const detectEncoding = async (
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ encoding: Encoding; head: Uint8Array }> => {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const head: Uint8Array[] = [];
  let size = 0;
  let encoding: Encoding = 'utf-8';
  const judge = (decode: () => string) => {
    if (encoding === 'utf-8')
      try {
        decode();
      } catch {
        encoding = 'windows-1252';
      }
  };
  for await (const chunk of bytes) {
    if (size < headBytes) head.push(chunk);
    size += chunk.byteLength;
    judge(() => utf8.decode(chunk, { stream: true }));
  }
  judge(() => utf8.decode());
  const joined = new Uint8Array(head.reduce((sum, { byteLength }) => sum + byteLength, 0));
  head.reduce((at, part) => {
    joined.set(part, at);
    return at + part.byteLength;
  }, 0);
  const isUtf16 = joined[0] === 0xff && joined[1] === 0xfe;
  return { encoding: isUtf16 ? 'utf-16le' : encoding, head: joined };
};

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');

const readText = (value: unknown): string =>
  value === null || value === undefined || typeof value === 'object' ? '' : String(value);

/** The lines of a text that arrives in pieces. */
async function* linesIn(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  let count = 0;
  for await (const piece of pieces) {
    // One \r at the end of a piece may be the half of a line end.
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    count += lines.length;
    if (rest.length > maxHeld) throw new RowTooLarge(count + 1);
    yield* lines;
  }
  yield rest;
}

const objectIn = (line: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
};

/** The rows of a file, after its line of names; blank ones are left out. A broken line of JSON is a row without cells. */
export async function* fileRows(open: OpenFile, form: FileForm): AsyncGenerator<FileRow> {
  const pieces = decoded(open(), form.encoding);
  let row = 0;
  if (form.kind === 'ndjson') {
    for await (const line of linesIn(pieces)) {
      row += 1;
      if (line.trim() === '') continue;
      const object = objectIn(line) ?? {};
      yield { row, cells: form.header.map((name) => readText(object[name])) };
    }
    return;
  }
  for await (const cells of csvRows(pieces, form.delimiter)) {
    row += 1;
    if (row > 1 && !isBlank(cells)) yield { row, cells };
  }
}

const detectSeparator = (text: string): string => {
  // A name in quotation marks may have lines of its own.
  const [names = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const told = separatorLine.exec(names)?.[1];
  if (told !== undefined) return told;
  const countParts = (one: string): number => names.split(one).length;
  return delimiters.reduce((best, one) => (countParts(one) > countParts(best) ? one : best));
};

/** Finds out how a file is written, by the whole of it for its encoding and its columns, and by its beginning for the rest. */
export const recognizeFile = async (
  open: OpenFile,
  recognize: Recognizer<string> = recognizeColumns,
): Promise<FileForm> => {
  const { encoding, head } = await detectEncoding(open());
  const text = new TextDecoder(encoding).decode(head);
  if (text.trim() === '') throw new UnreadableFile('empty');
  if (text.includes('\0')) throw new UnreadableFile('not_text');
  if (text.trimStart().startsWith('{')) {
    const names = new Set<string>();
    const first: Record<string, unknown>[] = [];
    // To its end: an object may lack what a later one has.
    for await (const line of linesIn(decoded(open(), encoding))) {
      const object = objectIn(line);
      if (object === null) continue;
      for (const name of Object.keys(object)) names.add(name);
      if (first.length < sampleRows) first.push(object);
    }
    const header = [...names];
    const sample = first.map((object) => header.map((name) => readText(object[name])));
    return { kind: 'ndjson', encoding, delimiter: '', header, sample };
  }
  const delimiter = detectSeparator(text);
  const read: string[][] = [];
  let filled = 0;
  // To its end, too: filled cells beyond the names are a column, as of an address with a comma and no quotation marks, so that it is
  // shown that they are left out.
  for await (const cells of csvRows(decoded(open(), encoding), delimiter)) {
    const last = cells.reduce((end, cell, at) => (cell.trim() === '' ? end : at + 1), 0);
    // One that is wider than all before it is an example of what is left out.
    if (read.length <= sampleRows || last > filled) read.push(cells);
    filled = Math.max(filled, last);
  }
  const [names = [], ...sample] = read;
  const width = Math.max(names.length, filled);
  const header = Array.from({ length: width }, (_, at) => (names[at] ?? '').trim());
  if (header.length < 2 && recognize(header).every((field) => field === null))
    throw new UnreadableFile('no_columns');
  const rows = sample.filter((cells) => !isBlank(cells));
  return { kind: 'csv', encoding, delimiter, header, sample: rows };
};

/** The cells of a row by the fields that its columns are. */
export const readCells = <F extends string>(
  cells: readonly string[],
  columns: readonly (F | null)[],
): Partial<Record<F, string>> => {
  const given: Partial<Record<F, string>> = {};
  columns.forEach((field, at) => {
    const cell = cells[at];
    if (field !== null && cell !== undefined && cell.trim() !== '') given[field] ??= cell;
  });
  return given;
};

export type StepRow<F extends string = ImportField> = Partial<Record<F, string>> & { row: number };

/** Rows in steps of at most so many rows and bytes of JSON, each within what a request takes; those up to `afterRow` were taken before. */
export async function* rowSteps<F extends string>(
  rows: AsyncIterable<FileRow>,
  columns: readonly (F | null)[],
  { afterRow, maxRows, maxBytes }: { afterRow: number; maxRows: number; maxBytes: number },
): AsyncGenerator<StepRow<F>[]> {
  let step: StepRow<F>[] = [];
  let bytes = 0;
  for await (const { row, cells } of rows) {
    if (row <= afterRow) continue;
    const next: StepRow<F> = { row, ...readCells(cells, columns) };
    const size = new TextEncoder().encode(JSON.stringify(next)).byteLength + 1;
    if (size > maxRowBytes) {
      // What comes before it is taken.
      if (step.length > 0) yield step;
      throw new RowTooLarge(row);
    }
    if (step.length === maxRows || (step.length > 0 && bytes + size > maxBytes)) {
      yield step;
      step = [];
      bytes = 0;
    }
    step.push(next);
    bytes += size;
  }
  yield step;
}

/** The fields that the columns of a file may hold, and how they are recognized. */
export interface FileFields<F extends string> {
  fields: readonly F[];
  recognize: Recognizer<F>;
}

export const patientFile: FileFields<ImportField> = { fields: importFields, recognize: recognizeColumns };

/** Columns of a file as somebody corrects them: `Kolom=field`, and `Kolom=` for one that is left out. */
export const correctColumns = <F extends string>(
  { fields, recognize }: FileFields<F>,
  header: readonly string[],
  corrections: readonly string[],
): (F | null)[] => {
  const columns = recognize(header);
  for (const correction of corrections) {
    const [, name = '', field = ''] = /^(.*)=([a-z_]*)$/.exec(correction) ?? [];
    const at = header.findIndex((one) => one.toLowerCase() === name.trim().toLowerCase());
    if (at < 0) throw new Error(`No column is named "${name}": the file has ${header.join(', ')}.`);
    const named = fields.find((one) => one === field) ?? null;
    if (named === null && field !== '')
      throw new Error(`A column may be ${fields.join(', ')}, or nothing; not "${field}".`);
    for (const [other, own] of columns.entries()) if (named !== null && own === named) columns[other] = null;
    columns[at] = named;
  }
  return columns;
};
