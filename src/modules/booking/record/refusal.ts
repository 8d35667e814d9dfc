// Pure: the sentences for a change that the booking's state does not allow.

import {
  dateInWords,
  minutesInWords,
  type Sentence,
  say,
  timeInWords,
} from '../../../core/endpoint/sentences.ts';
import type { BookingState, Facts, Party, Verb } from './rules.ts';
import { transitionSentences as sentences } from './sentences.ts';
import { lastStepAt } from './visit-rules.ts';

type Refused = BookingState & { scheduleTime: string };

const ended = (booking: Refused, party: Party): Sentence | null => {
  if (booking.status === 'canceled') {
    const { cancelReasonCode: code } = booking;
    if (code === 'offer_lapsed') return sentences.offer_over;
    return code === 'rejected' || code === 'expired' ? sentences[code] : sentences.canceled;
  }

  if (booking.completedAt !== null) return sentences.completed;
  if (booking.noShowAt === null) return null;
  return party === 'patient' ? sentences.own_no_show : sentences.no_show;
};

const toPatient = (booking: Refused, { now, cancelLeadMinutes }: Facts): Sentence => {
  if (booking.checkedInAt !== null) return sentences.own_checked_in;
  if (now >= booking.startsAt || cancelLeadMinutes === 0) return sentences.own_begun;
  return say(sentences.own_too_late, { lead: minutesInWords(cancelLeadMinutes) });
};

const unlessApproved = (booking: Refused): Sentence | null =>
  booking.status === 'waiting' ? sentences.not_approved : null;

const onceArrived = ({ checkedInAt, calledAt }: Refused): Sentence | null => {
  if (calledAt !== null) return sentences.called;
  return checkedInAt === null ? null : sentences.checked_in;
};

const toClinic = (verb: Verb, booking: Refused, { now }: Facts): Sentence | null => {
  const date = dateInWords(booking.scheduleDate);
  switch (verb) {
    case 'approve':
      return booking.status === 'approved' ? sentences.approved : sentences.approval_over;
    case 'reject':
      return sentences.approved_not_rejected;
    case 'check-in':
      if (booking.checkedInAt === null && booking.status === 'waiting' && now >= booking.endsAt)
        return sentences.approval_over;
      return onceArrived(booking) ?? say(sentences.other_day, { date });
    case 'skip':
      return (
        unlessApproved(booking) ??
        (booking.checkedInAt === null ? sentences.not_checked_in : sentences.not_called)
      );
    case 'call':
    case 'complete':
      return unlessApproved(booking) ?? sentences.not_checked_in;
    case 'no-show':
      return (
        unlessApproved(booking) ?? say(sentences.not_begun, { date, time: timeInWords(booking.scheduleTime) })
      );
    case 'undo':
      return lastStepAt(booking) === null ? sentences.nothing_to_undo : sentences.undo_over;
    default:
      return null;
  }
};

/** Why the party may not do this to the booking in its present state; null if only the general sentence fits. */
export const refusedTransition = (
  verb: Verb,
  party: Party,
  booking: Refused,
  facts: Facts,
): Sentence | null => {
  if (booking.status === 'waiting' && booking.heldUntil !== null)
    return facts.now < booking.heldUntil ? sentences.only_offered : sentences.offer_over;
  return (
    (verb === 'undo' && booking.status !== 'canceled' ? null : ended(booking, party)) ??
    (party === 'patient' ? toPatient(booking, facts) : toClinic(verb, booking, facts))
  );
};
