import { closeSync, openSync, statSync } from 'node:fs';
import { drizzle } from 'drizzle-orm/libsql/sqlite3';
import { type Archive, openArchive } from '../../../core/archive/archive.ts';
import { noteZone } from '../../../core/archive/schema-queries.ts';
import { dayMs } from '../../../core/clinic/durations.ts';
import { run } from '../../../core/db/db.ts';
import { DatabaseUnavailableError } from '../../../core/db/embedded/client.ts';
import type { FileThreads, ThreadedClient, ThreadedPlace } from '../../../core/db/embedded/file-threads.ts';
import { openLater } from '../../../core/db/embedded/later.ts';
import { findCause } from '../../../core/endpoint/errors.ts';
import { ClinicBroken, ClinicMoving } from '../../../modules/clinics/opener.ts';
import { archivePathOf } from '../database/archive.ts';
import { logEmptier } from '../database/database.ts';
import { assertNotPlain } from '../database/file-key.ts';
import { explainError } from '../reason.ts';

/** A clinic's archive: a file that is opened when it is asked for something. */
export interface ClinicArchive extends Archive {
  isBusy: () => boolean;
  isOpen: () => boolean;
  close: () => Promise<void>;
}

const idleMs = 30_000;

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

interface Needs {
  /** That of the clinic's own file. */
  place: ThreadedPlace;
  clinicId: string;
  /** Whether bookings go there. */
  isOn: boolean;
  timeZone: string;
  /** When the clinic has work to do, as the directory knows it: the archive's is none before. */
  dueAt: number | null;
  now: number;
}

/**
 * The archive beside a clinic's file, where bookings go there or some are there; undefined if neither. Nothing is opened before it
 * is asked for, and its file is made with the first booking that goes there.
 */
export const findClinicArchive = (
  threads: FileThreads,
  { place: own, clinicId, isOn, timeZone, dueAt, now }: Needs,
): ClinicArchive | undefined => {
  const place = { ...own, path: archivePathOf(own.path) };
  const { path } = place;
  if (!isOn && !isFile(path)) return undefined;
  const open = async (): Promise<ThreadedClient> => {
    let client: ThreadedClient | undefined;
    try {
      const isNew = !isFile(path);
      if (isNew) closeSync(openSync(path, 'a', 0o600));
      assertNotPlain(path, place.key);
      client = await threads.open(place);
      const db = drizzle(client);
      await openArchive({ db }, clinicId);
      if (isNew) await run(db, noteZone(db, { zone: timeZone }));
      return client;
    } catch (error) {
      await client?.end();
      if (findCause(error, DatabaseUnavailableError)?.code === 'not_owned')
        throw new ClinicMoving(`${path} is in use by another process`, 1, { cause: error });
      throw new ClinicBroken(explainError(error).replaceAll('DATABASE_URL', path), { cause: error });
    }
  };
  const client = openLater({ isThere: () => isFile(path), open, idleMs });
  return {
    db: drizzle(client),
    // Its job reads from the archive itself when it was done last.
    nextAt: Math.min(dueAt ?? 0, now + dayMs),
    emptyLog: logEmptier(client),
    isBusy: client.isBusy,
    isOpen: client.isOpen,
    close: client.end,
  };
};
