import { join } from 'node:path';
import type { Client } from '@libsql/client';
import { openEmbedded } from '../../../core/db/embedded/client.ts';
import { openRemote } from '../../../core/db/remote/remote.ts';
import { backUp, type CopyKeys, type Made, makeCopy } from '../backup/backup.ts';
import { copyLive, type Progress } from '../backup/live-copy.ts';
import type { D1Place } from '../d1/wrangler.ts';
import { findArchiveFile } from '../database/archive.ts';
import { withFolder } from '../database/cleared.ts';
import { openDatabase } from '../database/database.ts';
import { parseFilePath } from '../database/database-file.ts';
import type { FileKey } from '../database/file-key.ts';
import { parseNodeSettings } from '../settings.ts';
import { copyRows } from './copy-rows.ts';
import { copyFromD1 } from './d1.ts';
import type { Counts } from './layout.ts';

type Fill = (target: Client) => Promise<Counts>;

/** Lets a migrated database be filled, and turns it into a single file without a write-ahead log. */
const makeFilled = (file: string, keys: CopyKeys, progress: Progress, fill: Fill): Promise<Made> => {
  const { key } = keys;
  const filled = (partial: string, to: FileKey) =>
    withFolder(async (folder) => {
      const path = join(folder, 'filled.db');
      await (await openDatabase(`file:${path}`, undefined, { key })).close();
      const target = openEmbedded({ path, key });
      try {
        await fill(target);
      } finally {
        target.close();
      }
      await copyLive(path, partial, progress, key, to ?? null);
    });
  return makeCopy(file, progress, filled, keys);
};

/** Copies any database of this service into a new file. */
export const exportCopy = async (
  file: string,
  place: D1Place | null,
  environment: NodeJS.ProcessEnv,
  progress: Progress,
): Promise<Made> => {
  const settings = parseNodeSettings(environment);
  const keys = { key: settings.DATABASE_KEY, recipient: settings.BACKUP_RECIPIENT };
  if (place !== null)
    return makeFilled(file, keys, progress, (target) => copyFromD1(place, target, progress));
  const { DATABASE_URL, DATABASE_AUTH_TOKEN } = settings;
  if (DATABASE_URL.startsWith('file:'))
    return backUp(parseFilePath(DATABASE_URL, ''), file, progress, keys, findArchiveFile(settings));
  const source = openRemote(DATABASE_URL, { authToken: DATABASE_AUTH_TOKEN });
  try {
    return await makeFilled(file, keys, progress, (target) => copyRows(source, target, progress));
  } finally {
    source.close();
  }
};
