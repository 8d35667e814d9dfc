import { applyD1Migrations, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { drizzle } from 'drizzle-orm/d1';
import type { Db } from '../../src/db/db.ts';

export const runtime: 'node' | 'workers' = 'workers';

/** An empty, migrated database: D1 keeps one a file, so it is emptied for each test. */
export const freshDatabase = async (): Promise<Db> => {
  await reset();
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
