import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import { migrate } from 'drizzle-orm/libsql/migrator';
import { drizzle } from 'drizzle-orm/libsql/sqlite3';
import type { Db } from '../../../core/db/db.ts';
import { type EmbeddedOptions, openEmbedded } from '../../../core/db/embedded/client.ts';
import { SettingError } from '../../../core/settings/parse-settings.ts';
import { type ClinicEntry, findClinicsOfFile } from '../../../modules/clinics/queries.ts';
import { sizeOfFile } from '../checks/size.ts';
import { isSameFile, placeOf } from '../database/same-database.ts';
import { packageFolder } from '../package-folder.ts';
import { readSecrets } from '../secret.ts';
import type { AllSettings } from '../settings.ts';

const migrationsFolder = join(packageFolder, 'drizzle-directory');
const directoryName = 'directory.db';

const directoryPath = (folder: string): string => join(resolve(folder), directoryName);

/** The path of a clinic's database: its own, or the one that its id names. */
export const clinicPath = (folder: string, { id, file }: Pick<ClinicEntry, 'id' | 'file'>): string =>
  resolve(folder, file ?? `${id}.db`);

/**
 * Throws where one of these paths is that of a clinic's own database, whatever its name says and through whatever links it leads: a
 * clinic of before the names of archives and sandboxes may have one of them.
 */
export const assertNobodys = async (
  directory: Db,
  folder: string,
  paths: readonly string[],
): Promise<void> => {
  for (const path of paths) {
    const ids = [path, placeOf(path)].map((one) => basename(one, '.db'));
    const named = await findClinicsOfFile(directory, ids);
    const found = named.find((clinic) => isSameFile(clinicPath(folder, clinic), path));
    if (found !== undefined)
      throw new Error(
        `${path} is the database of the clinic ${found.name} (${found.id}): move that elsewhere first.`,
      );
  }
};

/** The folder of the clinics; throws if the settings name none. */
export const clinicsFolder = ({ CLINICS, CLINICS_FOLDER }: AllSettings): string => {
  if (CLINICS === undefined)
    throw new SettingError('CLINICS is not set: `CLINICS=files` serves many clinics (docs/clinics.md).');
  return resolve(CLINICS_FOLDER);
};

interface OpenDirectory {
  db: Db;
  close: () => Promise<void>;
}

interface DirectoryOptions extends Pick<EmbeddedOptions, 'commitsInThread'> {
  /** Whether it is made where it is not there. */
  make?: boolean;
  /** Where several machines share it; else it is a file of the folder. */
  shared?: { url: string; token?: string | undefined } | null;
}

/** The directory that several machines share; null where it is a file of the folder. */
export const sharedDirectory = ({
  CLINICS_DIRECTORY: url,
  CLINICS_DIRECTORY_TOKEN: token,
}: AllSettings): NonNullable<DirectoryOptions['shared']> | null =>
  url === undefined ? null : { url, token };

/** Another process may apply them at the same moment: then they are found applied. */
const migrateOnce = async (db: LibSQLDatabase): Promise<void> => {
  try {
    await migrate(db, { migrationsFolder });
  } catch {
    await migrate(db, { migrationsFolder });
  }
};

const openShared = async (url: string, token: string | undefined): Promise<OpenDirectory> => {
  // Loaded when there is one.
  const { openRemote } = await import('../../../core/db/remote/remote.ts');
  const client = openRemote(url, { authToken: token });
  const db = drizzle(client);
  try {
    await migrateOnce(db);
  } catch (error) {
    client.close();
    throw error;
  }
  return { db, close: async () => client.close() };
};

/** Opens the directory of a folder, or that of several machines, and applies its migrations. */
export const openDirectory = async (
  folder: string,
  { make = false, commitsInThread = false, shared = null }: DirectoryOptions = {},
): Promise<OpenDirectory> => {
  if (make) mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (shared !== null && !shared.url.startsWith('file:')) return openShared(shared.url, shared.token);
  const path = shared === null ? directoryPath(folder) : resolve(shared.url.slice('file:'.length));
  if (!make && !existsSync(path))
    throw new SettingError(
      `${path} is not there: \`janji clinics add NAME --host HOST\` adds the first clinic.`,
    );
  const client = openEmbedded({ path, commitsInThread, cacheKib: 8_192, checkpointPages: 1_000 });
  const db = drizzle(client);
  try {
    await migrateOnce(db);
  } catch (error) {
    client.close();
    throw error;
  }
  return {
    db,
    close: async () => {
      await client.drain();
      client.close();
    },
  };
};

/** The secrets of all clinics: the settings', else those beside the directory. */
export const readClinicsSecrets = (settings: AllSettings, folder: string) => {
  for (const name of ['JWT_SECRET', 'DATA_KEY'] as const)
    if (settings.CLINICS_DIRECTORY !== undefined && settings[name] === undefined)
      throw new SettingError(`${name} is not set: with CLINICS_DIRECTORY all machines take the same one.`);
  return readSecrets(settings, directoryPath(folder));
};

/**
 * The sizes of the databases in a folder with their logs, by the ids of their clinics; those that were moved elsewhere and
 * sandboxes are not among them.
 */
export const sizesIn = (folder: string, which: 'own' | 'archives'): Map<string, number> => {
  const found = new Map<string, number>();
  for (const name of readdirSync(folder)) {
    const [, id, beside] = /^(.+?)(-archive|-sandbox)?\.db$/.exec(name) ?? [];
    if (id === undefined || name === directoryName) continue;
    if (beside !== (which === 'archives' ? '-archive' : undefined)) continue;
    const bytes = sizeOfFile(join(folder, name));
    if (bytes !== null) found.set(id, bytes);
  }
  return found;
};
