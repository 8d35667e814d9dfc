import { findArchivedOfPatients } from '../../../core/archive/queries.ts';
import { type Both, readArchived } from '../../../core/archive/read.ts';
import { run } from '../../../core/db/db.ts';
import { findPairs } from './overlap-rules.ts';
import { findBookingsUntil } from './queries.ts';

const always = Number.MAX_SAFE_INTEGER;
/** More visits of a year ago and earlier than two records have. */
const mostRead = 5_000;

/**
 * The live bookings of two records that overlap, at most `limit`, where some are archived. As bookings of one patient they would
 * fail in a backup, which is one database with the bookings of both.
 */
export const findArchivedOverlaps = async (both: Both, source: string, target: string, limit: number) => {
  const patientIds = JSON.stringify([source, target]);
  const archived = await readArchived(
    both,
    (archive, wanted) =>
      findArchivedOfPatients(archive, {
        patientIds,
        fromStart: 0,
        beforeStart: always,
        endsBy: always,
        cursorStart: always,
        cursorId: '',
        status: null,
        doctorId: null,
        limit: wanted,
      }),
    mostRead,
  );
  if (archived.length === 0) return [];
  const until = Math.max(...archived.map(({ endsAt }) => endsAt));
  const own = await run(both.db, findBookingsUntil(both.db, { patientIds, until }));
  const rows = [...own, ...archived];
  const of = (id: string) => rows.filter(({ patientId }) => patientId === id);
  return findPairs(of(source), of(target)).slice(0, limit);
};
