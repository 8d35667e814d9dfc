// Pure: what each verb changes in a booking that stays in its slot, and the steps of a visit, from the check-in on.

import type { ActingRole, BookingState, Judged, Party, Verb } from './state.ts';

/** When the last step of the visit was taken; null before the first, and after a skip, which is answered by a call. */
export const lastStepAt = (booking: Judged): number | null =>
  booking.noShowAt ??
  booking.completedAt ??
  booking.calledAt ??
  (booking.firstCalledAt === null ? booking.checkedInAt : null);

/** One more call. Whoever was overtaken began before the call that theirs follows: its time is that one's at least. */
const called = (b: BookingState, now: number) => ({
  firstCalledAt: b.firstCalledAt ?? now,
  calledAt: Math.max(now, b.firstCalledAt ?? now),
  callCount: b.callCount + 1,
});

/** Nobody called the patient. */
export const uncalled = { firstCalledAt: null, calledAt: null, callCount: 0 } as const;

/** Takes back the last step of the visit. A check-in that approved the booking leaves it approved. */
const undone = (b: BookingState): Partial<BookingState> => {
  if (b.noShowAt !== null) return { noShowAt: null };
  if (b.completedAt !== null) return { completedAt: null };
  if (b.calledAt === null) return { checkedInAt: null };
  const callCount = b.callCount - 1;
  // Who was skipped and called again was skipped before.
  if (callCount < 1) return b.firstCalledAt === b.calledAt ? uncalled : { callCount: 0, calledAt: null };
  // Of the calls between the first and the last no instant is stored.
  return { callCount, calledAt: callCount === 1 ? b.firstCalledAt : b.calledAt };
};

const reasonOfCancel = ({ heldUntil }: BookingState) => (heldUntil === null ? 'canceled' : 'offer_declined');
const reasonCodes = { reject: 'rejected', expire: 'expired', lapse: 'offer_lapsed' } as const;

/** What the verb changes in a booking that stays in its slot. */
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
