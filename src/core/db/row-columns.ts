import { type Column, getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from './db.ts';

type ColumnsOf<T extends SQLiteTable> = T['_']['columns'];
type Key<T extends SQLiteTable> = keyof ColumnsOf<T> & keyof T['$inferSelect'] & string;

/**
 * Columns that statements write together: the names of their values in the row `r`, the assignments from that row, and
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
 * A JSON object that the database builds from columns or expressions, by name: byte for byte the same as JSON.stringify
 * for text, integers and null. It never contains a line break, which JSON writes as `\n`.
 */
export const jsonObject = (columns: Readonly<Record<string, SQLWrapper>>): SQL<string> => {
  const parts = Object.entries(columns).flatMap(([name, column]) => [
    sql.raw(`'${name.replaceAll("'", "''")}'`),
    sql`${column}`,
  ]);
  return sql<string>`json_object(${sql.join(parts, sql`, `)})`;
};

/** True or false in JSON, of a column that is 1 or 0. */
export const jsonBoolean = (column: Column): SQL =>
  sql`json(case ${column} when 1 then 'true' else 'false' end)`;

/** An instant as the interface writes it; null of none. The milliseconds are exact: SQLite counts time in whole ones. */
export const isoText = (instant: SQLWrapper): SQL =>
  sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${instant} / 1000.0, 'unixepoch')`;

/** A statement whose rows are texts of one line. */
type Texts = SQLWrapper & { _: { selectedFields: { text: SQL.Aliased<string> } } };

/**
 * The rows of a page as lines of one row, null of none: fifty rows cost more to hand over than to read, by the driver of an
 * embedded database as by D1.
 */
export const inOneRow = (db: Db, page: Texts) =>
  db
    .select({ text: sql<string | null>`group_concat(text, char(10))`.as('text') })
    .from(sql`${page}`)
    .limit(1);

export const splitLines = (text: string | null | undefined): string[] => text?.split('\n') ?? [];
