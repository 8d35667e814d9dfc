import { readMigrationFiles } from 'drizzle-orm/migrator';
import type Database from 'libsql';
import { SettingError } from '../../../core/settings/parse-settings.ts';
import { knownMigrations, type MigrationState, migrationsFolder } from './migrations.ts';

/** How the migrations of a database compare with those of this version. */
type SchemaVersion = 'current' | 'older' | 'newer' | 'foreign';

/** Compares two histories: one is the beginning of the other, or they are unrelated. */
export const compareHistories = (applied: readonly string[], known: readonly string[]): SchemaVersion => {
  if (applied.length === 0) return 'foreign';
  if (applied.some((each, index) => index < known.length && each !== known[index])) return 'foreign';
  if (applied.length === known.length) return 'current';
  return applied.length < known.length ? 'older' : 'newer';
};

/** Explains to people a schema version that is not the current one. */
export const schemaProblem: Readonly<Record<Exclude<SchemaVersion, 'current'>, string>> = {
  older:
    'it was made by an older version: start that database with this version once, so that it is migrated',
  newer: 'it was made by a newer version of the service: use that version',
  foreign: "its tables are not this service's, or of a version that has nothing in common with this one",
};

/** Throws if the database has a schema that this version cannot serve. */
export const assertServable = ({ newer, foreign }: Pick<MigrationState, 'newer' | 'foreign'>): void => {
  const version = foreign ? 'foreign' : newer > 0 ? 'newer' : null;
  if (version !== null) throw new SettingError(`DATABASE_URL cannot be used: ${schemaProblem[version]}.`);
};

const knownHashes = (): string[] => readMigrationFiles({ migrationsFolder }).map(({ hash }) => hash);

/** The migrations by file name, as D1 stores them. */
export const migrationNames = (): string[] => knownMigrations().map(({ name }) => `${name}.sql`);

/** The schema version of an open database file. */
export const readSchemaVersion = (database: Database.Database): SchemaVersion => {
  const [table] = database.prepare("select 1 from sqlite_master where name = '__drizzle_migrations'").all();
  if (table === undefined) return 'foreign';
  const rows = database.prepare('select hash from __drizzle_migrations order by created_at, id').raw().all();
  return compareHistories(
    (rows as [string][]).map(([hash]) => hash),
    knownHashes(),
  );
};
