import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { SettingError } from '../../config.ts';
import { companions, link, publish, syncToDisk, withPartial } from '../database/database-file.ts';
import { copyAsAnother } from './another-clinic.ts';
import { copyLive, type Progress } from './live-copy.ts';
import { assertSound } from './soundness.ts';

const isDamage = (error: unknown): boolean => /not a database|malformed/i.test(String(error));

/**
 * Locks a database exclusively and returns the function that releases it. Leaving WAL mode requires exclusive access:
 * even an idle connection of a server prevents it. Afterwards the file contains the whole log.
 */
const takeAlone = (path: string): (() => void) => {
  const inUse = new SettingError(`${path} is in use: stop the service that holds it first.`);
  const database = new Database(path, { timeout: 0 });
  try {
    const [row] = database.prepare('PRAGMA journal_mode = DELETE').raw().all() as [string][];
    if (row?.[0] !== 'delete') throw inUse;
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    // A damaged file is a reason to restore, and no server can be using it.
    if (isDamage(error)) return () => {};
    throw inUse;
  }
  return () => {
    // The driver may keep a closed connection and its locks until its statements are garbage-collected.
    database.exec('ROLLBACK');
    database.close();
  };
};

/** Renames the files that lie beside the database; the database file itself is replaced by the new one in one step. */
const putAside = (target: string, aside: string): boolean => {
  const left = companions.filter((end) => existsSync(target + end));
  for (const end of left) renameSync(target + end, aside + end);
  const isThere = existsSync(target);
  if (isThere && !link(target, aside)) renameSync(target, aside);
  return isThere || left.length > 0;
};

const stamp = (now: number): string => new Date(now).toISOString().replaceAll(/[:.]/g, '-');

/** Replaces a database that nobody uses; returns the new name of the old file, or null. */
const replace = (partial: string, target: string, now: number): string | null => {
  const letGo = existsSync(target) ? takeAlone(target) : () => {};
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

export interface RestoreOptions {
  force: boolean;
  /** Whether the copy becomes a separate clinic, which accepts no token of the original. */
  asNew: boolean;
  now: number;
  progress: Progress;
}

/** Replaces the database by an intact copy; the old file is kept under the returned name. */
export const restore = async (
  copy: string,
  target: string,
  { force, asNew, now, progress }: RestoreOptions,
): Promise<string | null> => {
  const isThere = existsSync(target);
  if (isThere && !force)
    throw new SettingError(`${target} exists: --force puts it aside and restores in its place.`);
  await assertSound(copy, progress);
  if (isThere) takeAlone(target)();
  mkdirSync(dirname(target), { recursive: true });
  return withPartial(target, 'restoring', async (partial) => {
    await (asNew ? copyAsAnother : copyLive)(copy, partial, progress);
    await assertSound(partial, progress);
    syncToDisk(partial);
    return replace(partial, target, now);
  });
};
