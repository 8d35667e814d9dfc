import { ClinicMismatch } from '../clinic/row.ts';
import { type Db, run, runAll } from '../db/db.ts';
import { findRangeEnd, unsettle } from './copy-queries.ts';
import { clearArchived, clearArchivedEvents, moveEventsToRecord, moveToRecord } from './follow-queries.ts';
import {
  type ArchivedTable,
  archiveTables,
  claimArchive,
  findArchive,
  findColumns,
  missingColumns,
  noteNext,
} from './schema-queries.ts';

/** The second database of a clinic, with the bookings that are older than its horizon. */
export interface Archive {
  db: Db;
  /** When its job runs next. */
  nextAt: number;
  /** How often in a row its job failed, as far as this process knows. */
  failures?: number;
  emptyLog?: (when: 'now' | 'if left') => Promise<void>;
}

/**
 * Makes an archive's tables where they are missing, and the columns that this version added. Refuses the archive of another
 * clinic, and the clinic's own database.
 */
export const openArchive = async (
  { db, emptyLog }: Pick<Archive, 'db' | 'emptyLog'>,
  clinicId: string,
): Promise<Archive> => {
  const tables: ArchivedTable[] = ['bookings', 'booking_events'];
  const read = { found: findArchive(db, {}), columns: tables.map((table) => findColumns(db, { table })) };
  const columns = await run(db, findColumns(db, { table: 'archive' }));
  if (columns.length === 0) {
    const foreign = await run(db, findColumns(db, { table: 'patients' }));
    if (foreign.length > 0)
      throw new ClinicMismatch('The archive is a database of a clinic: give it one of its own.');
    await runAll(
      db,
      archiveTables.map((make) => make(db, {})),
    );
    await run(db, claimArchive(db, { clinicId }));
  }
  const { found, columns: present } = await runAll(db, read);
  const missing = tables.flatMap((table, at) => missingColumns(table, present[at] ?? []));
  if (missing.length > 0)
    await runAll(
      db,
      missing.map((add) => add(db, {})),
    );
  if (found[0]?.clinicId !== clinicId)
    throw new ClinicMismatch(
      `The archive is that of the clinic ${found[0]?.clinicId}, and this one is ${clinicId}: give it its own.`,
    );
  return { db, nextAt: found[0].nextAt, ...(emptyLog !== undefined && { emptyLog }) };
};

/** Whether a database has the tables of an archive. */
export const isArchive = async (db: Db): Promise<boolean> =>
  (await run(db, findColumns(db, { table: 'archive' }))).length > 0;

const bookingsAStep = 10_000;

/**
 * For a clinic whose own database is brought back to an earlier moment: which archived bookings it will have again nobody knows, so each
 * is compared with it when it is read, and the job settles them with its next round. Gives whether there is an archive.
 */
export const unsettleArchive = async (db: Db): Promise<boolean> => {
  if (!(await isArchive(db))) return false;
  await run(db, noteNext(db, { at: 0 }));
  for (let afterId = ''; ; ) {
    const [end] = await run(db, findRangeEnd(db, { afterId, limit: bookingsAStep }));
    const lastId = end?.id ?? null;
    if (lastId === null) return true;
    await run(db, unsettle(db, { afterId, lastId }));
    afterId = lastId;
  }
};

/** Takes out of archived bookings what an erasure of these patients takes out of the others. */
export const clearOfPatients = async (
  archive: Archive | undefined,
  ids: readonly string[],
): Promise<void> => {
  if (archive === undefined || ids.length === 0) return;
  const { db } = archive;
  const patientIds = JSON.stringify(ids);
  await runAll(db, [clearArchivedEvents(db, { patientIds }), clearArchived(db, { patientIds })]);
  await archive.emptyLog?.('now');
};

/**
 * Gives the archived bookings of one record to another one, after a merge. With `of`, after a merge was taken back: only those that
 * belonged to that record before the merge.
 */
export const moveArchivedToRecord = async (
  archive: Archive | undefined,
  from: string,
  to: string,
  of: string | null = null,
): Promise<void> => {
  if (archive === undefined) return;
  const { db } = archive;
  await runAll(db, [moveToRecord(db, { from, to, of }), moveEventsToRecord(db, { to })]);
};
