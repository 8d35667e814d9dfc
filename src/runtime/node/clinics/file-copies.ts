import { existsSync, renameSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { dumpPages, dumpStream } from '../../../core/db/copies/dump.ts';
import { restoredLines } from '../../../core/db/copies/layout.ts';
import { CopyRefused, type Part, type PartTaken, restorePart } from '../../../core/db/copies/restore.ts';
import { fileStorage } from '../../../core/db/embedded/file-storage.ts';
import { openFile } from '../../../core/db/embedded/open-file.ts';
import { ownerLockEnd } from '../../../core/db/embedded/owner-lock.ts';
import { OperatorRefusal } from '../../../modules/operators/refusals.ts';
import { copyLive } from '../backup/live-copy.ts';
import { explainUnsoundness } from '../backup/soundness.ts';
import { addArchived } from '../backup/with-archive.ts';
import { findArchiveBeside, removeArchive } from '../database/archive.ts';
import { companions, pathBeside, removeFile, syncToDisk } from '../database/database-file.ts';
import { type FileKey, keyFor } from '../database/file-key.ts';
import { explainError } from '../reason.ts';

const quiet = (): void => {};

const open = (path: string, key: FileKey) => openFile(path, { timeout: 5_000, key: keyFor(path, key) });

/** All rows of a file as of one moment, while it is served: of a copy that lies beside it until they are read. */
export const dumpFile = async (path: string, key: FileKey): Promise<ReadableStream<Uint8Array>> => {
  const folder = await mkdtemp(`${path}.copy-`);
  const clear = () => rm(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, 'copy.db');
    await copyLive(path, copy, quiet, key);
    const archive = findArchiveBeside(path);
    if (archive !== null)
      await addArchived(copy, key, archive, key).catch((error: unknown) => {
        const detail = `The archive of the clinic cannot be read: ${explainError(error)}`;
        throw new OperatorRefusal('copy_not_made', { detail });
      });
    const database = open(copy, key);
    const end = (): void => {
      if (database.open) database.close();
      void clear();
    };
    return dumpStream(dumpPages(fileStorage(database)), { assertGoing: quiet, end });
  } catch (error) {
    await clear();
    throw error;
  }
};

const receivingOf = (path: string): string => `${path}.receiving`;

/** How many lines have arrived of a copy that a file will be replaced by; null where none is arriving. */
export const receivedLines = (path: string, key: FileKey): number | null => {
  const receiving = receivingOf(path);
  if (!existsSync(receiving)) return null;
  const database = open(receiving, key);
  try {
    return restoredLines(fileStorage(database));
  } finally {
    database.close();
  }
};

/** Deletes a database with its companions, and what has arrived of a copy for it. */
export const removeDatabase = (path: string): void => {
  remove(path);
  rmSync(path + ownerLockEnd, { force: true });
  remove(receivingOf(path));
  removeArchive(path);
  removeFile(pathBeside(path, 'sandbox'));
};

const remove = (path: string): void => {
  for (const end of ['', ...companions]) rmSync(path + end, { force: true });
};

/**
 * Takes a part of a copy into a file beside that of a new clinic, which it replaces once it is whole and sound. Nobody may
 * have the clinic's file open.
 */
export const receivePart = async (
  path: string,
  part: Part,
  timeZone: string,
  { make, key }: { make: (path: string) => Promise<void>; key: FileKey },
): Promise<PartTaken> => {
  const receiving = receivingOf(path);
  if (part.after === 0) {
    assertUnused(path, key);
    remove(receiving);
    await make(receiving);
  } else if (!existsSync(receiving)) throw new CopyRefused('No copy is arriving: begin with its first line.');
  const database = open(receiving, key);
  let taken: PartTaken;
  try {
    taken = restorePart(fileStorage(database), part, timeZone);
    if (taken.isDone) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
  if (!taken.isDone) return taken;
  const problems = await explainUnsoundness(receiving, quiet, key);
  if (problems.length > 0) {
    remove(receiving);
    throw new CopyRefused(`The copy is not sound: ${problems.join('; ')}`);
  }
  for (const end of companions) rmSync(path + end, { force: true });
  renameSync(receiving, path);
  syncToDisk(path);
  return taken;
};

/** Throws if the clinic of a file is in use: a copy replaces none of its rows. */
const assertUnused = (path: string, key: FileKey): void => {
  if (findArchiveBeside(path) !== null)
    throw new CopyRefused('The clinic is not empty: it has an archive. A copy fills a new one.');
  const database = open(path, key);
  try {
    const found = database
      .prepare(
        'select exists (select 1 from users) or exists (select 1 from patients) or exists (select 1 from bookings)',
      )
      .raw()
      .all() as [number][];
    if (found[0]?.[0] === 1) throw new CopyRefused('The clinic is not empty: a copy fills a new one.');
  } finally {
    database.close();
  }
};
