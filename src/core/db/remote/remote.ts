import { type Client, createClient, type InArgs, type InStatement, LibsqlError } from '@libsql/client';
import { Unavailable } from '../../endpoint/errors.ts';
import { withForeignKeyCheck } from '../foreign-key-check.ts';
import { BusyDatabaseError, persist, readsOnly, TransientDatabaseError, untilNotBusy } from '../transient.ts';
import { makeRemoteWrites } from './remote-writes.ts';

const longestAnswerMs = 20_000;
/** A write without an answer for this long counts as hanging, although the server still answers reads. */
const longestStallMs = 10_000;
const probeMs = 2_000;

const momentaryCodes = new Set([
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SERVER_ERROR',
  'HRANA_WEBSOCKET_ERROR',
  'HRANA_CLOSED_ERROR',
  'HRANA_PROTO_ERROR',
  'BLOCKED',
  'STREAM_EXPIRED',
  'TRANSACTION_TIMEOUT',
]);

/** fetch throws plain TypeErrors and DOMExceptions when the network fails or a time limit ends the request. */
const isNetworkFailure = (error: Error): boolean =>
  error.name === 'TimeoutError' ||
  error.name === 'AbortError' ||
  (error instanceof TypeError && /fetch failed|terminated|network/i.test(error.message)) ||
  ('code' in error && /^(E[A-Z]+|UND_ERR_\w+)$/.test(String(error.code)));

const asTransient = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const isMomentary = error instanceof LibsqlError ? momentaryCodes.has(error.code) : isNetworkFailure(error);
  if (!isMomentary) return error;
  const isBusy = error instanceof LibsqlError && error.code === 'SQLITE_BUSY';
  const Kind = isBusy ? BusyDatabaseError : TransientDatabaseError;
  // Leaves out the message: it may quote the address, which may contain a token.
  return new Kind(`the remote database did not answer (${error.name})`, { cause: error });
};

const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw asTransient(error);
  }
};

const readSql = (statement: InStatement | [string, unknown?]): string => {
  if (typeof statement === 'string') return statement;
  return Array.isArray(statement) ? statement[0] : statement.sql;
};

interface RemoteOptions {
  authToken?: string | undefined;
  /** The current time in milliseconds, to detect a write that hangs. */
  clock?: (() => number) | undefined;
}

type RemoteClient = Client & {
  /** Throws `Unavailable` if the server answers reads but has stopped accepting writes. */
  assertWritesAnswered: () => Promise<void>;
};

/** Opens a libsql:// database. Temporary failures are reported as `unavailable`, and reads are retried. */
export const openRemote = (
  url: string,
  { authToken, clock = Date.now }: RemoteOptions = {},
): RemoteClient => {
  const bounded = (request: Request) => fetch(request, { signal: AbortSignal.timeout(longestAnswerMs) });
  const client = createClient({ url, fetch: bounded, ...(authToken !== undefined && { authToken }) });
  const writes = makeRemoteWrites({ clock });
  const write = <T>(work: () => Promise<T>): Promise<T> =>
    writes.add(() => untilNotBusy(() => attempt(work)));
  const does = <T>(reads: boolean, work: () => Promise<T>): Promise<T> =>
    reads ? persist(() => attempt(work)) : write(work);
  const execute = (statement: InStatement, args?: InArgs): Promise<unknown> =>
    does(readsOnly(readSql(statement)), () =>
      typeof statement === 'string' ? client.execute(statement, args) : client.execute(statement),
    );
  const batch: Client['batch'] = (statements) => {
    const reads = statements.every((statement) => readsOnly(readSql(statement as InStatement)));
    return does(reads, () => client.batch(statements, reads ? 'read' : 'write'));
  };
  const migrate: Client['migrate'] = async (statements) => {
    const results = await attempt(() => client.migrate(withForeignKeyCheck(statements)));
    return results.slice(0, statements.length);
  };
  /** Takes the write lock and changes nothing: shows that the server accepts writes again. */
  const probe = async (): Promise<void> => {
    const answered = write(() => client.batch(['select 1'], 'write')).then(
      () => true,
      () => false,
    );
    await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, probeMs).unref())]);
  };
  const assertWritesAnswered = async (): Promise<void> => {
    if (writes.stalledForMs() <= longestStallMs) return;
    if (writes.count() === 0) await probe();
    const stalledMs = writes.stalledForMs();
    if (stalledMs > longestStallMs)
      throw new Unavailable(
        `the remote database has answered no write for ${Math.round(stalledMs / 1000)} s`,
      );
  };
  // The client's classes have private fields: its own methods must be called on the client itself.
  return new Proxy(client as RemoteClient, {
    get: (target, name) => {
      if (name === 'execute') return execute;
      if (name === 'batch') return batch;
      if (name === 'migrate') return migrate;
      if (name === 'assertWritesAnswered') return assertWritesAnswered;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
};
