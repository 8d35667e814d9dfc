import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll } from 'vitest';
import type { Db } from '../../src/db/db.ts';
import { openDatabase } from '../../src/node/database.ts';

export const runtime: 'node' | 'workers' = 'node';

const folder = mkdtempSync(join(tmpdir(), 'janji-test-'));
const opened: (() => Promise<void>)[] = [];
const paths = new WeakMap<Db, string>();

afterAll(async () => {
  await Promise.all(opened.map((close) => close()));
  rmSync(folder, { recursive: true, force: true });
});

/** An empty, migrated database of its own for one test. */
export const freshDatabase = async (): Promise<Db> => {
  const path = join(folder, `${opened.length}.db`);
  const { db, close } = await openDatabase(`file:${path}`);
  opened.push(close);
  paths.set(db, path);
  return db;
};

/** The steps of a statement's query plan, from a connection of its own: the driver never ends an EXPLAIN. */
export const explainQuery = async (db: Db, sql: string, params: unknown[]): Promise<string[]> => {
  const connection = new Database(paths.get(db) ?? '', { readonly: true });
  try {
    const rows = connection.prepare(`explain query plan ${sql}`).all(...params) as { detail: string }[];
    return rows.map(({ detail }) => detail);
  } finally {
    connection.close();
  }
};
