import { literal } from '../../../src/runtime/node/d1/sql-text.ts';

/** An insert as text, for a file that wrangler executes. */
export const insertText = (table: string, row: Readonly<Record<string, string | number | null>>): string =>
  `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.values(row).map(literal).join(', ')});`;
