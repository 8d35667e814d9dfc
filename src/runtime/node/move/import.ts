import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@libsql/client';
import { openEmbedded } from '../../../core/db/embedded/client.ts';
import { openRemote } from '../../../core/db/remote/remote.ts';
import { SettingError } from '../../../core/settings/parse-settings.ts';
import { withOpened } from '../backup/age.ts';
import { anotherClinic, endedFeeds, endedKeys } from '../backup/another-clinic.ts';
import { copyLive, type Progress } from '../backup/live-copy.ts';
import { restore } from '../backup/restore.ts';
import { assertSound } from '../backup/soundness.ts';
import type { D1Place } from '../d1/wrangler.ts';
import { withFolder } from '../database/cleared.ts';
import { openDatabase } from '../database/database.ts';
import { parseFilePath } from '../database/database-file.ts';
import type { FileKey } from '../database/file-key.ts';
import { parseNodeSettings } from '../settings.ts';
import { copyRows } from './copy-rows.ts';
import { copyToD1 } from './d1.ts';
import { countRows, readColumns, sumCounts } from './layout.ts';

/** Opens for reading a verified copy of the given file, migrated to this version. */
const withSource = <T>(
  file: string,
  key: FileKey,
  progress: Progress,
  work: (source: Client) => Promise<T>,
): Promise<T> =>
  withFolder(async (folder) => {
    const path = join(folder, 'source.db');
    await copyLive(file, path, progress, key);
    await (await openDatabase(`file:${path}`, undefined, { key })).close();
    const source = openEmbedded({ path, key });
    try {
      return await work(source);
    } finally {
      source.close();
    }
  });

const countFile = async (path: string, key: FileKey): Promise<number> => {
  const client = openEmbedded({ path, key });
  try {
    return sumCounts(await countRows(client, [...(await readColumns(client)).keys()]));
  } finally {
    client.close();
  }
};

const importOpened = async (
  file: string,
  place: D1Place | null,
  environment: NodeJS.ProcessEnv,
  progress: Progress,
  keepId: boolean,
): Promise<number> => {
  const { DATABASE_URL, DATABASE_AUTH_TOKEN, DATABASE_KEY: key } = parseNodeSettings(environment);
  if (place === null && DATABASE_URL.startsWith('file:')) {
    const target = parseFilePath(DATABASE_URL, '');
    if (existsSync(target))
      throw new SettingError(
        `${target} exists: import fills a new database. \`restore --force\` puts one aside and takes its place.`,
      );
    await restore(file, target, { force: false, asNew: !keepId, now: Date.now(), progress, key });
    return countFile(target, key);
  }
  await assertSound(file, progress, key);
  return withSource(file, key, progress, async (source) => {
    if (!keepId) {
      await source.execute(anotherClinic());
      const { rows } = await source.execute('select name from sqlite_schema');
      const has = (table: string): boolean => rows.some(({ name }) => name === table);
      if (has('api_keys')) await source.execute(endedKeys);
      if (has('calendar_feeds')) await source.execute(endedFeeds);
    }
    if (place !== null) return sumCounts(await copyToD1(source, place, progress));
    await (await openDatabase(DATABASE_URL, DATABASE_AUTH_TOKEN)).close();
    const target = openRemote(DATABASE_URL, { authToken: DATABASE_AUTH_TOKEN });
    try {
      return sumCounts(await copyRows(source, target, progress));
    } finally {
      target.close();
    }
  });
};

/** Fills an empty database with a copy's rows and returns their number. Unless it only moves, the clinic gets a new id. */
export const importCopy = (
  file: string,
  place: D1Place | null,
  environment: NodeJS.ProcessEnv,
  progress: Progress,
  keepId = false,
): Promise<number> =>
  withOpened(file, parseNodeSettings(environment).BACKUP_IDENTITY_FILE, (path) =>
    importOpened(path, place, environment, progress, keepId),
  );
