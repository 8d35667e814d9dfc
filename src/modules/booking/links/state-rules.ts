// Pure: what has become of the question that a notice asked by its link.

import { mayConfirm } from '../confirming/rules.ts';
import type { Judged } from '../record/rules.ts';

/** The time that a link is about, by the clinic's clock. */
interface Slot {
  scheduleDate: string;
  scheduleTime: string;
}

interface Asked extends Judged, Slot {
  confirmedAt: number | null;
}

/** Whether the patient comes, who was asked for one time: once the visit is moved, nothing is asked any more. */
export const toVisitState = (booking: Asked, asked: Slot, now: number) => {
  const isMoved = booking.scheduleDate !== asked.scheduleDate || booking.scheduleTime !== asked.scheduleTime;
  if (isMoved) return 'over';
  if (booking.status === 'canceled') return 'canceled';
  if (now >= booking.startsAt) return 'over';
  if (booking.confirmedAt !== null) return 'confirmed';
  return mayConfirm(booking, now) ? 'open' : 'over';
};

interface Offered extends Judged {
  waitlistId: string | null;
  canceledBy: string | null;
}

/** Whether a seat that was offered is accepted. */
export const toOfferState = (
  { waitlistId, status, canceledBy, heldUntil }: Offered,
  _asked: unknown,
  now: number,
) => {
  if (waitlistId === null) return 'over';
  if (status === 'canceled') return canceledBy === 'patient' && heldUntil !== null ? 'declined' : 'over';
  if (heldUntil === null) return status;
  return heldUntil > now ? 'open' : 'over';
};
