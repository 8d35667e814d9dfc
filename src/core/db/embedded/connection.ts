import { statSync } from 'node:fs';
import type { ResultSet } from '@libsql/client';
import type Database from 'libsql';
import { DatabaseUnavailableError, fromDriver } from './errors.ts';
import { openFile } from './open-file.ts';
import { type BoundStatement, resultSet, shapeValues } from './values.ts';

/** One open connection. After a failure it is discarded and replaced, never reused. */
export type Connection = {
  run: (statement: BoundStatement) => ResultSet;
  exec: (sql: string) => void;
  inTransaction: () => boolean;
  isSameFile: () => boolean;
  forget: () => void;
  /** Ends a transaction that a failed operation may have left open. */
  undo: () => void;
  discard: () => void;
};

/** The file, and how it is opened. */
export interface Place {
  path: string;
  /** The key of an encrypted file. */
  key?: string | undefined;
  driverTimeoutMs: number;
  /** How much of the file it keeps in memory, in KiB. */
  cacheKib?: number | undefined;
  /** How many pages the log may have before they are moved into the file. */
  checkpointPages?: number | undefined;
  /** Called before each commit, which does not happen if it throws. */
  assertOwned?: (() => void) | undefined;
}

type Prepared = {
  driver: Database.Statement<[BoundStatement['args']]>;
  bound: number;
  reader: boolean;
  columns: string[];
  columnTypes: string[];
  isOneRow: boolean;
};

const maxPrepared = 500;
const defaultCacheKib = 65_536;
const defaultCheckpointPages = 10_000;

const identify = (path: string): string | undefined => {
  const file = statSync(path, { throwIfNoEntry: false });
  return file?.isFile() ? `${file.dev}:${file.ino}` : undefined;
};

export const assertThere = (path: string): void => {
  if (identify(path) === undefined)
    throw new DatabaseUnavailableError('cannot_open', `the database file ${path} is gone`);
};

const checkJournal = (database: Database.Database, path: string): void => {
  const [mode] = database.prepare('PRAGMA journal_mode').raw().all() as [string][];
  if (mode?.[0] === 'wal') return;
  throw new DatabaseUnavailableError('cannot_open', `${path} cannot keep a write-ahead log`);
};

const emptyLog = (database: Database.Database): void => {
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {}
};

const open = (place: Place, first: boolean): Database.Database => {
  const { path, key, driverTimeoutMs } = place;
  const { cacheKib = defaultCacheKib, checkpointPages = defaultCheckpointPages } = place;
  let database: Database.Database;
  try {
    database = openFile(path, { timeout: driverTimeoutMs, key });
  } catch (error) {
    throw new DatabaseUnavailableError('cannot_open', `cannot open the database file ${path}`, error);
  }
  try {
    database.exec('PRAGMA journal_mode = WAL');
    // A statement keeps the file open until it is garbage-collected, so a reconnect prepares none.
    if (first) checkJournal(database, path);
    database.exec('PRAGMA synchronous = FULL');
    database.exec('PRAGMA foreign_keys = ON');
    // Deleted data is overwritten, both in pages still in use and in freed pages.
    database.exec('PRAGMA secure_delete = ON');
    database.exec('PRAGMA temp_store = MEMORY');
    database.exec(`PRAGMA cache_size = ${-cacheKib}`);
    database.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
    // A process that was killed may have left deleted data in the log.
    if (first) emptyLog(database);
    return database;
  } catch (error) {
    database.close();
    throw fromDriver(error);
  }
};

const prepare = (database: Database.Database, { sql, args }: BoundStatement): Prepared => {
  const driver = database.prepare<[BoundStatement['args']]>(sql);
  const reader = driver.reader;
  const described = reader ? driver.raw(true).columns() : [];
  const columns = described.map((column) => column.name);
  const columnTypes = described.map((column) => column.type ?? '');
  const isOneRow = /\blimit 1$/.test(sql);
  return { driver, bound: countArgs(args), reader, columns, columnTypes, isOneRow };
};

const countArgs = (args: BoundStatement['args']): number => (Array.isArray(args) ? args.length : -1);

// For `all` the driver creates an iterator first, which is a third of the cost of reading a single row.
const readRows = ({ driver, isOneRow }: Prepared, args: BoundStatement['args']): unknown[][] => {
  if (!isOneRow) return driver.all(args) as unknown[][];
  const row = driver.get(args) as unknown[] | undefined;
  return row === undefined ? [] : [row];
};

const read = (prepared: Prepared, args: BoundStatement['args']): ResultSet => {
  const { driver, reader, columns, columnTypes } = prepared;
  if (reader) {
    const rawRows = readRows(prepared, args);
    rawRows.forEach(shapeValues);
    return resultSet({ columns, columnTypes, rawRows, rowsAffected: 0, lastInsertRowid: undefined });
  }
  const info = driver.run(args);
  const lastInsertRowid = BigInt(info.lastInsertRowid);
  return resultSet({ columns, columnTypes, rawRows: [], rowsAffected: info.changes, lastInsertRowid });
};

/** Opens the file with the pragmas that this service relies on. Only the `first` opening may create the file. */
export const openConnection = (place: Place, first: boolean): Connection => {
  const { path } = place;
  if (!first) assertThere(path);
  const database = open(place, first);
  const identity = identify(path);
  const prepared = new Map<string, Prepared>();

  const find = (statement: BoundStatement): Prepared => {
    let found = prepared.get(statement.sql);
    // Bound values remain after a run: a call with fewer arguments would read the previous caller's values.
    if (found !== undefined && found.bound === countArgs(statement.args)) return found;
    found = prepare(database, statement);
    prepared.set(statement.sql, found);
    if (prepared.size > maxPrepared) prepared.delete(prepared.keys().next().value ?? '');
    return found;
  };
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw fromDriver(error);
    }
  };

  // The driver keeps the file open until its statements are collected; end the locks now.
  const undo = () => {
    prepared.clear();
    try {
      if (database.inTransaction) database.exec('ROLLBACK');
    } catch {}
  };

  return {
    run: (statement) => guarded(() => read(find(statement), statement.args)),
    exec: (sql) =>
      guarded(() => {
        if (sql === 'COMMIT') place.assertOwned?.();
        database.exec(sql);
      }),
    inTransaction: () => database.inTransaction,
    isSameFile: () => identify(path) === identity,
    forget: () => prepared.clear(),
    undo,
    discard: () => {
      undo();
      database.close();
    },
  };
};
