import { applyD1Migrations, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import type { Db } from '../../src/core/db/db.ts';

export const runtime: 'node' | 'workers' = 'workers';

interface Made {
  kind: string;
  name: string;
  sql: string | null;
}

const schemaOf = () => env.DB.prepare('select type as kind, name, sql from sqlite_master order by name');
const textOf = (made: readonly Made[]): string => JSON.stringify(made);

let emptying: { statements: D1PreparedStatement[]; schema: string } | null = null;

/** A database that nobody has touched, by its migrations. */
const migrate = async (): Promise<void> => {
  // A database that rested for ten seconds is not among those that are reset.
  await env.DB.prepare('select 1').all();
  await reset();
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  const { results } = await schemaOf().all<Made>();
  const tables = results.filter(
    ({ kind, name }) => kind === 'table' && !/^(_cf|sqlite)_|^d1_migrations$/.test(name),
  );
  emptying = {
    statements: [
      'pragma defer_foreign_keys = on',
      ...tables.map(({ name }) => `delete from "${name}"`),
      "delete from sqlite_sequence where name <> 'd1_migrations'",
    ].map((sql) => env.DB.prepare(sql)),
    schema: textOf(results),
  };
};

/** Whether every row is gone and the tables are as the migrations made them: a tenth of the time that these take. */
const isEmptied = async (): Promise<boolean> => {
  if (emptying === null) return false;
  // A test may have broken the tables.
  const answers = await env.DB.batch<Made>([...emptying.statements, schemaOf()]).catch(() => []);
  return textOf(answers.at(-1)?.results ?? []) === emptying.schema;
};

/** An empty, migrated database: D1 keeps one a worker, so it is emptied for each test. */
export const freshDatabase = async (): Promise<Db> => {
  if (!(await isEmptied())) await migrate();
  return drizzle(env.DB);
};

/** An empty database for the archive of one test. */
export const freshArchive = async (): Promise<Db> => {
  const drops = ['bookings', 'booking_events', 'archive'].map((name) => `drop table if exists ${name}`);
  await env.ARCHIVE_DB.batch(drops.map((sql) => env.ARCHIVE_DB.prepare(sql)));
  return drizzle(env.ARCHIVE_DB);
};

/** The first migration, which is released and never changes. */
export const foundation = (): string[] => env.MIGRATIONS[0]?.queries ?? [];

/** A database as the release that ended with this migration made it, filled by these statements, and then migrated by this version. */
export const standingDatabase = async (fill: readonly string[], release = '0000_foundation'): Promise<Db> => {
  await env.DB.prepare('select 1').all();
  await reset();
  await applyD1Migrations(
    env.DB,
    env.MIGRATIONS.filter(({ name }) => name <= `${release}.sql`),
  );
  const statements = ['pragma defer_foreign_keys = on', ...fill];
  await env.DB.batch(statements.map((sql) => env.DB.prepare(sql)));
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  return drizzle(env.DB);
};

/** D1 is the runtime's own, and is emptied for each test. */
export const closeDatabases = async (): Promise<void> => {};

/** The steps of a statement's query plan. */
export const explainQuery = async (_db: Db, sql: string, params: unknown[]): Promise<string[]> => {
  const { results } = await env.DB.prepare(`explain query plan ${sql}`)
    .bind(...params)
    .all<{ detail: string }>();
  return results.map(({ detail }) => detail);
};
