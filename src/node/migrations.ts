import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type SQL, sql } from 'drizzle-orm';

export const migrationsFolder = fileURLToPath(new URL('../../drizzle', import.meta.url));

/** What a libSQL database of drizzle's can be asked here. */
interface Asked {
  values<T extends unknown[]>(query: SQL): PromiseLike<T[]>;
}

export interface Migration {
  name: string;
  madeAt: number;
}

/** The migrations that this version brings, the oldest first. */
export const knownMigrations = (): Migration[] => {
  const journal = readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8');
  const { entries } = JSON.parse(journal) as { entries: { tag: string; when: number }[] };
  return entries.map(({ tag, when }) => ({ name: tag, madeAt: when }));
};

/** Those that a libSQL database has not had yet, and how many it had that this version does not know. */
export const migrationState = async (db: Asked): Promise<{ missing: Migration[]; newer: number }> => {
  const table = sql`select name from sqlite_master where name = '__drizzle_migrations'`;
  const known = knownMigrations();
  if ((await db.values(table)).length === 0) return { missing: known, newer: 0 };
  const rows = await db.values<[number]>(sql`select created_at from __drizzle_migrations`);
  // Rows that came over the network have indexes, and no iterator.
  const applied = rows.map((row) => Number(row[0]));
  const last = Math.max(0, ...applied);
  const newest = Math.max(...known.map(({ madeAt }) => madeAt));
  return {
    missing: known.filter(({ madeAt }) => madeAt > last),
    newer: applied.filter((at) => at > newest).length,
  };
};
