// RFC 4180, only for writing our own tables: two lines of rules; a library would add a parser and streams.

/**
 * A spreadsheet would take a text that begins so for a formula, and names are given by people (OWASP, CSV injection).
 * One that begins with the mark itself gets another, so that each is read back as it was.
 */
const formula = /^'*(?:\s*[=+\-@]|[\t\r\n])/;

/** A cell of a table that was written here or elsewhere, without the mark that keeps it from being a formula. */
export const withoutMark = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;

/** How a table is written: plainly, or as spreadsheets of Indonesia read it. */
interface CsvForm {
  separator: ',' | ';';
  decimal: '.' | ',';
  /** Whether digits that a spreadsheet would take for a number, and cut, are marked as text by a tab before them. */
  marksDigits: boolean;
}

export const plainCsv: CsvForm = { separator: ',', decimal: '.', marksDigits: false };

/** Opens in Excel in locales with a decimal comma: leading zeros of a number and all of its digits stay. */
export const indonesianCsv: CsvForm = { separator: ';', decimal: ',', marksDigits: true };

type Cell = string | number | boolean | null;

const minCutDigits = 12;
const isCut = (text: string): boolean =>
  /^\d+$/.test(text) && (text.length >= minCutDigits || (text.length > 1 && text.startsWith('0')));

const formatCell = (value: Cell, { decimal, marksDigits }: CsvForm): string => {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value).replace('.', decimal);
  const mark = formula.test(value) ? "'" : marksDigits && isCut(value) ? '\t' : '';
  return `"${mark}${value.replaceAll('"', '""')}"`;
};

/** One line of a table; every text is quoted, and none can be read as a formula. */
export const csvLine = (cells: readonly Cell[], form: CsvForm = plainCsv): string =>
  `${cells.map((cell) => formatCell(cell, form)).join(form.separator)}\r\n`;

/** A table with its first line of names. */
export const formatCsv = (
  names: readonly string[],
  rows: readonly Readonly<Record<string, Cell>>[],
): string =>
  [`${names.join(',')}\r\n`, ...rows.map((row) => csvLine(names.map((name) => row[name] ?? null)))].join('');
