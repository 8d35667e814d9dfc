import type { Client, InArgs, InStatement, ResultSet, TransactionMode } from '@libsql/client';
import { LibsqlError } from '@libsql/client/sqlite3';
import { withForeignKeyCheck } from '../foreign-key-check.ts';
import { assertThere, type Connection } from './connection.ts';
import { isBusy } from './errors.ts';
import { makeHold } from './hold.ts';
import { makeReadQueue } from './reads.ts';
import { makeSession } from './session.ts';
import { changesSchema, isBare, isRead, isTransaction } from './statement-kind.ts';
import { type BoundStatement, bind } from './values.ts';
import { runAll, type Work, within } from './work.ts';
import { startWriter } from './writer.ts';
import { makeWriteQueue } from './writes.ts';

export { DatabaseUnavailableError, type UnavailableCode } from './errors.ts';

export type EmbeddedOptions = {
  /** A plain file path; its folder must exist. */
  path: string;
  /** The key of an encrypted file. */
  key?: string | undefined;
  /** How much of the file is cached in memory, in KiB. */
  cacheKib?: number | undefined;
  /** How many pages the log may have before they are moved into the file. */
  checkpointPages?: number | undefined;
  /** Called before each commit, which does not happen if it throws; not where a separate thread commits. */
  assertOwned?: (() => void) | undefined;
  /** How long the driver waits for a lock, in milliseconds. It blocks the event loop meanwhile: at most 50. */
  driverTimeoutMs?: number;
  /** How long an operation is retried while another process holds the lock. */
  deadlineMs?: number;
  /** How many writes may share one commit. */
  groupSize?: number;
  /** How many writes may wait; any further write is refused at once. */
  maxQueued?: number;
  /** How long a commit waits until as many writes arrive as shared the last one: about as long as a commit takes. */
  gatherMs?: number;
  /**
   * How long the writes of a group may take, before its commit: writes that have not begun by then go to the next
   * group.
   */
  groupBudgetMs?: number;
  /** How many connections were accepted so far: reads and commits wait while new ones are arriving. */
  arrivals?: () => number;
  /** For how long at most. */
  holdMs?: number;
  /** Whether a separate thread commits the writes, so that requests do not wait for a commit: also only while it pays. */
  commitsInThread?: boolean | 'under load';
  onBusy?: () => void;
  /** The current time in milliseconds: reads check once a second whether the file is still at its path. */
  clock?: (() => number) | undefined;
};

export type EmbeddedStats = {
  busyCount: number;
  reconnectCount: number;
  queuedWrites: number;
  commitCount: number;
};

export type EmbeddedClient = Client & {
  /** Resolves when no write is waiting. */
  drain: () => Promise<void>;
  /** Throws if there is no file at the path; closes the open file if another has replaced it. */
  assertFileInPlace: () => void;
  stats: () => EmbeddedStats;
  /** How long the first read or write that waits has waited, in milliseconds. */
  waitedMs: () => number;
};

const longestDriverTimeoutMs = 50;
const bindAll = (statements: readonly (InStatement | [string, InArgs?])[]): BoundStatement[] => {
  const bound = statements.map(bind);
  // On a shared connection these would end or nest the transactions of other requests.
  if (bound.some(isTransaction))
    throw new LibsqlError('Transactions are made by batch() alone', 'TRANSACTION_NOT_SUPPORTED');
  return bound;
};

const migrateOn = (connection: Connection, statements: readonly BoundStatement[]): ResultSet[] => {
  connection.exec('PRAGMA foreign_keys = OFF');
  try {
    return within(connection, 'BEGIN IMMEDIATE', () => runAll(connection, statements));
  } finally {
    connection.exec('PRAGMA foreign_keys = ON');
  }
};

const checkOptions = ({ path, driverTimeoutMs = 0 }: EmbeddedOptions): void => {
  if (path === '' || /^(:memory:|file:|libsql:|https?:|wss?:)/i.test(path))
    throw new TypeError(
      'the embedded database needs the plain path of a file; memory and URLs are not supported',
    );
  if (!(driverTimeoutMs >= 0 && driverTimeoutMs <= longestDriverTimeoutMs))
    throw new RangeError(
      `driverTimeoutMs must lie between 0 and ${longestDriverTimeoutMs}: it stops the event loop`,
    );
};

/**
 * Opens the file as a client for `drizzle({ client })`: one connection, prepared statements, shared reads and commits.
 * Throws at once when the file cannot be opened or written.
 */
export const openEmbedded = (options: EmbeddedOptions): EmbeddedClient => {
  checkOptions(options);
  const {
    path,
    key,
    cacheKib,
    checkpointPages,
    assertOwned,
    driverTimeoutMs = 20,
    deadlineMs = 5000,
    groupSize = 64,
    maxQueued = 10_000,
    gatherMs = 2,
    groupBudgetMs = 10,
    arrivals = () => 0,
    holdMs = 10,
    commitsInThread = false,
    onBusy,
    clock = Date.now,
  } = options;
  const place = { path, key, driverTimeoutMs, cacheKib, checkpointPages };
  const session = makeSession({ ...place, assertOwned, clock, onBusy });
  let closed = false;
  const refuseClosed = (): void => {
    if (closed) throw new LibsqlError('The client is closed', 'CLIENT_CLOSED');
  };
  const reads = makeReadQueue(session, {
    deadlineMs,
    holdForArrivals: makeHold(arrivals, holdMs),
    refuseClosed,
  });
  try {
    session.write((connection) => within(connection, 'BEGIN IMMEDIATE', () => undefined));
  } catch (error) {
    if (!isBusy(error)) throw error;
  }

  const when = commitsInThread === true ? 'always' : commitsInThread;
  const writer = when === false ? undefined : startWriter({ place, groupBudgetMs }, { onBusy, when });
  const writes = makeWriteQueue(session, {
    deadlineMs,
    groupSize,
    maxQueued,
    gatherMs,
    groupBudgetMs,
    holdForArrivals: makeHold(arrivals, holdMs),
    readsFirst: reads.flush,
    writer,
  });
  const read = <T>(work: Work<T>, several = false): Promise<T> => {
    refuseClosed();
    return reads.add(work, several);
  };
  const write = (statements: readonly BoundStatement[], isBatch: boolean): Promise<ResultSet[]> => {
    refuseClosed();
    return writes.add({ statements, isBatch }, statements.some(changesSchema));
  };
  const writeAlone = <T>(work: Work<T>, changesSchema: boolean): Promise<T> => {
    refuseClosed();
    return writes.addAlone(work, changesSchema);
  };

  const client: EmbeddedClient = {
    closed: false,
    protocol: 'file',
    execute: async (statement: InStatement, args?: InArgs) => {
      const given = typeof statement === 'string' ? { sql: statement, args: args ?? [] } : statement;
      const [bound] = bindAll([given]) as [BoundStatement];
      if (isRead(bound)) return read((connection) => connection.run(bound));
      if (isBare(bound)) return writeAlone((connection) => connection.run(bound), false);
      const [result] = await write([bound], false);
      return result as ResultSet;
    },
    // Not async, because that would create a second promise beside the queue's own for every request.
    batch: (statements, mode?: TransactionMode) => {
      try {
        const bound = bindAll(statements);
        if (bound.every(isRead)) return read((connection) => runAll(connection, bound), bound.length > 1);
        if (mode === 'read') throw new LibsqlError('A batch in mode read may only select', 'SQLITE_READONLY');
        return write(bound, true);
      } catch (error) {
        return Promise.reject(error);
      }
    },
    migrate: async (statements) => {
      const bound = bindAll(withForeignKeyCheck(statements));
      const results = await writeAlone((connection) => migrateOn(connection, bound), true);
      return results.slice(0, statements.length);
    },
    executeMultiple: async (sql) =>
      writeAlone(
        (connection) =>
          within(connection, 'BEGIN IMMEDIATE', () => {
            connection.exec(sql);
            connection.forget();
          }),
        true,
      ),
    transaction: async () => {
      throw new LibsqlError(
        'Interactive transactions are not supported: use batch()',
        'TRANSACTION_NOT_SUPPORTED',
      );
    },
    sync: async () => {
      throw new LibsqlError('An embedded file has nothing to sync with', 'SYNC_NOT_SUPPORTED');
    },
    drain: writes.drain,
    assertFileInPlace: () => {
      session.leaveMovedFile();
      assertThere(path);
    },
    stats: () => {
      const own = session.counts();
      const { busyCount, reconnectCount } = writer?.counts() ?? { busyCount: 0, reconnectCount: 0 };
      return {
        busyCount: own.busyCount + busyCount,
        reconnectCount: own.reconnectCount + reconnectCount,
        ...writes.counts(),
      };
    },
    waitedMs: () => Math.max(reads.waitedMs(), writes.waitedMs()),
    reconnect: () => {
      session.drop();
      closed = client.closed = false;
    },
    close: () => {
      if (closed) return;
      while (reads.flush());
      writes.close();
      closed = client.closed = true;
      try {
        session.read((connection) => connection.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
      } catch {}
      session.drop();
    },
  };
  return client;
};
