import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { openFile } from '../../../core/db/embedded/open-file.ts';
import { SettingError } from '../../../core/settings/parse-settings.ts';
import {
  assertFile,
  behindLink,
  companions,
  link,
  publish,
  syncToDisk,
  withPartial,
} from '../database/database-file.ts';
import { type FileKey, keyFor } from '../database/file-key.ts';
import { copyAsAnother } from './another-clinic.ts';
import { copyLive, type Progress } from './live-copy.ts';
import { assertSound } from './soundness.ts';

const isDamage = (error: unknown): boolean => /not a database|malformed/i.test(String(error));

/** Thrown where another process has a file open, or may have. */
export class FileInUse extends SettingError {}

/**
 * Locks a database exclusively and returns the function that releases it. Leaving WAL mode requires exclusive access:
 * even an idle connection of a server prevents it. Afterwards the file contains the whole log.
 */
export const takeAlone = (path: string, key?: FileKey): (() => void) => {
  // The driver would create a missing file.
  assertFile(path);
  const inUse = new FileInUse(`${path} is in use: stop the service that holds it first.`);
  const database = openFile(path, { timeout: 0, key: keyFor(path, key) });
  try {
    const [row] = database.prepare('PRAGMA journal_mode = DELETE').raw().all() as [string][];
    if (row?.[0] !== 'delete') throw inUse;
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    // A damaged file is a reason to restore, and no server can be using it; one with another key looks the same.
    if (isDamage(error) && existsSync(`${path}-shm`))
      throw new SettingError(
        `${path} is damaged, or encrypted with another DATABASE_KEY, and may be in use: stop the service that holds it, or move ${path}-shm away if none does.`,
      );
    if (isDamage(error)) return () => {};
    throw inUse;
  }
  return () => {
    // The driver may keep a closed connection and its locks until its statements are garbage-collected.
    database.exec('ROLLBACK');
    database.close();
  };
};

/** Renames the files beside the database; the database file itself is replaced by the new one in one step. */
const putAside = (target: string, aside: string): boolean => {
  const left = companions.filter((end) => existsSync(target + end));
  for (const end of left) renameSync(target + end, aside + end);
  const isThere = existsSync(target);
  if (isThere && !link(target, aside)) renameSync(target, aside);
  return isThere || left.length > 0;
};

const stamp = (now: number): string => new Date(now).toISOString().replaceAll(/[:.]/g, '-');

/** Gives an archive or a sandbox another name, by which no database finds it; returns that. */
export const setAside = (path: string, now: number): string => {
  const aside = `${path}.before-${stamp(now)}`;
  putAside(path, aside);
  if (existsSync(path)) rmSync(path);
  return aside;
};

/** Replaces a database that nobody uses; returns the new name of the old file, or null. */
const replace = (partial: string, target: string, now: number, key: FileKey): string | null => {
  const letGo = existsSync(target) ? takeAlone(target, key) : () => {};
  try {
    const aside = `${target}.before-${stamp(now)}`;
    const wasSetAside = putAside(target, aside);
    if (existsSync(target)) {
      renameSync(partial, target);
      syncToDisk(target);
    } else publish(partial, target);
    return wasSetAside ? aside : null;
  } finally {
    letGo();
  }
};

interface RestoreOptions {
  force: boolean;
  /** Whether the copy becomes a separate clinic, which accepts no token of the original. */
  asNew: boolean;
  now: number;
  progress: Progress;
  /** The key of the database, and of the copy if that is encrypted. */
  key?: FileKey;
}

/** Replaces the database by an intact copy; the old file stays under the returned name. */
export const restore = async (
  copy: string,
  named: string,
  { force, asNew, now, progress, key }: RestoreOptions,
): Promise<string | null> => {
  const isThere = existsSync(named);
  if (isThere && !force)
    throw new SettingError(`${named} exists: --force puts it aside and restores in its place.`);
  const target = isThere ? behindLink(named) : named;
  await assertSound(copy, progress, key);
  if (isThere) takeAlone(target, key)();
  mkdirSync(dirname(target), { recursive: true });
  return withPartial(target, 'restoring', async (partial) => {
    await (asNew ? copyAsAnother : copyLive)(copy, partial, progress, key);
    await assertSound(partial, progress, key);
    syncToDisk(partial);
    return replace(partial, target, now, key);
  });
};
