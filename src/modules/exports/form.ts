// Pure: how the rows of an export are written.

import { csvLine, indonesianCsv, plainCsv } from '../../core/http/csv.ts';

export const exportFormats = ['ndjson', 'csv', 'excel'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** A row of an export: plain values, and texts by name or lists, which a table has as JSON. */
export type FlatRow = Readonly<
  Record<string, string | number | boolean | null | Readonly<Record<string, string>> | readonly object[]>
>;

export const ndjsonType = 'application/x-ndjson';
export const csvType = 'text/csv';

export const contentTypes: Readonly<Record<ExportFormat, string>> = {
  ndjson: `${ndjsonType}; charset=utf-8`,
  csv: `${csvType}; charset=utf-8; header=present`,
  excel: `${csvType}; charset=utf-8; header=present`,
};

/** How a file of this format ends. */
export const fileEnds: Readonly<Record<ExportFormat, string>> = {
  ndjson: 'ndjson',
  csv: 'csv',
  excel: 'csv',
};

/** Excel takes a table for UTF-8 by this mark. */
const byteOrderMark = '\ufeff';

interface Writing {
  /** The text before the first row. */
  head: (columns: readonly string[]) => string;
  row: (columns: readonly string[], row: FlatRow) => string;
}

const cells = (columns: readonly string[], row: FlatRow) =>
  columns.map((name) => {
    const value = row[name] ?? null;
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  });

export const writings: Readonly<Record<ExportFormat, Writing>> = {
  ndjson: { head: () => '', row: (_columns, row) => `${JSON.stringify(row)}\n` },
  csv: {
    head: (columns) => `${columns.join(plainCsv.separator)}\r\n`,
    row: (columns, row) => csvLine(cells(columns, row), plainCsv),
  },
  excel: {
    head: (columns) => `${byteOrderMark}${columns.join(indonesianCsv.separator)}\r\n`,
    row: (columns, row) => csvLine(cells(columns, row), indonesianCsv),
  },
};
