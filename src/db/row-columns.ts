import { type Column, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';

type ColumnsOf<T extends SQLiteTable> = T['_']['columns'];
type Key<T extends SQLiteTable> = keyof ColumnsOf<T> & keyof T['$inferSelect'] & string;

/**
 * Columns that statements write together: the names of their values in the row `r`, what is set from that row, and
 * the values of a record.
 */
export const columnGroup = <T extends SQLiteTable, const K extends Key<T>>(table: T, names: readonly K[]) => {
  const columns: ColumnsOf<T> = getTableColumns(table);
  return {
    names,
    fromRow: Object.fromEntries(names.map((name) => [name, sql.raw(`r.${columns[name]?.name}`)])) as Record<
      K,
      SQL
    >,
    valuesOf: (record: Pick<T['$inferSelect'], K>) =>
      Object.fromEntries(names.map((name) => [name, record[name]])) as Pick<T['$inferSelect'], K>,
  };
};

/**
 * A JSON object of columns by the names that it shall have, made by the database: byte for byte what JSON.stringify
 * makes of text, whole numbers and null. It never holds a line break, which JSON writes as `\n`.
 */
export const jsonObject = (columns: Readonly<Record<string, Column>>): SQL<string> => {
  const parts = Object.entries(columns).flatMap(([name, column]) => [
    sql.raw(`'${name.replaceAll("'", "''")}'`),
    sql`${column}`,
  ]);
  return sql<string>`json_object(${sql.join(parts, sql`, `)})`;
};
