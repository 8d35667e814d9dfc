import { hostname } from 'node:os';
import type { Command } from 'commander';
import type { Db } from '../../../core/db/db.ts';
import { directoryNow, findOwner } from '../../../modules/clinics/lease-queries.ts';
import { type ClinicEntry, findClinic } from '../../../modules/clinics/queries.ts';
import { msUntilLetGo } from '../../../modules/clinics/rules.ts';
import { type Deployment, reachDeployment } from '../clinics/deployment.ts';
import { clinicsFolder, openDirectory, sharedDirectory } from '../clinics/directory-file.ts';
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
  const { db, close } = await openDirectory(folder, { make, shared: sharedDirectory(settings) });
  try {
    return await work({ directory: db, folder, settings });
  } finally {
    await close();
  }
};

/** Where the clinics are: in the folder of CLINICS_FOLDER, or at a deployment elsewhere. */
export interface PlaceOption {
  at?: string;
}

/** Lets a command work at a deployment elsewhere too. */
export const addPlace = (command: Command): Command =>
  command.option('--at <url>', 'at the deployment of this address, by its OPERATOR_SECRET');

/** Does work at a deployment elsewhere where the options name one, else with the directory of CLINICS_FOLDER open. */
export const atPlace = <T>(
  { at }: PlaceOption,
  {
    there,
    here,
    make,
  }: {
    there: (deployment: Deployment) => Promise<T>;
    here: (opened: OpenedDirectory) => Promise<T>;
    make?: boolean;
  },
): Promise<T> =>
  at === undefined ? withDirectory(here, { make: make ?? false }) : there(reachDeployment(at, process.env));

/** The clinic of a host or an id; throws if there is none. */
export const findNamed = async (directory: Db, hostOrId: string): Promise<ClinicEntry> => {
  const found = await findClinic(directory, hostOrId);
  if (found === null) throw new Error(`No clinic has the host or the id ${hostOrId}.`);
  return found;
};

/** Throws unless the clinic has been closed for so long that no service has its database open. */
export const assertLetGo = (clinic: ClinicEntry, now: number): void => {
  const { name, state } = clinic;
  if (state !== 'closed') throw new Error(`${name} is open: close it first, with \`janji clinics close\`.`);
  const leftMs = msUntilLetGo(clinic, now);
  if (leftMs > 0)
    throw new Error(
      `${name} was closed a moment ago, and a service may still have its database open: try again in ${Math.ceil(leftMs / 1000)} seconds.`,
    );
};

/** Throws if another computer serves the clinic: two computers must not have a file open, not even through a shared folder. */
export const assertNotElsewhere = async (
  { directory, settings }: Pick<OpenedDirectory, 'directory' | 'settings'>,
  { id, name }: ClinicEntry,
): Promise<void> => {
  if (settings.CLINICS_DIRECTORY === undefined) return;
  const owner = await findOwner(directory, id, directoryNow);
  if (owner !== null && owner.computer !== hostname())
    throw new Error(
      `${name} is at ${owner.address}: run the command on that machine (${owner.computer}), or close the clinic first.`,
    );
};
