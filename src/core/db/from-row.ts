import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from './db.ts';
import { columnsInOrder } from './insert-select.ts';

/** The one-row table `r` of a `rowStatement`, for the `from` of a select or an update. */
export const fromRow = (row: SQL): SQL => sql`(with ${row} select * from r) r`;

/** Inserts `values` for each row that `source` selects: `from r …`, with joins and guards on `r` as needed. */
export const insertFromRow = <T extends SQLiteTable>(
  db: Db,
  table: T,
  row: SQL,
  values: Parameters<typeof columnsInOrder<T>>[1],
  source: SQL,
) => db.insert(table).select(sql`with ${row} select ${columnsInOrder(table, values)} ${source}`);
