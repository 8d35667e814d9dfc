import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';

type ColumnsOf<T extends SQLiteTable> = T['_']['columns'];
type Key<T extends SQLiteTable> = keyof ColumnsOf<T> & string;
type NameOf<T extends SQLiteTable, K extends Key<T>> = ColumnsOf<T>[K]['_']['name'];

/**
 * A part of a table's columns that statements write together, in three forms: the names of their values in the row
 * `r`, what is set from that row, and the values of a record.
 */
export const columnGroup = <T extends SQLiteTable, const K extends Key<T>>(table: T, keys: readonly K[]) => {
  const columns = getTableColumns(table);
  const names = keys.map((key) => (columns[key] as { name: NameOf<T, K> }).name);
  return {
    names,
    fromRow: Object.fromEntries(keys.map((key, at) => [key, sql.raw(`r.${names[at]}`)])) as Record<K, SQL>,
    valuesOf: (record: Pick<T['$inferSelect'], K>) =>
      Object.fromEntries(keys.map((key, at) => [names[at], record[key]])) as {
        [N in K as NameOf<T, N>]: T['$inferSelect'][N];
      },
  };
};

/** Constants as SQL: the program's own, never somebody's input. */
export const literals = <T extends Readonly<Record<string, string | number | null>>>(constants: T) =>
  Object.fromEntries(
    Object.entries(constants).map(([key, value]) => [
      key,
      sql.raw(typeof value === 'string' ? `'${value}'` : String(value)),
    ]),
  ) as Record<keyof T, SQL>;
