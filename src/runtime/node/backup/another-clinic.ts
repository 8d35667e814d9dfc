import { join } from 'node:path';
import type Database from 'libsql';
import type { ClinicIdentity } from '../../../core/crypto/clinic-keys.ts';
import { withFolder } from '../database/cleared.ts';
import { openDatabase } from '../database/database.ts';
import { withFile } from '../database/database-file.ts';
import type { FileKey } from '../database/file-key.ts';
import { copyLive, type Progress } from './live-copy.ts';

/** Gives the clinic of a database a new id, so that it accepts no token of the original clinic. */
export const anotherClinic = (id: string = crypto.randomUUID()) =>
  `update clinic set clinic_id = '${id}', legacy_keys_until = null`;

/** Ends the API keys of a database that became another clinic's: they open nothing there, and shall say so. */
export const endedKeys = `update api_keys set revoked_at = unixepoch() * 1000 where revoked_at is null`;

/** Its calendar addresses open nothing there either. */
export const endedFeeds = 'delete from calendar_feeds';

/** All of it: the statements by which a copy becomes another clinic's. */
export const asAnotherClinic = (id?: string): string => [anotherClinic(id), endedKeys, endedFeeds].join('; ');

/** Copies a database as another clinic's, migrated to this version. */
export const copyAsAnother = (from: string, to: string, progress: Progress, key?: FileKey): Promise<void> =>
  withFolder(async (folder) => {
    const copy = join(folder, 'copy.db');
    await copyLive(from, copy, progress, key);
    await (await openDatabase(`file:${copy}`, undefined, { key })).close();
    withFile(copy, (database) => database.exec(asAnotherClinic()), key);
    // Copied again, because the driver may keep the closed connection and its log for a while.
    await copyLive(copy, to, progress, key);
  });

/** The clinic id of a database file; older schemas have none. */
export const identityIn = (
  database: Database.Database,
  setting: string | undefined,
  now: number,
): ClinicIdentity => {
  const [row] = database.prepare('select * from clinic').all() as Record<string, unknown>[];
  const { clinic_id: own, legacy_keys_until: until } = row ?? {};
  const isOlder = row !== undefined && !('clinic_id' in row);
  return {
    clinicId: setting ?? (typeof own === 'string' ? own : ''),
    hasLegacyKeys: isOlder || (typeof until === 'number' && until > now),
    sealedByJwt: row?.sealed_by_jwt !== 0,
  };
};
