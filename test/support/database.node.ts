import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import type { Db } from '../../src/db/db.ts';
import { openDatabase } from '../../src/node/database/database.ts';

export const runtime: 'node' | 'workers' = 'node';

let folder: string | null = null;
const opened: (() => Promise<void>)[] = [];
const paths = new WeakMap<Db, string>();

/** Closes and removes what a file of tests has opened. */
export const closeDatabases = async (): Promise<void> => {
  await Promise.all(opened.splice(0).map((close) => close()));
  if (folder !== null) rmSync(folder, { recursive: true, force: true });
  folder = null;
};

/** An empty, migrated database of its own for one test. */
export const freshDatabase = async (): Promise<Db> => {
  folder ??= mkdtempSync(join(tmpdir(), 'janji-test-'));
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
