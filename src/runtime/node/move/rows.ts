import type { Client, InStatement, Value } from '@libsql/client';
import { literal } from '../d1/sql-text.ts';

/** How many rows one step reads or writes. */
const rowsAtOnce = 500;

export interface Page {
  table: string;
  columns: readonly string[];
  rows: Value[][];
}

/** One value unchanged, several as a row value. */
const asOne = (parts: readonly string[]): string =>
  parts.length === 1 ? parts.join() : `(${parts.join(', ')})`;

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** The columns by which a table is ordered: its row id, or the key of one that has none. */
const readKey = async (client: Client, table: string): Promise<string[]> => {
  const { rows } = await client.execute({
    sql: `select c.name as name from sqlite_master m, pragma_table_info(m.name) c where m.name = ? and m.type = 'table'
      and m.sql like '%without rowid' and c.pk > 0 order by c.pk`,
    args: [table],
  });
  return rows.length === 0 ? ['rowid'] : rows.map(({ name }) => String(name));
};

/** The rows of a table, in the table's own order. */
export async function* readPages(
  client: Client,
  table: string,
  columns: readonly string[],
): AsyncGenerator<Page> {
  const key = await readKey(client, table);
  const places = key.map((name, at) => `${name} as place_${at}`).join(', ');
  const sql = `select ${places}, ${quoted(columns)} from "${table}" where ${asOne(key)} > ${asOne(key.map(() => '?'))}
    order by ${key.join(', ')} limit ${rowsAtOnce}`;
  // A text is more than any number.
  for (let after: Value[] = key.map(() => -1); ; ) {
    const { rows } = await client.execute({ sql, args: after });
    if (rows.length === 0) return;
    yield { table, columns, rows: rows.map((row) => columns.map((_, at) => row[key.length + at] ?? null)) };
    after = key.map((_, at) => rows.at(-1)?.[at] ?? null);
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
