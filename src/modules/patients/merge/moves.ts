import type { Deps } from '../../../core/deps.ts';
import type { Author } from '../../auth/audit/rules.ts';
import type { BookingRow } from '../../booking/record/queries.ts';
import { eventPayload } from '../../booking/record/views.ts';
import { bookingsToMove } from './rules.ts';

interface Moving {
  deps: Deps;
  by: Author;
  source: string;
  target: string;
}

/** Bookings that change, each with the version it had and the payload of its event, as JSON. */
export const serializeChanges = (nexts: readonly BookingRow[], { role }: Author): string =>
  JSON.stringify(
    nexts.map((next) => ({
      id: next.id,
      version: next.version - 1,
      starts_at: next.startsAt,
      write_id: next.writeId,
      payload: eventPayload(next, role),
    })),
  );

/** The bookings of the source that a step moves, and the open offers of both records afterwards. */
export const planMoves = (
  { deps, by, source, target }: Moving,
  rows: readonly BookingRow[],
  offers: readonly BookingRow[],
) => {
  const moved = bookingsToMove(rows, offers, source).map((row) => {
    const changed = { version: row.version + 1, writeId: deps.newId(), updatedAt: by.now };
    return { ...row, patientId: target, ...changed };
  });
  return {
    count: moved.length,
    moves: serializeChanges(moved, by),
    offers: offers.map((offer) => moved.find(({ id }) => id === offer.id) ?? offer),
  };
};
