import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/libsql';
import { migrate } from 'drizzle-orm/libsql/migrator';
import type { Db } from '../db/db.ts';
import { type EmbeddedStats, openEmbedded } from '../db/embedded.ts';
import { openRemote } from '../db/remote.ts';

const migrationsFolder = fileURLToPath(new URL('../../drizzle', import.meta.url));

export interface OpenDatabase {
  db: Db;
  /** Where an embedded database lies; null for a remote one. */
  path: string | null;
  /** What the embedded database counts; null for a remote one. */
  stats: (() => EmbeddedStats) | null;
  close: () => Promise<void>;
}

const openFile = (path: string): { client: ReturnType<typeof openEmbedded>; path: string } => {
  const absolute = resolve(path);
  mkdirSync(dirname(absolute), { recursive: true });
  return { client: openEmbedded({ path: absolute }), path: absolute };
};

/** Opens a `file:` or `libsql://` database and applies the migrations it lacks. */
export const openDatabase = async (url: string, authToken?: string): Promise<OpenDatabase> => {
  if (!url.startsWith('file:')) {
    const client = openRemote(url, authToken);
    const db = drizzle(client);
    await migrate(db, { migrationsFolder });
    return { db, path: null, stats: null, close: async () => client.close() };
  }
  const { client, path } = openFile(url.slice('file:'.length));
  const db = drizzle(client);
  await migrate(db, { migrationsFolder });
  const close = async () => {
    await client.drain();
    client.close();
  };
  return { db, path, stats: client.stats, close };
};
