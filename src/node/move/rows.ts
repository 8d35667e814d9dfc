import type { Client, InStatement, Value } from '@libsql/client';
import { literal } from '../d1/sql-text.ts';

/** How many rows one step reads or writes. */
const rowsAtOnce = 500;

export interface Page {
  table: string;
  columns: readonly string[];
  rows: Value[][];
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** The rows of a table, in the table's own order. */
export async function* pagesOf(
  client: Client,
  table: string,
  columns: readonly string[],
): AsyncGenerator<Page> {
  const sql = `select rowid as place, ${quoted(columns)} from "${table}" where rowid > ?
    order by rowid limit ${rowsAtOnce}`;
  for (let after = -1; ; ) {
    const { rows } = await client.execute({ sql, args: [after] });
    if (rows.length === 0) return;
    yield { table, columns, rows: rows.map((row) => columns.map((_, at) => row[at + 1] ?? null)) };
    after = Number(rows.at(-1)?.[0]);
  }
}

type Verb = 'insert' | 'insert or replace';

/** The rows of a page as statements for a client's batch. */
export const pageAsStatements = ({ table, columns, rows }: Page, verb: Verb = 'insert'): InStatement[] => {
  const sql = `${verb} into "${table}" (${quoted(columns)}) values (${columns.map(() => '?').join(', ')})`;
  return rows.map((args) => ({ sql, args }));
};

/** The rows of a page as SQL text, one statement per row. */
export const pageAsSql = ({ table, columns, rows }: Page, verb: Verb = 'insert'): string[] =>
  rows.map((row) => `${verb} into "${table}" (${quoted(columns)}) values (${row.map(literal).join(', ')});`);
