import type { FurtherRows } from '../db/copies/dump.ts';
import { type Db, run } from '../db/db.ts';
import { isArchive } from './archive.ts';
import { bookingRows, eventRows, findUnsettled } from './copy-queries.ts';
import {
  type ArchivedRow,
  findArchivedFrom,
  findCodesTaken,
  findEventsAfter,
  findStanding,
  findTwiceGiven,
  idList,
} from './queries.ts';

// What is archived, for a copy of the clinic in which all bookings are in the clinic's own tables.

const rowsAtOnce = 500;

/** Which bookings are in both databases. */
const findDoubled = async (db: Db, archive: Db): Promise<ReadonlySet<string>> => {
  const doubled = new Set<string>();
  for (let afterId = ''; ; ) {
    const open = await run(archive, findUnsettled(archive, { afterId, limit: 1_000 }));
    const last = open.at(-1);
    if (last === undefined) return doubled;
    for (const { id } of await run(db, findStanding(db, { ids: idList(open) }))) doubled.add(id);
    afterId = last.id;
  }
};

/** A code is unique in the clinic's own database, so that one that went to the archive may be given again. */
const withOwnCodes = async (
  db: Db,
  archive: Db,
  rows: readonly ArchivedRow[],
  newCode: () => string,
): Promise<ArchivedRow[]> => {
  const codes = JSON.stringify(rows.map(({ bookingCode }) => bookingCode));
  const taken = new Set((await run(db, findCodesTaken(db, { codes }))).map(({ code }) => code));
  const twice = new Set(
    (await run(archive, findTwiceGiven(archive, { ids: idList(rows) }))).map(({ id }) => id),
  );
  return rows.map((row) =>
    taken.has(row.bookingCode) || twice.has(row.id) ? { ...row, bookingCode: newCode() } : row,
  );
};

/**
 * Begins a copy of what is archived, of the moment in which this is called: until it has resolved nobody may write to the clinic's own
 * database, and until all is read nothing may come to the archive or leave it.
 */
export const beginArchivedCopy = async (
  db: Db,
  archive: Db,
  newCode: () => string,
): Promise<() => AsyncGenerator<FurtherRows>> => {
  const isThere = await isArchive(archive);
  const doubled = isThere ? await findDoubled(db, archive) : new Set<string>();
  return async function* () {
    if (!isThere) return;
    for (let afterId = ''; ; ) {
      const rows = await run(archive, findArchivedFrom(archive, { since: 0, afterId, limit: rowsAtOnce }));
      const last = rows.at(-1);
      if (last === undefined) break;
      const gone = rows.filter(({ id }) => !doubled.has(id));
      yield bookingRows(await withOwnCodes(db, archive, gone, newCode));
      afterId = last.id;
    }
    for (let afterSequence = 0; ; ) {
      const rows = await run(archive, findEventsAfter(archive, { afterSequence, limit: rowsAtOnce }));
      const last = rows.at(-1);
      if (last === undefined) return;
      const gone = rows.filter(({ bookingId }) => !doubled.has(bookingId));
      yield eventRows(gone);
      afterSequence = last.sequence;
    }
  };
};
