// Pure: the columns that each verb changes in a booking that stays in its slot, and the steps of a visit from the
// check-in on.

import type { ActingRole, BookingState, Judged, Party, Verb } from './state.ts';

/** The time of the visit's last step; null before the first, and after a skip, because the next step is a call. */
export const lastStepAt = (booking: Judged): number | null =>
  booking.noShowAt ??
  booking.completedAt ??
  booking.calledAt ??
  (booking.firstCalledAt === null ? booking.checkedInAt : null);

/**
 * The columns after one more call. A request may start before the first call and be written after it: the time is then
 * the first call's.
 */
const called = (b: BookingState, now: number) => ({
  firstCalledAt: b.firstCalledAt ?? now,
  calledAt: Math.max(now, b.firstCalledAt ?? now),
  callCount: b.callCount + 1,
});

export const uncalled = { firstCalledAt: null, calledAt: null, callCount: 0 } as const;

/** The columns after the last step of the visit is undone. A check-in that approved the booking leaves it approved. */
const undone = (b: BookingState): Partial<BookingState> => {
  if (b.noShowAt !== null) return { noShowAt: null };
  if (b.completedAt !== null) return { completedAt: null };
  if (b.calledAt === null) return { checkedInAt: null };
  const callCount = b.callCount - 1;
  // A booking that was skipped and called again keeps its first skip time.
  if (callCount < 1) return b.firstCalledAt === b.calledAt ? uncalled : { callCount: 0, calledAt: null };
  // The times of the calls between the first and the last are not stored.
  return { callCount, calledAt: callCount === 1 ? b.firstCalledAt : b.calledAt };
};

const reasonOfCancel = ({ heldUntil }: BookingState) => (heldUntil === null ? 'canceled' : 'offer_declined');
const reasonCodes = { reject: 'rejected', expire: 'expired', lapse: 'offer_lapsed' } as const;

/** The columns that the verb changes in a booking that stays in its slot. */
export const afterVerb = (
  verb: Exclude<Verb, 'reschedule'>,
  booking: BookingState,
  by: { party: Party; role: ActingRole },
  now: number,
  reason: string | null,
): Partial<BookingState> => {
  switch (verb) {
    case 'approve':
      return { status: 'approved', approvedAt: now };
    case 'cancel':
    case 'reject':
    case 'expire':
    case 'lapse':
      return {
        status: 'canceled',
        canceledAt: now,
        canceledBy: by.party === 'patient' ? 'patient' : by.role,
        cancelReasonCode: verb === 'cancel' ? reasonOfCancel(booking) : reasonCodes[verb],
        cancelReason: reason,
      };
    case 'check-in':
      return { status: 'approved', approvedAt: booking.approvedAt ?? now, checkedInAt: now, queueTurn: null };
    case 'call':
      return called(booking, now);
    case 'skip':
      return { calledAt: null, callCount: 0 };
    case 'complete':
      return { completedAt: now };
    case 'no-show':
      return { noShowAt: now };
    case 'undo':
      return undone(booking);
    case 'accept':
      return { heldUntil: null, ...(by.party === 'clinic' && { status: 'approved', approvedAt: now }) };
  }
};
