import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SQL, sql } from 'drizzle-orm';
import { packageFolder } from '../package-folder.ts';

export const migrationsFolder = join(packageFolder, 'drizzle');

/** The part of drizzle's libSQL database that is used here. */
interface QueryableDatabase {
  values<T extends unknown[]>(query: SQL): PromiseLike<T[]>;
}

export interface Migration {
  name: string;
  madeAt: number;
}

/** The migrations of this version, the oldest first. */
export const knownMigrations = (): Migration[] => {
  const journal = readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8');
  const { entries } = JSON.parse(journal) as { entries: { tag: string; when: number }[] };
  return entries.map(({ tag, when }) => ({ name: tag, madeAt: when }));
};

export interface MigrationState {
  missing: Migration[];
  /** How many applied migrations this version does not know. */
  newer: number;
  /** Whether its tables were created by anything other than these migrations. */
  foreign: boolean;
}

/** Compares the migrations of a libSQL database with those of this version. */
export const migrationState = async (db: QueryableDatabase): Promise<MigrationState> => {
  // Tables of the database's own, of replication (`_litestream_…`) and of D1 are nobody's.
  const named = sql`select name from sqlite_master where type = 'table' and (name = '__drizzle_migrations'
    or name not glob '_*' and name not glob 'sqlite_*' and name not glob 'libsql_*' and name not glob 'd1_*')`;
  const known = knownMigrations();
  const tables = (await db.values<[string]>(named)).map((row) => row[0]);
  if (!tables.includes('__drizzle_migrations'))
    return { missing: known, newer: 0, foreign: tables.length > 0 };
  const rows = await db.values<[number]>(sql`select created_at from __drizzle_migrations`);
  // Rows from a remote database have indexes, but no iterator.
  const applied = rows.map((row) => Number(row[0]));
  const last = Math.max(0, ...applied);
  const newest = Math.max(...known.map(({ madeAt }) => madeAt));
  const expected = new Set(known.map(({ madeAt }) => madeAt));
  return {
    missing: known.filter(({ madeAt }) => madeAt > last),
    newer: applied.filter((at) => at > newest).length,
    foreign: applied.some((at) => at <= newest && !expected.has(at)),
  };
};
