import { renameSync, statSync } from 'node:fs';
import { assertFile, behindLink, syncToDisk, withFile, withPartial } from '../database/database-file.ts';
import type { FileKey } from '../database/file-key.ts';
import { copyLive, type Progress } from './live-copy.ts';
import { FileInUse, takeAlone } from './restore.ts';
import { explainUnsoundness } from './soundness.ts';

/** How many rows each table has, those of SQLite and the migrator included. */
const countRows = (path: string, key: FileKey): Readonly<Record<string, number>> =>
  withFile(
    path,
    (database) => {
      const tables = database
        .prepare("select name from sqlite_master where type = 'table' order by name")
        .raw();
      return Object.fromEntries(
        (tables.all() as [string][]).map(([name]) => {
          const [row] = database.prepare(`select count(*) from "${name}"`).raw().all() as [number][];
          return [name, row?.[0] ?? 0];
        }),
      );
    },
    key,
  );

/**
 * A value that changes with each write to the file. It does not open the file: closing it would release this process's
 * locks on it.
 */
const readFileState = (path: string): string => {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
};

/** Ends the log of a database that nobody uses, so that the file alone contains everything. */
const settle = (path: string, key: FileKey): string => {
  takeAlone(path, key)();
  return readFileState(path);
};

/**
 * Replaces a database that nobody uses by a copy under another key, or without one, in one step. The old file is
 * removed, since it is the one that should no longer exist.
 */
export const reencrypt = async (
  named: string,
  from: FileKey,
  to: FileKey,
  progress: Progress,
): Promise<Readonly<Record<string, number>>> => {
  assertFile(named);
  const path = behindLink(named);
  // First, since the driver may keep a closed connection to a write-ahead log for a while.
  const before = settle(path, from);
  return withPartial(path, 'reencrypting', async (partial) => {
    await copyLive(path, partial, progress, from, to ?? null);
    // A broken invariant is broken in both: it is no reason to leave the file unencrypted.
    const damage = (await explainUnsoundness(partial, progress, to)).filter((line) =>
      line.startsWith('damaged'),
    );
    if (damage.length > 0)
      throw new Error(`The copy is not whole: nothing was changed.\n${damage.join('\n')}`);
    const counts = countRows(path, from);
    if (JSON.stringify(countRows(partial, to)) !== JSON.stringify(counts))
      throw new Error('Not every row arrived in the copy: nothing was changed.');
    syncToDisk(partial);
    const letGo = takeAlone(path, from);
    try {
      if (readFileState(path) !== before)
        throw new FileInUse(`${path} was written to meanwhile: stop its service, and begin again.`);
      renameSync(partial, path);
      syncToDisk(path);
    } finally {
      letGo();
    }
    return counts;
  });
};
