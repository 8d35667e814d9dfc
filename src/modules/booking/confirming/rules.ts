// Pure: whether a patient whom a reminder asked can still say that they come, and when their seat goes to others.

import { mayConfirm as isUnanswered, type Judged } from '../record/rules.ts';

/** Until the visit begins, of a booking that stands, whose patient was asked and is not here yet. */
export const mayConfirm = (booking: Judged, now: number): boolean =>
  booking.status !== 'canceled' && booking.heldUntil === null && isUnanswered(booking, { now });

/** Nobody loses a seat who was asked less long ago than this. */
export const timeToAnswerMs = 3 * 3_600_000;
