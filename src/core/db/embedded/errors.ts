import { LibsqlBatchError, LibsqlError } from '@libsql/client/sqlite3';
import { Unavailable } from '../../endpoint/errors.ts';

/**
 * Why the database file cannot be used right now. `not_owned`: it is, or may be by now, another process's; `overtaken`:
 * no process has it, but there was an owner of a later epoch.
 */
export type UnavailableCode =
  | 'busy'
  | 'full'
  | 'readonly'
  | 'io'
  | 'corrupt'
  | 'cannot_open'
  | 'not_owned'
  | 'overtaken';

/** The database cannot answer, and the request is not the reason: answer 503. */
export class DatabaseUnavailableError extends Unavailable {
  override readonly name = 'DatabaseUnavailableError';
  readonly code: UnavailableCode;

  constructor(code: UnavailableCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

const baseCodes: Record<number, string> = {
  1: 'SQLITE_ERROR',
  3: 'SQLITE_PERM',
  4: 'SQLITE_ABORT',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  9: 'SQLITE_INTERRUPT',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  15: 'SQLITE_PROTOCOL',
  17: 'SQLITE_SCHEMA',
  18: 'SQLITE_TOOBIG',
  19: 'SQLITE_CONSTRAINT',
  20: 'SQLITE_MISMATCH',
  21: 'SQLITE_MISUSE',
  23: 'SQLITE_AUTH',
  25: 'SQLITE_RANGE',
  26: 'SQLITE_NOTADB',
};

const unavailableCodes: Record<string, UnavailableCode> = {
  SQLITE_BUSY: 'busy',
  SQLITE_LOCKED: 'busy',
  SQLITE_PROTOCOL: 'busy',
  SQLITE_FULL: 'full',
  SQLITE_READONLY: 'readonly',
  SQLITE_PERM: 'readonly',
  SQLITE_IOERR: 'io',
  SQLITE_NOMEM: 'io',
  SQLITE_CORRUPT: 'corrupt',
  SQLITE_NOTADB: 'corrupt',
  SQLITE_CANTOPEN: 'cannot_open',
};

type DriverError = Error & { code: string; rawCode: number };

const isDriverError = (error: unknown): error is DriverError =>
  error instanceof Error && 'rawCode' in error && typeof error.rawCode === 'number';

/** The driver's own error in the chain of causes. */
export const findDriverError = (error: unknown): DriverError | undefined => {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (isDriverError(cause) && !(cause instanceof LibsqlError)) return cause;
  return undefined;
};

/** Converts a driver error to a DatabaseUnavailableError or a LibsqlError; other errors are not changed. */
export const fromDriver = (error: unknown): unknown => {
  if (!isDriverError(error)) return error;
  // The low byte is SQLite's primary code, the rest the extended one.
  const base = error.rawCode & 0xff;
  const code = baseCodes[base] ?? `SQLITE_UNKNOWN_${base}`;
  const unavailable = unavailableCodes[code];
  if (unavailable) return new DatabaseUnavailableError(unavailable, `${code}: ${error.message}`, error);
  return new LibsqlError(error.message, code, error.code, error.rawCode, error);
};

/** The error of statement `index` of a batch, in the shape in which @libsql/client gives it. */
export const atStatement = (error: unknown, index: number): unknown => {
  if (!(error instanceof LibsqlError) || error instanceof LibsqlBatchError) return error;
  const cause = error.cause instanceof Error ? error.cause : undefined;
  return new LibsqlBatchError(error.message, index, error.code, error.extendedCode, error.rawCode, cause);
};

/** Whether the reason is another connection's lock, so that a later try can succeed. */
export const isBusy = (error: unknown): boolean =>
  error instanceof DatabaseUnavailableError && error.code === 'busy';
