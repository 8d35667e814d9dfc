// Pure: which free seat goes to whom, in the order of the list. The offer asks all of it again as it is written.

import type { waitlistEntries } from '../../tables/queues.ts';
import type { BookingRow } from '../record/queries.ts';
import type { FreeSlot } from '../seats/offers.ts';

/** An entry that may be offered something. */
export type Waiter = Pick<
  typeof waitlistEntries.$inferSelect,
  'patientId' | 'sessionId' | 'doctorId' | 'fromDate' | 'toDate' | 'earliestTime' | 'latestTime'
>;

export interface OpenSlot extends FreeSlot {
  /** How many of its seats are free. */
  remaining: number;
}

/** What a patient has or had at a time. */
type Visit = Pick<BookingRow, 'doctorId' | 'startsAt' | 'endsAt' | 'status' | 'heldUntil' | 'canceledBy'>;

type Span = Pick<FreeSlot, 'startsAt' | 'endsAt'>;
const overlap = (a: Span, b: Span): boolean => a.startsAt < b.endsAt && b.startsAt < a.endsAt;

/** Whether a visit keeps its patient from a slot: it stands then, or it was this very one, offered before or given back. */
const isInTheWay = (visit: Visit, slot: FreeSlot): boolean =>
  visit.status === 'canceled'
    ? (visit.heldUntil !== null || visit.canceledBy === 'patient') &&
      visit.startsAt === slot.startsAt &&
      visit.doctorId === slot.doctorId
    : overlap(visit, slot);

/** Whether somebody waits for such a slot. */
export const isWantedBy = (entry: Waiter, slot: FreeSlot): boolean =>
  entry.sessionId === slot.sessionId &&
  (entry.doctorId ?? slot.doctorId) === slot.doctorId &&
  entry.fromDate <= slot.scheduleDate &&
  slot.scheduleDate <= entry.toDate &&
  (entry.earliestTime ?? '') <= slot.scheduleTime &&
  slot.scheduleTime <= (entry.latestTime ?? '24');

/** What is open once a seat is taken: one seat less of its slot, and none that runs across it at that doctor. */
export const openWithout = (open: readonly OpenSlot[], taken: FreeSlot): readonly OpenSlot[] =>
  open.flatMap((slot) => {
    if (slot.doctorId !== taken.doctorId || !overlap(slot, taken)) return [slot];
    const isShared = slot.startsAt === taken.startsAt && slot.remaining > 1;
    return isShared ? [{ ...slot, remaining: slot.remaining - 1 }] : [];
  });

/**
 * Gives each in turn the first slot that suits, one for each patient, under whose id it is returned. Nobody is passed over:
 * whoever stands before has one by then, or none of those that are left suits.
 */
export const matchSeats = (
  waiting: readonly Waiter[],
  slots: readonly OpenSlot[],
  visitsOf: ReadonlyMap<string, readonly Visit[]>,
): ReadonlyMap<string, OpenSlot> => {
  const matches = new Map<string, OpenSlot>();
  let open = slots;
  for (const entry of waiting) {
    if (open.length === 0) break;
    if (matches.has(entry.patientId)) continue;
    const visits = visitsOf.get(entry.patientId) ?? [];
    const slot = open.find(
      (one) => isWantedBy(entry, one) && !visits.some((visit) => isInTheWay(visit, one)),
    );
    if (slot === undefined) continue;
    matches.set(entry.patientId, slot);
    open = openWithout(open, slot);
  }
  return matches;
};
