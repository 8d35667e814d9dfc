import { join } from 'node:path';
import { SettingError } from '../../../core/settings/parse-settings.ts';
import { counted } from '../counted-rules.ts';
import { withFolder } from '../database/cleared.ts';
import { openDatabase } from '../database/database.ts';
import { assertFile, withFile } from '../database/database-file.ts';
import type { FileKey } from '../database/file-key.ts';
import { findProblems } from '../database/invariants.ts';
import { readSchemaVersion, schemaProblem } from '../database/schema-version.ts';
import { matchesChecksum } from './checksum.ts';
import { copyLive, type Progress } from './live-copy.ts';

/** Runs work on a copy of an older file that was migrated to this version. */
const withMigratedCopy = <T>(
  path: string,
  progress: Progress,
  work: (copy: string) => T,
  key: FileKey,
): Promise<T> =>
  withFolder(async (folder) => {
    const copy = join(folder, 'copy.db');
    await copyLive(path, copy, progress, key);
    await (await openDatabase(`file:${copy}`, undefined, { key })).close();
    return work(copy);
  });

/** That a copy cannot be written says nothing about a file. */
const isFull = (reason: string): boolean =>
  /disk is full|ENOSPC|EDQUOT|could not be copied: disk I\/O error/.test(reason);

/** Why a file is not an intact database of this service, one line per reason; none if it is. */
export const explainUnsoundness = async (
  path: string,
  progress: Progress,
  key?: FileKey,
): Promise<string[]> => {
  assertFile(path);
  if ((await matchesChecksum(path)) === false)
    return ['changed: it is not the file that was checksummed when it was made'];
  try {
    const version = withFile(path, readSchemaVersion, key);
    if (version === 'current') return findProblems(path, key);
    if (version !== 'older') return [schemaProblem[version]];
    return await withMigratedCopy(path, progress, (copy) => findProblems(copy, key), key);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read';
    if (isFull(reason)) throw error;
    const isUnread = /not a database/.test(reason);
    return [`damaged${isUnread ? ', or encrypted with another DATABASE_KEY' : ''}: ${reason}`];
  }
};

export const assertSound = async (path: string, progress: Progress, key?: FileKey): Promise<void> => {
  const problems = await explainUnsoundness(path, progress, key);
  if (problems.length > 0) throw new SettingError(`${path} is not sound:\n${problems.join('\n')}`);
};

/** The numbers of the most important rows of a database. */
export interface Contents {
  /** With an account. */
  people: number;
  patients: number;
  bookings: number;
  events: number;
}

const countRows = (path: string, key?: FileKey): Contents =>
  withFile(
    path,
    (database) => {
      const counts = ['users', 'patients', 'bookings', 'booking_events'].map((table) => {
        const [row] = database.prepare(`select count(*) from ${table}`).raw().all() as [number][];
        return row?.[0] ?? 0;
      });
      const [people = 0, patients = 0, bookings = 0, events = 0] = counts;
      return { people, patients, bookings, events };
    },
    key,
  );

/** What a sound database of this version or an older one contains, as this version counts it. */
export const readContents = (
  path: string,
  progress: Progress,
  key?: FileKey,
): Contents | Promise<Contents> =>
  withFile(path, readSchemaVersion, key) === 'older'
    ? withMigratedCopy(path, progress, (copy) => countRows(copy, key), key)
    : countRows(path, key);

export const inWords = ({ people, patients, bookings, events }: Contents): string =>
  `${counted(people, 'account')}, ${counted(patients, 'patient')}, ${counted(bookings, 'booking')}, ${counted(events, 'event')}`;
