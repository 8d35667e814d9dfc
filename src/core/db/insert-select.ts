import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';

/**
 * The select list of an `insert … select`: one expression for each column. Drizzle names all columns in the
 * table's order and checks nothing, so the order is taken from the table here.
 */
export const columnsInOrder = <T extends SQLiteTable>(
  table: T,
  values: Record<keyof T['$inferInsert'] & string, SQL>,
): SQL =>
  sql.join(
    Object.keys(getTableColumns(table)).map((name) => values[name as keyof typeof values]),
    sql`, `,
  );
