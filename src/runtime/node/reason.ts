import { LibsqlError } from '@libsql/client/sqlite3';
import { DatabaseUnavailableError, type UnavailableCode } from '../../core/db/embedded/client.ts';
import { TransientDatabaseError } from '../../core/db/transient.ts';

const deepest = (error: unknown): unknown =>
  error instanceof Error && error.cause !== undefined ? deepest(error.cause) : error;

/** Why a remote database did not answer: only a code or a status, because messages may quote its address and token. */
const describeCause = (error: TransientDatabaseError): string => {
  const cause = deepest(error) as { code?: unknown; name?: unknown };
  return cause instanceof LibsqlError ? cause.message : String(cause.code ?? cause.name);
};

const cures: Readonly<Partial<Record<UnavailableCode, string>>> = {
  busy: 'is locked by another process: end that, or try again once it is done',
  full: 'lies on a full disk: make room',
  io: 'lies on a disk that is full or fails',
  corrupt:
    'is damaged, encrypted (then set its DATABASE_KEY), or no database: put a backup in its place with `janji restore FILE --force`',
};

/** Why an operation on a file failed, for the person who named that file. */
const fileReasons: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  ENOTDIR: 'is not there',
  EISDIR: 'is a folder',
  EACCES: 'may not be used by this user',
  EPERM: 'may not be used by this user',
  EROFS: 'lies where nothing can be written',
  ENOSPC: 'lies on a full disk: make room',
  EDQUOT: 'lies on a disk whose quota is used up',
};

const explainFileError = ({ code = '', path, syscall = '' }: NodeJS.ErrnoException): string | null => {
  if (code === 'EPIPE') return 'The reader of the output ended before all was written.';
  const reason = fileReasons[code];
  if (reason === undefined || syscall.startsWith('spawn')) return null;
  return `${path ?? 'A file'} ${reason}.`;
};

/** The cause of an error for the person who ran the command: never a statement or its parameters. */
export const explainError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const isQuery = 'query' in error && 'params' in error;
  if (isQuery && error.cause !== undefined) return explainError(error.cause);
  if (error instanceof DatabaseUnavailableError) {
    const cure = cures[error.code];
    return cure === undefined ? error.message : `DATABASE_URL ${cure} (${error.message}).`;
  }
  if (error instanceof TransientDatabaseError)
    return `the remote database did not answer (${describeCause(error)})`;
  // The package does not contain wrangler.
  if ('code' in error && error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes("'wrangler'"))
    return '--d1 works by way of wrangler, which is not here: `npm install wrangler` in the folder that janji is installed in.';
  return explainFileError(error) ?? error.message;
};
