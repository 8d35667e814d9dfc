import { closeSync, existsSync, openSync } from 'node:fs';
import type { FileThreads, ThreadedPlace } from '../../../core/db/embedded/file-threads.ts';
import type { OpenSandbox } from '../../../core/deps.ts';
import type { Logger } from '../../../core/log.ts';
import { openInTurn } from '../../../modules/sandbox/on-demand.ts';
import { pathBeside } from '../database/database-file.ts';
import { type ClinicDatabase, openClinicDatabase } from './clinic-database.ts';

interface Needs {
  /** That of the clinic's own file. */
  place: ThreadedPlace;
  /** Makes the sandbox of its database. */
  open: (database: ClinicDatabase) => Promise<OpenSandbox>;
  log: Pick<Logger, 'error'>;
  clock: () => number;
}

/**
 * The sandbox beside a clinic's file. Its file is made with the first test key and opened with the first request of one; it is
 * closed with the clinic.
 */
export const findClinicSandbox = (threads: FileThreads, { place: own, ...given }: Needs) => {
  const place = { ...own, path: pathBeside(own.path, 'sandbox') };
  const find = async (how?: 'make'): Promise<ClinicDatabase | null> => {
    if (!existsSync(place.path)) {
      if (how !== 'make') return null;
      closeSync(openSync(place.path, 'a', 0o600));
    }
    return openClinicDatabase(threads, place);
  };
  return openInTurn({ find, ...given });
};
