import { findArchivedOfPatients } from '../../../core/archive/queries.ts';
import { type Both, readArchived } from '../../../core/archive/read.ts';
import { run } from '../../../core/db/db.ts';
import { findPairs } from './overlap-rules.ts';
import { findBookingsUntil } from './queries.ts';

const always = Number.MAX_SAFE_INTEGER;
/** More visits of a year ago and earlier than two records have. */
const mostRead = 5_000;

/**
 * The overlapping live bookings of two records, of which at least one is archived: their backup, in which both databases are
 * one, refuses them as one patient's.
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
  const isArchived = new Set(archived.map(({ id }) => id));
  const of = (id: string) => rows.filter(({ patientId }) => patientId === id);
  return findPairs(of(source), of(target), mostRead)
    .filter((pair) => isArchived.has(pair.source.id) || isArchived.has(pair.into.id))
    .slice(0, limit);
};
