// Pure: how a booking stands when it is made, and when it was moved.

import type { Approval } from '../../tables/words.ts';
import { type BookingState, type Party, uncalled, untouched } from './rules.ts';

/** The state of a new booking: the clinic's own are approved at once, a patient's where its session needs no approval. */
export const begun = (party: Party, approval: Approval, now: number, checkIn: boolean) => ({
  ...untouched,
  ...((party === 'clinic' || approval === 'automatic') && { status: 'approved' as const, approvedAt: now }),
  ...(checkIn && { checkedInAt: now }),
});

/**
 * What a move changes beside the slot. Moved by the patient the booking begins anew; moved by the clinic it keeps its
 * state, and on the same day its check-in: a call was for the old slot.
 */
export const afterMove = (
  party: Party,
  booking: BookingState,
  to: { scheduleDate: string; approval: Approval },
  now: number,
): Partial<BookingState> => {
  if (party !== 'clinic') return begun(party, to.approval, now, false);
  return to.scheduleDate === booking.scheduleDate ? uncalled : { ...uncalled, checkedInAt: null };
};
