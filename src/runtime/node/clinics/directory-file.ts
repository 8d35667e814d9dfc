import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { migrate } from 'drizzle-orm/libsql/migrator';
import { drizzle } from 'drizzle-orm/libsql/sqlite3';
import type { Db } from '../../../core/db/db.ts';
import { type EmbeddedOptions, openEmbedded } from '../../../core/db/embedded/client.ts';
import { SettingError } from '../../../core/settings/parse-settings.ts';
import type { ClinicEntry } from '../../../modules/clinics/queries.ts';
import { sizeOfFile } from '../checks/size.ts';
import { packageFolder } from '../package-folder.ts';
import { readSecrets } from '../secret.ts';
import type { AllSettings } from '../settings.ts';

const migrationsFolder = join(packageFolder, 'drizzle-directory');
const directoryName = 'directory.db';

export const directoryPath = (folder: string): string => join(resolve(folder), directoryName);

/** The path of a clinic's database: its own, or the one that its id names. */
export const clinicPath = (folder: string, { id, file }: Pick<ClinicEntry, 'id' | 'file'>): string =>
  resolve(folder, file ?? `${id}.db`);

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

/** Opens the directory of a folder and applies its migrations; with `make` both are made where they are not there. */
export const openDirectory = async (
  folder: string,
  {
    make = false,
    commitsInThread = false,
  }: { make?: boolean } & Pick<EmbeddedOptions, 'commitsInThread'> = {},
): Promise<OpenDirectory> => {
  const path = directoryPath(folder);
  if (make) mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!make && !existsSync(path))
    throw new SettingError(
      `${path} is not there: \`janji clinics add NAME --host HOST\` adds the first clinic.`,
    );
  const client = openEmbedded({ path, commitsInThread, cacheKib: 8_192, checkpointPages: 1_000 });
  const db = drizzle(client);
  try {
    await migrate(db, { migrationsFolder });
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
export const readClinicsSecrets = (settings: AllSettings, folder: string) =>
  readSecrets(settings, directoryPath(folder));

/** The sizes of the databases in a folder with their logs, by the ids of their clinics; one that was moved elsewhere is not among them. */
export const sizesIn = (folder: string): Map<string, number> => {
  const found = new Map<string, number>();
  for (const name of readdirSync(folder)) {
    const [, id] = /^(.+)\.db$/.exec(name) ?? [];
    if (id === undefined || name === directoryName) continue;
    const bytes = sizeOfFile(join(folder, name));
    if (bytes !== null) found.set(id, bytes);
  }
  return found;
};
