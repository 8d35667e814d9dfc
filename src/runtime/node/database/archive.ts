import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../../../core/settings/config.ts';
import { SettingError } from '../../../core/settings/parse-settings.ts';
import type { NodeSettings } from '../settings.ts';
import { type Connected, connectDatabase } from './database.ts';
import { isFileUrl, pathBeside, removeFile } from './database-file.ts';
import { isSameDatabase } from './same-database.ts';

export type ArchiveSettings = Pick<NodeSettings, 'DATABASE_URL'> &
  Partial<Pick<NodeSettings, 'DATABASE_AUTH_TOKEN' | 'DATABASE_KEY' | 'ARCHIVE_DATABASE_URL'>> &
  Partial<Pick<Config, 'ARCHIVE_AFTER_DAYS'>>;

/** The path of a database's archive beside it. */
export const archivePathOf = (path: string): string => pathBeside(path, 'archive');

/**
 * Where the archive is, whether there is one or not; null for a remote database without a setting. Throws where the setting names the
 * clinic's own database, which nothing may take for the archive.
 */
export const archiveUrlOf = ({ DATABASE_URL, ARCHIVE_DATABASE_URL }: ArchiveSettings): string | null => {
  if (ARCHIVE_DATABASE_URL === undefined)
    return isFileUrl(DATABASE_URL) ? `file:${archivePathOf(DATABASE_URL.slice('file:'.length))}` : null;
  if (isSameDatabase(ARCHIVE_DATABASE_URL, DATABASE_URL))
    throw new SettingError('ARCHIVE_DATABASE_URL is that of the clinic: the archive needs another one.');
  return ARCHIVE_DATABASE_URL;
};

/** The archive beside a database's file; null if there is none. */
export const findArchiveBeside = (path: string): string | null => {
  const archive = archivePathOf(path);
  return existsSync(archive) ? archive : null;
};

/** Deletes the archive beside a database's file. */
export const removeArchive = (path: string): void => removeFile(archivePathOf(path));

/** The path of an archive that is a file and there; null if there is none. */
export const findArchiveFile = (settings: ArchiveSettings): string | null => {
  const url = archiveUrlOf(settings);
  if (url === null || !isFileUrl(url)) return null;
  const path = resolve(url.slice('file:'.length));
  return existsSync(path) ? path : null;
};

/**
 * Opens the archive: where bookings are archived, and where some were, so that they are still read once the setting is off.
 * Null if there is none.
 */
export const connectArchive = async (settings: ArchiveSettings): Promise<Connected | null> => {
  const url = archiveUrlOf(settings);
  const isOn = (settings.ARCHIVE_AFTER_DAYS ?? 0) > 0;
  if (url !== null && isFileUrl(url) !== isFileUrl(settings.DATABASE_URL))
    throw new SettingError('ARCHIVE_DATABASE_URL is a file where DATABASE_URL is one, and only there.');
  if (url === null) {
    if (!isOn) return null;
    throw new SettingError('ARCHIVE_AFTER_DAYS needs an ARCHIVE_DATABASE_URL where DATABASE_URL is no file.');
  }
  const isNamed = settings.ARCHIVE_DATABASE_URL !== undefined;
  if (!isOn && (isFileUrl(url) || !isNamed) && findArchiveFile(settings) === null) return null;
  return connectDatabase(url, settings.DATABASE_AUTH_TOKEN, { key: settings.DATABASE_KEY });
};
