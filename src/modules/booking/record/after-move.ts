// Pure: the state of a booking after a move.

import type { Approval } from '../../../core/tables/words.ts';
import { type BookingState, begun, type Party } from './rules.ts';
import { uncalled } from './visit-rules.ts';

/**
 * The columns that a move changes beside the slot. A move by the patient resets the booking. A move by the clinic
 * leaves its state and, on the same day, its check-in; a call and the word that the patient comes are reset, since they
 * were for the old slot.
 */
export const afterMove = (
  party: Party,
  booking: BookingState,
  to: { scheduleDate: string; approval: Approval },
  now: number,
): Partial<BookingState> => {
  if (party !== 'clinic') return begun(party, to.approval, now, false);
  const stays = { ...uncalled, askedAt: null, confirmedAt: null };
  return to.scheduleDate === booking.scheduleDate ? stays : { ...stays, checkedInAt: null };
};
