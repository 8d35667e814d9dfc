import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type Database from 'libsql';
import { openFile } from '../../../core/db/embedded/open-file.ts';
import { ownerLockEnd } from '../../../core/db/embedded/owner-lock.ts';
import { SettingError } from '../../../core/settings/parse-settings.ts';
import { giveToOwner } from '../owner.ts';
import { thenClear } from './cleared.ts';
import { type FileKey, keyFor } from './file-key.ts';

/** Suffixes of SQLite's side files; if left behind, SQLite would apply them to the file that replaces the database. */
export const companions = ['-wal', '-shm', '-journal'] as const;

export const isFileUrl = (url: string): boolean => url.startsWith('file:');

/** The path of the embedded database that a URL names; throws if the URL names a remote one. */
export const parseFilePath = (databaseUrl: string, instead: string): string => {
  if (!isFileUrl(databaseUrl)) throw new SettingError(`DATABASE_URL is no file: ${instead}`);
  return resolve(databaseUrl.slice('file:'.length));
};

/**
 * For what needs a database that is there: the driver would make a file that is not, as in a wrong folder, and its emptiness would pass
 * for an answer.
 */
export const assertThere = (databaseUrl: string): void => {
  if (!isFileUrl(databaseUrl)) return;
  const path = parseFilePath(databaseUrl, '');
  if (!existsSync(path))
    throw new SettingError(
      `${path} is not there yet: is this the folder of the service, or its --settings? \`janji migrate\` makes a new one.`,
    );
};

/** The path of a further database beside another: `janji-archive.db` beside `janji.db`. */
export const pathBeside = (path: string, what: 'archive' | 'sandbox'): string =>
  /\.[^./\\]+$/.test(path) ? path.replace(/(\.[^./\\]+)$/, `-${what}$1`) : `${path}-${what}`;

/** The paths of all that may lie beside a database. */
export const pathsBeside = (path: string): string[] => [
  pathBeside(path, 'archive'),
  pathBeside(path, 'sandbox'),
];

/** Whether a file has the name of an archive or a sandbox, so that it would be taken for that of the database beside it. */
export const isBesideName = (path: string): boolean => /-(archive|sandbox)(\.[^./\\]+)?$/.test(path);

/** Deletes a database's file and what lies beside it while it is in use. */
export const removeFile = (path: string): void => {
  for (const end of ['', ownerLockEnd, ...companions]) rmSync(path + end, { force: true });
};

export const assertFile = (path: string): void => {
  if (basename(path) === '-')
    throw new SettingError('- is no file: this cannot come from standard input, so name a file.');
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new SettingError(`${path} is not there.`);
  if (!found.isFile()) throw new SettingError(`${path} is ${found.isDirectory() ? 'a folder' : 'no file'}.`);
};

/** The file that a path leads to, for what replaces it: a link stays one, and nothing of before is left where it leads. */
export const behindLink = (path: string): string =>
  lstatSync(path).isSymbolicLink() ? realpathSync(path) : path;

export const assertNew = (path: string): void => {
  if (basename(path) === '-')
    throw new SettingError('- is no file: this cannot go to standard output, so name a file.');
  if (existsSync(path)) throw new SettingError(`${path} exists already and is not overwritten.`);
};

/** Opens an existing file for the duration of some work. */
export const withFile = <T>(path: string, work: (database: Database.Database) => T, key?: FileKey): T => {
  // The driver would create a missing file, whatever its options say.
  assertFile(path);
  const database = openFile(path, { timeout: 5000, key: keyFor(path, key) });
  try {
    return work(database);
  } finally {
    database.close();
  }
};

/** Flushes a file and its directory entry to disk, so that both survive a power cut. */
export const syncToDisk = (path: string): void => {
  for (const each of [path, dirname(path)]) {
    const file = openSync(each, 'r');
    fsyncSync(file);
    closeSync(file);
  }
};

const hasNoLinks = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP', 'EMLINK']);

/** Hard-links a file to a new name, never over an existing one; false if the file system has no links. */
export const link = (from: string, to: string): boolean => {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new SettingError(`${to} exists already and is not overwritten.`);
    if (hasNoLinks.has(code ?? '')) return false;
    throw error;
  }
};

/** Renames a finished file atomically, and never overwrites another. */
export const publish = (partial: string, target: string): void => {
  syncToDisk(partial);
  if (link(partial, target)) rmSync(partial);
  else {
    assertNew(target);
    renameSync(partial, target);
  }
  syncToDisk(target);
};

/** Runs work on a temporary file that only its owner can read, and removes it afterwards. */
export const withPartial = <T>(
  target: string,
  word: string,
  work: (partial: string) => Promise<T>,
): Promise<T> => {
  const partial = `${target}.${word}`;
  const clear = () => {
    for (const end of ['', ...companions]) rmSync(partial + end, { force: true });
  };
  if (!existsSync(dirname(target))) throw new SettingError(`The folder ${dirname(target)} is not there.`);
  clear();
  return thenClear(clear, () => {
    closeSync(openSync(partial, 'wx', 0o600));
    giveToOwner(partial);
    return work(partial);
  });
};
