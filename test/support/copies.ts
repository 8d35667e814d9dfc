import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { World } from './world.ts';

/** Copies the one row `b` of a table `count` times, with the given values replaced: `i` counts from 1. */
export const copyRow = async (
  { db }: World,
  table: SQLiteTable,
  count: number,
  others: Record<string, SQL>,
): Promise<void> => {
  const columns = Object.entries(getTableColumns(table)).map(
    ([key, { name }]) => others[key] ?? sql.raw(`b."${name}"`),
  );
  const rows = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.raw(String(count))})
    select ${sql.join(columns, sql`, `)} from n join ${table} b`;
  await db.insert(table).select(rows);
};

/** An id like that of the row, but for its last twelve digits, which are random there: it never is the row's own. */
export const otherId = (name: string): SQL => sql.raw(`substr(b."${name}", 1, 24) || printf('%012x', i)`);
