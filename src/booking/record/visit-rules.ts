// Pure: the steps of a visit, from the check-in on.

import type { BookingState } from './rules.ts';

/** When the last step of the visit was taken; null before the first, and after a skip, which is answered by a call. */
export const lastStepAt = (booking: BookingState): number | null =>
  booking.noShowAt ??
  booking.completedAt ??
  booking.calledAt ??
  (booking.firstCalledAt === null ? booking.checkedInAt : null);

/** Nobody called the patient. */
export const uncalled = { firstCalledAt: null, calledAt: null, callCount: 0 } as const;

/** Takes back the last step of the visit. A check-in that approved the booking leaves it approved. */
export const undone = (b: BookingState): Partial<BookingState> => {
  if (b.noShowAt !== null) return { noShowAt: null };
  if (b.completedAt !== null) return { completedAt: null };
  if (b.calledAt === null) return { checkedInAt: null };
  const callCount = b.callCount - 1;
  // Who was skipped and called again was skipped before.
  if (callCount < 1) return b.firstCalledAt === b.calledAt ? uncalled : { callCount: 0, calledAt: null };
  // Of the calls between the first and the last no instant is kept.
  return { callCount, calledAt: callCount === 1 ? b.firstCalledAt : b.calledAt };
};
