// Pure: how a booking stands when it was moved.

import type { Approval } from '../../tables/words.ts';
import { type BookingState, begun, type Party } from './rules.ts';
import { uncalled } from './visit-rules.ts';

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
