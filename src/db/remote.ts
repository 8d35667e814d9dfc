import { type Client, createClient, type InStatement, LibsqlError } from '@libsql/client';
import { persist, readsOnly, TransientDatabaseError } from './transient.ts';

const longestAnswerMs = 20_000;

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

/** fetch throws bare TypeErrors and DOMExceptions when the network fails or a time limit ends it. */
const isNetworkFailure = (error: Error): boolean =>
  error.name === 'TimeoutError' ||
  error.name === 'AbortError' ||
  (error instanceof TypeError && /fetch failed|terminated|network/i.test(error.message)) ||
  ('code' in error && /^(E[A-Z]+|UND_ERR_\w+)$/.test(String(error.code)));

const named = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const isMomentary = error instanceof LibsqlError ? momentaryCodes.has(error.code) : isNetworkFailure(error);
  if (!isMomentary) return error;
  // Without the message: it may quote the address, which may hold a token.
  return new TransientDatabaseError(`the remote database did not answer (${error.name})`, { cause: error });
};

const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw named(error);
  }
};

const sqlOf = (statement: InStatement | [string, unknown?]): string => {
  if (typeof statement === 'string') return statement;
  return Array.isArray(statement) ? statement[0] : statement.sql;
};

/** Opens a libsql:// database so that its passing failures are told as such and reads outlive them. */
export const openRemote = (url: string, authToken?: string): Client => {
  const bounded = (request: Request) => fetch(request, { signal: AbortSignal.timeout(longestAnswerMs) });
  const client = createClient({ url, fetch: bounded, ...(authToken !== undefined && { authToken }) });
  const does = <T>(reads: boolean, work: () => Promise<T>): Promise<T> =>
    reads ? persist(() => attempt(work)) : attempt(work);
  const execute = (statement: InStatement, args?: never): Promise<unknown> =>
    does(readsOnly(sqlOf(statement)), () => client.execute(statement as never, args));
  const batch: Client['batch'] = (statements) => {
    const reads = statements.every((statement) => readsOnly(sqlOf(statement as InStatement)));
    return does(reads, () => client.batch(statements, reads ? 'read' : 'write'));
  };
  // Its classes keep private fields, so it is told apart method by method.
  return new Proxy(client, {
    get: (target, name) => {
      if (name === 'execute') return execute;
      if (name === 'batch') return batch;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
};
