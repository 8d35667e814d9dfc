import { sql } from 'drizzle-orm';
import { sqliteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../core/db/db.ts';
import { type Named, statement } from '../../core/db/statement.ts';
import { clinic, doctors } from '../../core/tables/catalog.ts';

export const findAhead = statement((db, _named: Named<never>) =>
  db.select({ aheadMs: clinic.clockAheadMs }).from(clinic),
);

/** Never less than before: the clock of a sandbox goes forward alone. */
export const putAhead = statement((db, named: Named<'aheadMs'>) =>
  db
    .update(clinic)
    .set({ clockAheadMs: sql`${named('aheadMs')}` })
    .where(sql`${clinic.id} = 1 and ${clinic.clockAheadMs} <= ${named('aheadMs')}`)
    .returning({ aheadMs: clinic.clockAheadMs }),
);

/** What is not emptied: what migrations and the database itself keep, and the keys that may go on. */
const kept = /^(sqlite_|_cf_|libsql_|__drizzle_|d1_)|^api_keys$/;

interface Refers {
  name: string;
  /** A table that it refers to; null if it refers to none. */
  parent: string | null;
}

const findTables = (db: Db): Promise<Refers[]> =>
  db
    .select({
      name: sql<string>`m.name`.as('name'),
      parent: sql<string | null>`f."table"`.as('parent'),
    })
    .from(sql`sqlite_master m left join pragma_foreign_key_list(m.name) f on true`)
    .where(sql`m.type = 'table'`);

/** The tables to empty, in an order in which no row is left that refers to a deleted one. */
const childrenFirst = (refers: readonly Refers[]): string[] => {
  const ordered: string[] = [];
  let left = refers.filter(({ name }) => !kept.test(name));
  while (left.length > 0) {
    const parents = new Set(left.filter(({ name, parent }) => parent !== name).map(({ parent }) => parent));
    const next = left.filter(({ name }) => !parents.has(name));
    if (next.length === 0) throw new Error('Tables refer to each other.');
    ordered.push(...new Set(next.map(({ name }) => name)));
    left = left.filter(({ name }) => parents.has(name));
  }
  return ordered;
};

/** Deletes every row but those of keys, in one step. */
export const emptyTables = async (db: Db): Promise<void> => {
  const [first, ...others] = childrenFirst(await findTables(db)).map((name) =>
    db.delete(sqliteTable(name, {})),
  );
  if (first !== undefined) await db.batch([first, ...others]);
};

/** Gives all calendars a version. */
export const putCalendarVersion = (db: Db, calendarVersion: number) =>
  db.batch([db.update(clinic).set({ calendarVersion }), db.update(doctors).set({ calendarVersion })]);
