import { sql } from 'drizzle-orm';
import { ensureClinic } from '../../core/clinic/row.ts';
import type { Db } from '../../core/db/db.ts';
import type { Hasher } from '../../core/deps.ts';
import { clinic, doctors } from '../../core/tables/catalog.ts';
import { seedDemo } from '../demo/demo.ts';

/** What is not emptied: what migrations and the database itself keep, and the keys that may go on. */
const kept = /^(sqlite_|_cf_|libsql_|__drizzle_|d1_)|^api_keys$/;

interface Given {
  clinicId: string;
  timeZone: string;
  hasher: Hasher;
  /** The real time, in milliseconds. */
  now: number;
}

/** Fills an empty sandbox, whose calendars have versions that none of its caches has met. */
export const fillSandbox = async (
  db: Db,
  { hasher, now }: Pick<Given, 'hasher' | 'now'>,
): Promise<boolean> => {
  const isFilled = await seedDemo(db, hasher, now);
  const calendarVersion = Math.floor(now / 1000);
  if (isFilled)
    await db.batch([db.update(clinic).set({ calendarVersion }), db.update(doctors).set({ calendarVersion })]);
  return isFilled;
};

/** Deletes every row but those of keys, in one step, and fills the sandbox again. */
export const resetSandbox = async (db: Db, { clinicId, timeZone, ...given }: Given): Promise<void> => {
  const tables = await db.all<{ name: string }>(sql`select name from sqlite_master where type = 'table'`);
  const names = tables.map(({ name }) => name).filter((name) => !kept.test(name));
  await db.batch([
    db.run(sql`pragma defer_foreign_keys = on`),
    ...names.map((name) => db.run(sql`delete from ${sql.identifier(name)}`)),
  ]);
  await ensureClinic(db, timeZone, clinicId);
  await fillSandbox(db, given);
};
