import { join, resolve } from 'node:path';
import { hourMs } from '../../../core/clinic/durations.ts';
import type { Db } from '../../../core/db/db.ts';
import type { BackupState } from '../../../core/deps.ts';
import { findCause, Unavailable } from '../../../core/endpoint/errors.ts';
import type { Logger } from '../../../core/log.ts';
import { loggerWith } from '../../../core/log.ts';
import { type ClinicEntry, listClinics } from '../../../modules/clinics/queries.ts';
import { type Backups, createBackups } from '../backup/scheduled.ts';
import { archivePathOf } from '../database/archive.ts';
import type { AllSettings } from '../settings.ts';
import { clinicPath } from './directory-file.ts';

export interface ClinicsBackups {
  readState: (clinicId: string) => BackupState;
  /** Makes the backups that are due, of one clinic after another. */
  look: (stopping: AbortSignal) => Promise<void>;
}

interface Needs {
  directory: Db;
  folder: string;
  clock: () => number;
  log: Logger;
  /** Does work on a clinic's file while no other machine has it; throws if one has. */
  held: (clinic: ClinicEntry, work: () => Promise<void>) => Promise<void>;
}

/** Backups of all clinics in turn, each in a folder of its id, from which it is restored alone; null if none are made. */
export const createClinicsBackups = (
  settings: AllSettings,
  { directory, folder, clock, log, held }: Needs,
): ClinicsBackups | null => {
  const { BACKUP_FOLDER, BACKUP_EVERY, BACKUP_KEEP: keep, DATABASE_KEY, BACKUP_RECIPIENT } = settings;
  if (BACKUP_FOLDER === undefined) return null;
  const made = new Map<string, Backups>();
  const of = (clinic: Pick<ClinicEntry, 'id' | 'file'>): Backups => {
    const { id } = clinic;
    const source = clinicPath(folder, clinic);
    const known = made.get(`${id} ${source}`);
    if (known !== undefined) return known;
    const plan = {
      source,
      archive: archivePathOf(source),
      folder: join(resolve(BACKUP_FOLDER), id),
      everyMs: BACKUP_EVERY * hourMs,
      keep,
      DATABASE_KEY,
      BACKUP_RECIPIENT,
    };
    const backups = createBackups(plan, { clock, log: loggerWith(log, { clinic: id }) });
    made.set(`${id} ${source}`, backups);
    return backups;
  };
  return {
    // The state is read from the folder of the backups, wherever the database is.
    readState: (id) => of({ id, file: null }).readState(),
    look: async (stopping) => {
      for (const clinic of await listClinics(directory)) {
        if (stopping.aborted) return;
        const one = of(clinic);
        if (clinic.problem !== null || !one.isDue()) continue;
        await held(clinic, () => one.look(stopping)).catch((error: unknown) => {
          // The machine that has it makes its backups.
          if (findCause(error, Unavailable) === null) throw error;
        });
      }
    },
  };
};
