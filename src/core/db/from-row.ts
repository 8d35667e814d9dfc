import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from './db.ts';
import { columnsInOrder } from './insert-select.ts';
import type { Row } from './statement.ts';

type Columns<T extends SQLiteTable> = T['$inferInsert'];
type Column<T extends SQLiteTable> = keyof Columns<T> & string;
/** The columns that have to be given: those that are never null, but for those of the row. */
type Needed<T extends SQLiteTable, K> = {
  [C in Column<T>]: null extends Columns<T>[C] ? never : C extends K ? never : C;
}[Column<T>];
type Given<T extends SQLiteTable, K> = Partial<Record<Column<T>, SQL>> & Record<Needed<T, K>, SQL>;

/** The one-row table `r` of a `rowStatement`, for the `from` of a select or an update. */
export const fromRow = (row: SQL): SQL => sql`(with ${row} select * from r) r`;

/**
 * Inserts `values` for each row that `source` selects: `from r …`, with joins and guards on `r` as needed. A column that
 * is left out is the one of this name in `r`, or null.
 */
export const insertFromRow = <T extends SQLiteTable, K extends string = never>(
  db: Db,
  table: T,
  row: Row<K> | SQL,
  source: SQL,
  values: Given<T, K>,
) => {
  const given: Readonly<Record<string, SQL>> = { ...('columns' in row && row.columns), ...values };
  const columns = Object.keys(getTableColumns(table)).map((name) => [name, given[name] ?? sql`null`]);
  const select = columnsInOrder(table, Object.fromEntries(columns));
  return db.insert(table).select(sql`with ${row} select ${select} ${source}`);
};
