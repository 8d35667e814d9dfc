import { desc, isNull, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { sqliteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../core/db/db.ts';
import { type Named, statement } from '../../core/db/statement.ts';
import { clinic, doctors } from '../../core/tables/catalog.ts';
import { apiKeys } from '../../core/tables/keys.ts';

export const findAhead = statement((db, _named: Named<never>) =>
  db.select({ aheadMs: clinic.clockAheadMs }).from(clinic),
);

/** The clinic of the sandbox, if it was filled with the demo. */
export const findDemo = statement((db, _named: Named<never>) =>
  db
    .select({ clinicId: clinic.clinicId, timeZone: clinic.timeZone, demoSince: clinic.demoSince })
    .from(clinic),
);

/** Never less than before: the clock of a sandbox goes forward alone. */
export const putAhead = statement((db, named: Named<'aheadMs'>) =>
  db
    .update(clinic)
    .set({ clockAheadMs: sql`${named('aheadMs')}` })
    .where(sql`${clinic.id} = 1 and ${clinic.clockAheadMs} <= ${named('aheadMs')}`)
    .returning({ aheadMs: clinic.clockAheadMs }),
);

/** The keys that were not revoked, the newest first. */
export const findGoodKeys = statement((db, _named: Named<never>) =>
  db
    .select()
    .from(apiKeys)
    .where(isNull(apiKeys.revokedAt))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id)),
);

/** What is not emptied: what migrations and the database itself keep, and the keys that may go on. */
const kept = /^(sqlite_|_cf_|libsql_|__drizzle_|d1_)|^api_keys$/;

interface Table {
  name: string;
  /** How it was made. */
  sql: string;
}

const findTables = (db: Db): Promise<Table[]> =>
  db
    .select({ name: sql<string>`m.name`.as('name'), sql: sql<string>`m.sql`.as('sql') })
    .from(sql`sqlite_master m`)
    .where(sql`m.type = 'table'`);

/** The other tables to which its rows refer. */
const parentsOf = ({ name, sql: text }: Table): string[] =>
  [...text.matchAll(/\breferences\s+[`"]?(\w+)/gi)]
    .map(([, parent = '']) => parent)
    .filter((one) => one !== name);

/** The tables to empty, in an order in which no row is left that refers to a deleted one. */
const childrenFirst = (tables: readonly Table[]): string[] => {
  const ordered: string[] = [];
  let left = tables.filter(({ name }) => !kept.test(name));
  while (left.length > 0) {
    const parents = new Set(left.flatMap(parentsOf));
    const next = left.filter(({ name }) => !parents.has(name));
    if (next.length === 0) throw new Error('Tables refer to each other.');
    ordered.push(...next.map(({ name }) => name));
    left = left.filter(({ name }) => parents.has(name));
  }
  return ordered;
};

/** Deletes every row but those of keys and does what follows, in one step. */
export const emptyTables = async (db: Db, then: readonly BatchItem<'sqlite'>[]): Promise<void> => {
  const [first, ...others] = childrenFirst(await findTables(db)).map((name) =>
    db.delete(sqliteTable(name, {})),
  );
  if (first !== undefined) await db.batch([first, ...others, ...then]);
};

/** The highest version of a calendar. */
export const findCalendarVersion = statement((db, _named: Named<never>) =>
  db
    .select({
      version:
        sql<number>`max(${clinic.calendarVersion}, coalesce((select max(${doctors.calendarVersion}) from ${doctors}), 0))`.as(
          'version',
        ),
    })
    .from(clinic),
);

/** Gives all calendars a version. */
export const putCalendarVersion = (db: Db, calendarVersion: number) =>
  db.batch([db.update(clinic).set({ calendarVersion }), db.update(doctors).set({ calendarVersion })]);
