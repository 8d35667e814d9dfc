import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import Database from 'libsql';
import type { Db } from '../../src/core/db/db.ts';
import { connectDatabase, openDatabase } from '../../src/runtime/node/database/database.ts';
import { knownMigrations, migrationsFolder } from '../../src/runtime/node/database/migrations.ts';

export const runtime: 'node' | 'workers' = 'node';

let folder: string | null = null;
let migrated: Promise<Buffer> | undefined;
const opened: (() => Promise<void>)[] = [];
const paths = new WeakMap<Db, string>();

/** Closes and removes what a file of tests has opened. */
export const closeDatabases = async (): Promise<void> => {
  await Promise.all(opened.splice(0).map((close) => close()));
  if (folder !== null) rmSync(folder, { recursive: true, force: true });
  folder = null;
};

/** The file of a migrated database, as bytes: they leave nothing to be cleared away. */
const migrate = async (): Promise<Buffer> => {
  const own = mkdtempSync(join(tmpdir(), 'janji-test-'));
  const path = join(own, 'migrated.db');
  const { emptyLog, close } = await openDatabase(`file:${path}`);
  await emptyLog?.('now');
  await close();
  const bytes = readFileSync(path);
  rmSync(own, { recursive: true });
  return bytes;
};

/** An empty database of its own for one test: a copy of one that is migrated once a process. */
export const freshDatabase = async (): Promise<Db> => {
  folder ??= mkdtempSync(join(tmpdir(), 'janji-test-'));
  const path = join(folder, `${opened.length}.db`);
  migrated ??= migrate();
  writeFileSync(path, await migrated);
  const { db, close } = await openDatabase(`file:${path}`);
  opened.push(close);
  paths.set(db, path);
  return db;
};

/** An empty database for the archive of one test. */
export const freshArchive = async (): Promise<Db> => {
  folder ??= mkdtempSync(join(tmpdir(), 'janji-test-'));
  const path = join(folder, `${opened.length}-archive.db`);
  const { db, close } = await connectDatabase(`file:${path}`);
  opened.push(close);
  paths.set(db, path);
  return db;
};

/** The first migration, which is released and never changes. */
export const foundation = (): string[] => readMigrationFiles({ migrationsFolder })[0]?.sql ?? [];

/** A database as the release that ended with this migration made it, filled by these statements, and then migrated by this version. */
export const standingDatabase = async (fill: readonly string[], release = '0000_foundation'): Promise<Db> => {
  folder ??= mkdtempSync(join(tmpdir(), 'janji-test-'));
  const path = join(folder, `standing-${opened.length}.db`);
  const connection = new Database(path);
  const last = knownMigrations().findIndex(({ name }) => name === release);
  const applied = readMigrationFiles({ migrationsFolder }).slice(0, last + 1);
  connection.exec('PRAGMA foreign_keys = OFF');
  for (const text of [...applied.flatMap((migration) => migration.sql), ...fill]) connection.exec(text);
  connection.exec(
    'create table __drizzle_migrations (id integer primary key, hash text not null, created_at numeric)',
  );
  for (const { hash, folderMillis } of applied)
    connection
      .prepare('insert into __drizzle_migrations (hash, created_at) values (?, ?)')
      .run(hash, folderMillis);
  connection.close();
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
