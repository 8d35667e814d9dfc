import type { Db } from '../../../core/db/db.ts';
import { type ClinicEntry, findClinic } from '../../../modules/clinics/queries.ts';
import { clinicsFolder, openDirectory } from '../clinics/directory-file.ts';
import { type AllSettings, parseAllSettings } from '../settings.ts';

export interface OpenedDirectory {
  directory: Db;
  folder: string;
  settings: AllSettings;
}

/** Does work with the directory of CLINICS_FOLDER open. */
export const withDirectory = async <T>(
  work: (opened: OpenedDirectory) => Promise<T>,
  { make = false } = {},
): Promise<T> => {
  const settings = parseAllSettings(process.env);
  const folder = clinicsFolder(settings);
  const { db, close } = await openDirectory(folder, { make });
  try {
    return await work({ directory: db, folder, settings });
  } finally {
    await close();
  }
};

/** The clinic of a host or an id; throws if there is none. */
export const findNamed = async (directory: Db, hostOrId: string): Promise<ClinicEntry> => {
  const found = await findClinic(directory, hostOrId);
  if (found === null) throw new Error(`No clinic has the host or the id ${hostOrId}.`);
  return found;
};

/** How long a service may go on with a clinic after it was closed: as long as it knows the directory, and some more. */
const lettingGoMs = 120_000;

/** Throws unless the clinic has been closed for so long that no service has its database open. */
export const assertLetGo = ({ name, state, stateSince }: ClinicEntry, now: number): void => {
  if (state !== 'closed') throw new Error(`${name} is open: close it first, with \`janji clinics close\`.`);
  const leftMs = stateSince + lettingGoMs - now;
  if (leftMs > 0)
    throw new Error(
      `${name} was closed a moment ago, and a service may still have its database open: try again in ${Math.ceil(leftMs / 1000)} seconds.`,
    );
};
