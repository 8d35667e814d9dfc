// Pure: assigns free seats to entries in the order of the list. The offer checks all conditions again as it is written.

import type { waitlistEntries } from '../../../core/tables/queues.ts';
import { limitedBecause, type SessionLimits } from '../../catalog/slots/limit-rules.ts';
import type { BookingRow } from '../record/queries.ts';
import type { FreeSlot } from '../seats/offers.ts';

/** An entry that may be offered something. */
export type Waiter = Pick<
  typeof waitlistEntries.$inferSelect,
  'patientId' | 'sessionId' | 'doctorId' | 'fromDate' | 'toDate' | 'earliestTime' | 'latestTime'
>;

export interface OpenSlot extends FreeSlot, SessionLimits {
  date: string;
  /** How many of its seats are free. */
  remaining: number;
}

/** A present or past booking of a patient. */
type Visit = Pick<
  BookingRow,
  | 'doctorId'
  | 'sessionId'
  | 'scheduleDate'
  | 'startsAt'
  | 'endsAt'
  | 'status'
  | 'heldUntil'
  | 'canceledBy'
  | 'noShowAt'
>;

type Span = Pick<FreeSlot, 'startsAt' | 'endsAt'>;
const overlap = (a: Span, b: Span): boolean => a.startsAt < b.endsAt && b.startsAt < a.endsAt;

/**
 * Whether a booking conflicts with a slot for its patient: it is active, or it was this very slot, offered or given
 * back before.
 */
const isInTheWay = (visit: Visit, slot: FreeSlot): boolean =>
  visit.status === 'canceled'
    ? (visit.heldUntil !== null || visit.canceledBy === 'patient') &&
      visit.startsAt === slot.startsAt &&
      visit.doctorId === slot.doctorId
    : overlap(visit, slot);

/** Whether the limits of the session allow a slot to the patient; `isKnown` is null if no session needs it. */
const isAllowed = (slot: OpenSlot, visits: readonly Visit[], isKnown: boolean | null): boolean => {
  const bookings = visits.filter(
    ({ status, noShowAt, heldUntil }) => status !== 'canceled' && noShowAt === null && heldUntil === null,
  );
  return limitedBecause(slot, { bookings, isKnown }) === null;
};

export const isWantedBy = (entry: Waiter, slot: FreeSlot): boolean =>
  entry.sessionId === slot.sessionId &&
  (entry.doctorId ?? slot.doctorId) === slot.doctorId &&
  entry.fromDate <= slot.scheduleDate &&
  slot.scheduleDate <= entry.toDate &&
  (entry.earliestTime ?? '') <= slot.scheduleTime &&
  slot.scheduleTime <= (entry.latestTime ?? '24');

/** The open slots after a seat is taken: one seat less in its slot, and no slot of that doctor that overlaps it. */
export const openWithout = (open: readonly OpenSlot[], taken: FreeSlot): readonly OpenSlot[] =>
  open.flatMap((slot) => {
    if (slot.doctorId !== taken.doctorId || !overlap(slot, taken)) return [slot];
    const isShared = slot.startsAt === taken.startsAt && slot.remaining > 1;
    return isShared ? [{ ...slot, remaining: slot.remaining - 1 }] : [];
  });

/**
 * Gives each entry in turn the first slot that suits, at most one for each patient, returned by the patient's id. No
 * entry loses its turn: each earlier entry has a slot by then, or none of the remaining ones suits it.
 */
export const matchSeats = (
  waiting: readonly Waiter[],
  slots: readonly OpenSlot[],
  visitsOf: ReadonlyMap<string, readonly Visit[]>,
  knownIds: ReadonlySet<string> | null = null,
): ReadonlyMap<string, OpenSlot> => {
  const matches = new Map<string, OpenSlot>();
  let open = slots;
  for (const entry of waiting) {
    if (open.length === 0) break;
    if (matches.has(entry.patientId)) continue;
    const visits = visitsOf.get(entry.patientId) ?? [];
    const slot = open.find(
      (one) =>
        isWantedBy(entry, one) &&
        !visits.some((visit) => isInTheWay(visit, one)) &&
        isAllowed(one, visits, knownIds === null ? null : knownIds.has(entry.patientId)),
    );
    if (slot === undefined) continue;
    matches.set(entry.patientId, slot);
    open = openWithout(open, slot);
  }
  return matches;
};
