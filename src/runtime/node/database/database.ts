import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import { migrate } from 'drizzle-orm/libsql/migrator';
import { drizzle } from 'drizzle-orm/libsql/sqlite3';
import type { Db } from '../../../core/db/db.ts';
import {
  DatabaseUnavailableError,
  type EmbeddedClient,
  type EmbeddedOptions,
  type EmbeddedStats,
  openEmbedded,
} from '../../../core/db/embedded/client.ts';
import { isForeignKeyViolation } from '../../../core/db/foreign-key-check.ts';
import { SettingError } from '../../../core/settings/parse-settings.ts';
import { makeForOwner } from '../owner.ts';
import { PassingError } from '../passing-error.ts';
import type { NodeSettings } from '../settings.ts';
import { assertThere, companions } from './database-file.ts';
import { assertNotPlain, wrongKey } from './file-key.ts';
import { type Migration, migrationState, migrationsFolder } from './migrations.ts';
import { assertServable } from './schema-version.ts';

export interface OpenDatabase {
  db: Db;
  /** The path of an embedded database; null for a remote one. */
  path: string | null;
  /** The counters of an embedded database; null for a remote one. */
  stats: (() => EmbeddedStats) | null;
  /** How long the operation that waits longest for an embedded database has waited, in milliseconds. */
  waitedMs?: () => number;
  /** Throws `Unavailable` if the database cannot be used although reads may still be answered. */
  assertUsable: () => Promise<void>;
  /** Empties the log of an embedded database. */
  emptyLog?: (when: 'now' | 'if left') => Promise<void>;
  /** Another text after each change of an embedded database, by this process or another. */
  changeMark?: () => Promise<string>;
  close: () => Promise<void>;
}

const mayWrite = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

/** The paths that this process may not write: the file, its folder, or SQLite's side files. */
const readOnlyParts = (path: string): string[] =>
  [path, ...companions.map((end) => path + end), dirname(path)].filter(
    (part) => existsSync(part) && !mayWrite(part),
  );

const makeFolder = (path: string): void => {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new PassingError(`DATABASE_URL cannot be used: its folder ${path} cannot be made (${code}).`);
  }
};

type Options = Pick<EmbeddedOptions, 'arrivals' | 'clock' | 'commitsInThread' | 'key'>;

const openFile = (
  path: string,
  options: Options,
): { client: ReturnType<typeof openEmbedded>; path: string } => {
  const absolute = resolve(path);
  makeFolder(dirname(absolute));
  const refusal = () =>
    new PassingError(
      `DATABASE_URL cannot be written: ${readOnlyParts(absolute).join(' and ')} may only be read.`,
    );
  // SQLite opens such a file, and fails only at the first write.
  if (existsSync(absolute) && !mayWrite(absolute)) throw refusal();
  assertNotPlain(absolute, options.key);
  makeForOwner(absolute);
  try {
    return { client: openEmbedded({ path: absolute, ...options }), path: absolute };
  } catch (error) {
    const code = error instanceof DatabaseUnavailableError ? error.code : null;
    if (code === 'corrupt' && options.key !== undefined) throw wrongKey(absolute);
    const isUnavailable = code !== null && code !== 'corrupt';
    throw isUnavailable && readOnlyParts(absolute).length > 0 ? refusal() : error;
  }
};

export interface Connected extends OpenDatabase {
  migrations: () => ReturnType<typeof migrationState>;
  /** Applies the missing migrations and returns their names; refuses the schema of a newer version. */
  migrate: () => Promise<Migration[]>;
}

const violatesForeignKeys =
  'DATABASE_URL cannot be migrated: rows would refer to rows that are not there (foreign_key_check). Nothing was changed; `janji verify FILE` with a copy of the database names them.';

/** How a libSQL database is migrated. */
export const migrating = (db: LibSQLDatabase): Pick<Connected, 'migrations' | 'migrate'> => ({
  migrations: () => migrationState(db),
  migrate: async () => {
    const state = await migrationState(db);
    assertServable(state);
    if (state.missing.length === 0) return [];
    try {
      await migrate(db, { migrationsFolder });
    } catch (error) {
      throw isForeignKeyViolation(error) ? new SettingError(violatesForeignKeys) : error;
    }
    return state.missing;
  },
});

/** Moves the log into the file and cuts it; where another process reads, `if left` tries again later. */
export const logEmptier = (
  client: Pick<EmbeddedClient, 'execute'>,
): NonNullable<OpenDatabase['emptyLog']> => {
  let isLeft = false;
  return async (when) => {
    if (when === 'if left' && !isLeft) return;
    isLeft = true;
    try {
      const { rows } = await client.execute('PRAGMA wal_checkpoint(TRUNCATE)');
      isLeft = rows[0]?.busy !== 0;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
    }
  };
};

/** SQLite counts the commits of others, and the client its own. */
const createChangeMarkReader = (client: EmbeddedClient) => async (): Promise<string> => {
  const { rows } = await client.execute('select data_version from pragma_data_version');
  return `${rows[0]?.data_version} ${client.stats().commitCount}`;
};

/** Opens a `file:` or `libsql://` database without migrating it. */
export const connectDatabase = async (
  url: string,
  authToken?: string,
  options: Options = {},
): Promise<Connected> => {
  if (!url.startsWith('file:')) {
    // Loaded when there is one: a service with a file starts without it.
    const { openRemote } = await import('../../../core/db/remote/remote.ts');
    const client = openRemote(url, { authToken, clock: options.clock });
    const db = drizzle(client);
    return {
      db,
      path: null,
      stats: null,
      assertUsable: client.assertWritesAnswered,
      close: async () => client.close(),
      ...migrating(db),
    };
  }
  const { client, path } = openFile(url.slice('file:'.length), options);
  const db = drizzle(client);
  const close = async () => {
    await client.drain();
    client.close();
  };
  const assertUsable = async () => client.assertFileInPlace();
  const emptyLog = logEmptier(client);
  const changeMark = createChangeMarkReader(client);
  const { stats, waitedMs } = client;
  return { db, path, stats, waitedMs, assertUsable, emptyLog, changeMark, close, ...migrating(db) };
};

/** Opens a `file:` or `libsql://` database and applies the migrations it lacks. */
export const openDatabase = async (
  url: string,
  authToken?: string,
  options?: Options,
): Promise<OpenDatabase> => {
  const connected = await connectDatabase(url, authToken, options);
  try {
    await connected.migrate();
    return connected;
  } catch (error) {
    await connected.close();
    throw error;
  }
};

/** Opens the database of the settings, which has to be there. */
export const openThere = ({
  DATABASE_URL,
  DATABASE_AUTH_TOKEN,
  DATABASE_KEY: key,
}: NodeSettings): Promise<OpenDatabase> => {
  assertThere(DATABASE_URL);
  return openDatabase(DATABASE_URL, DATABASE_AUTH_TOKEN, { key });
};
