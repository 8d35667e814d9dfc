import type { Client, InArgs, InStatement, ResultSet, TransactionMode } from '@libsql/client';
import { LibsqlError } from '@libsql/client/sqlite3';
import type { ThreadedClient } from './file-threads.ts';
import { bind, resultSet } from './values.ts';

interface Needs {
  /** Whether there is a file. Where there is none, nothing but an insert makes one: what is read is empty. */
  isThere: () => boolean;
  open: () => Promise<ThreadedClient>;
  /** How long nothing is asked of it until it is closed again, in milliseconds. */
  idleMs: number;
}

/** A client of a file that is seldom used. */
interface LateClient extends Client {
  isBusy: () => boolean;
  isOpen: () => boolean;
  /** Ends what waits and closes the file, if it is open. */
  end: () => Promise<void>;
}

const isInsert = (statement: InStatement | [string, InArgs?]): boolean =>
  /^\s*insert\b/i.test(bind(statement).sql);

const nothing = (): ResultSet =>
  resultSet({ columns: [], columnTypes: [], rawRows: [], rowsAffected: 0, lastInsertRowid: undefined });

const notHere = (what: string) => async () => {
  throw new LibsqlError(`${what} is not supported`, 'NOT_SUPPORTED');
};

/** Opens a file when something is asked of it, and closes it when nothing was for a while: its descriptors are free again. */
export const openLater = ({ isThere, open, idleMs }: Needs): LateClient => {
  let current: Promise<ThreadedClient> | null = null;
  let closing: Promise<void> = Promise.resolve();
  let underWay = 0;
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;

  const letGo = (): Promise<void> => {
    const leaving = current;
    current = null;
    if (leaving !== null)
      closing = leaving.then(
        (client) => client.end().catch(() => {}),
        () => {},
      );
    return closing;
  };
  const ended = () => new LibsqlError('The client is closed', 'CLIENT_CLOSED');
  const find = async (): Promise<ThreadedClient> => {
    // A file is closed to its end before it is opened again.
    await closing;
    // Nobody would close it any more.
    if (isEnded) throw ended();
    current ??= open();
    const opening = current;
    try {
      return await opening;
    } catch (error) {
      if (current === opening) current = null;
      throw error;
    }
  };
  const use = async <T>(work: (client: ThreadedClient) => Promise<T>): Promise<T> => {
    if (isEnded) throw ended();
    clearTimeout(timer);
    underWay += 1;
    try {
      return await work(await find());
    } finally {
      underWay -= 1;
      if (underWay === 0 && !isEnded) timer = setTimeout(letGo, idleMs).unref();
    }
  };
  const isAbsent = (statements: readonly (InStatement | [string, InArgs?])[]): boolean =>
    current === null && !isThere() && !statements.some(isInsert);

  return {
    closed: false,
    protocol: 'file',
    execute: async (statement: InStatement, args?: InArgs) => {
      const one = typeof statement === 'string' ? { sql: statement, args: args ?? [] } : statement;
      return isAbsent([one]) ? nothing() : use((client) => client.execute(one));
    },
    batch: async (statements, mode?: TransactionMode) =>
      isAbsent(statements) ? statements.map(nothing) : use((client) => client.batch(statements, mode)),
    migrate: notHere('A migration'),
    executeMultiple: notHere('A script'),
    transaction: notHere('A transaction'),
    sync: notHere('Syncing'),
    reconnect: () => {},
    isBusy: () => underWay > 0,
    isOpen: () => current !== null,
    end: async () => {
      isEnded = true;
      clearTimeout(timer);
      await letGo();
    },
    close: () => {},
  };
};
