import { statSync } from 'node:fs';
import { largeBytes } from '../../../modules/health/rules.ts';
import { counted } from '../counted-rules.ts';
import { type ArchiveSettings, archiveUrlOf, findArchiveFile } from '../database/archive.ts';
import { companions } from '../database/database-file.ts';
import { type Finding, note, ok, wrong } from './finding.ts';

/** The size of a database file with its log; null if it is not there. */
export const sizeOfFile = (path: string): number | null => {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined) return null;
  return companions.reduce(
    (sum, end) => sum + (statSync(path + end, { throwIfNoEntry: false })?.size ?? 0),
    file.size,
  );
};

const inWords = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

/** A line about the archive: its size, or that there is none yet. */
export const checkArchive = (settings: ArchiveSettings): Finding[] => {
  const path = findArchiveFile(settings);
  const days = settings.ARCHIVE_AFTER_DAYS ?? 0;
  const isOn = days > 0 ? `bookings go there after ${counted(days, 'day')}` : 'no more bookings go there';
  if (path !== null) return [ok('archive', `${inWords(sizeOfFile(path) ?? 0)}, ${isOn}`)];
  if (days === 0) return [];
  return [
    archiveUrlOf(settings) === null
      ? wrong('archive', 'there is no place for it', 'set ARCHIVE_DATABASE_URL')
      : ok('archive', isOn),
  ];
};

/** A line with the size of a database; a note from 8 GB on. */
export const checkSize = (bytes: number | null): Finding[] => {
  if (bytes === null) return [];
  if (bytes < largeBytes) return [ok('size', inWords(bytes))];
  return [
    note(
      'size',
      `${inWords(bytes)}: D1 and the objects of Workers end at 10 GB, and backups of a file take long`,
      'let RETENTION_YEARS remove old bookings, or move the clinic to a file: docs/scaling.md',
    ),
  ];
};
