import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Db } from '../../../core/db/db.ts';
import { consoleLogger } from '../../../core/log.ts';
import { directoryNow, type Owner } from '../../../modules/clinics/lease-queries.ts';
import { type ClinicEntry, findClinic } from '../../../modules/clinics/queries.ts';
import { msUntilLetGo } from '../../../modules/clinics/rules.ts';
import { type Deployment, reachDeployment } from '../clinics/deployment.ts';
import {
  assertNobodys,
  clinicPath,
  clinicsFolder,
  openDirectory,
  sharedDirectory,
} from '../clinics/directory-file.ts';
import { ClinicElsewhere, createLeases, type Lease } from '../clinics/machines/leases.ts';
import { whileOwned } from '../clinics/machines/while-owned.ts';
import { counted } from '../counted-rules.ts';
import { pathsBeside } from '../database/database-file.ts';
import { type AllSettings, parseAllSettings } from '../settings.ts';
import { note } from './terminal.ts';

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
      `${name} was closed a moment ago, and a service may still have its database open: try again in ${counted(Math.ceil(leftMs / 1000), 'second')}.`,
    );
};

const assertHere = ({ name }: ClinicEntry, { address, computer }: Owner): void => {
  if (address === '')
    throw new Error(`Another command works on ${name}, on ${computer}: try again when it has ended.`);
  if (computer !== hostname())
    throw new Error(
      `${name} is at ${address}: run the command on that machine (${computer}), or close the clinic first.`,
    );
};

/** The locks are later than the directory, which was restored: a machine of before stops within a lease. */
const afterLease = async ({ raise }: Lease, leaseMs: number): Promise<number | null> => {
  const seconds = Math.ceil(leaseMs / 1000);
  note(
    `The directory was restored from an earlier copy: waiting ${counted(seconds, 'second')} for machines of before.`,
  );
  await sleep(leaseMs);
  return raise();
};

/**
 * Does work on a clinic's file that no machine opens meanwhile: the command takes the clinic's lease, as a machine does,
 * and the lock beside the file. Beside a service of the same computer it works as ever, since that has the lease.
 */
export const whileHeld = async <T>(
  { directory, folder, settings }: OpenedDirectory,
  clinic: ClinicEntry,
  work: () => Promise<T>,
  /** Whether no service of this computer may have it open either. */
  { isAlone = false } = {},
): Promise<T> => {
  const path = clinicPath(folder, clinic);
  // What replaces or deletes its file does so with what lies beside it.
  if (isAlone) await assertNobodys(directory, folder, pathsBeside(path));
  if (settings.CLINICS_DIRECTORY === undefined) return work();
  const leaseMs = settings.CLINICS_LEASE * 1000;
  const leases = createLeases({
    directory,
    machine: { address: '', computer: hostname() },
    leaseMs,
    now: directoryNow,
    log: consoleLogger('error'),
    lost: () => {},
  });
  await leases.start();
  try {
    const lease = await leases.take(clinic.id).catch((error: unknown) => {
      if (!(error instanceof ClinicElsewhere)) throw error;
      assertHere(clinic, error.owner);
      if (isAlone)
        throw new Error(`${clinic.name} is still open at ${error.owner.address}: try again in a minute.`);
      return null;
    });
    if (lease === null) return await work();
    return await whileOwned(lease, path, work, () => afterLease(lease, leaseMs));
  } finally {
    await leases.leave();
  }
};
