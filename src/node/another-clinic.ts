import type Database from 'libsql';
import type { ClinicIdentity } from '../clinic-keys.ts';
import { SettingError } from '../config.ts';
import { openDatabase } from './database.ts';
import { withFile } from './database-file.ts';

/** Gives the clinic of a database a new id, so that it takes no token of the one that it was copied from. */
export const anotherClinic = () =>
  `update clinic set clinic_id = '${crypto.randomUUID()}', legacy_keys_until = null`;

/** Makes a copy that nobody uses another clinic's, brought up to this version and without a write-ahead log. */
export const makeAnotherClinic = async (path: string): Promise<void> => {
  await (await openDatabase(`file:${path}`)).close();
  withFile(path, (database) => {
    database.exec(anotherClinic());
    const [row] = database.prepare('PRAGMA journal_mode = DELETE').raw().all() as [string][];
    if (row?.[0] !== 'delete') throw new SettingError(`${path} is in use.`);
  });
};

/** Whose keys a database file has; before this version migrates it, clinics had no id. */
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
  };
};
