import { isoOrNull, toIso } from '../../core/endpoint/instants.ts';
import type { Language } from '../../core/endpoint/messages.ts';
import type { ExchangeReason } from '../../core/tables/words.ts';
import type { findBacklog, StepRow } from './list-queries.ts';
import { reasonSentences } from './sentences.ts';

const sayReason = (reason: ExchangeReason | null, language: Language): string | null =>
  reason === null ? null : reasonSentences[reason][language];

/** A step as the clinic sees it, with its reason in words. */
export const stepView = (row: StepRow, language: Language) => ({
  id: row.id,
  system: row.target,
  step: row.step,
  state: row.state,
  booking_id: row.bookingId,
  booking_code: row.bookingCode,
  doctor_name: row.doctorName,
  schedule_date: row.scheduleDate,
  schedule_time: row.scheduleTime,
  occurred_at: toIso(row.occurredAt),
  next_attempt_at: row.state === 'waiting' ? toIso(row.dueAt) : null,
  attempts: row.attempts,
  reason: row.reason,
  message: sayReason(row.reason, language),
  answer: row.answer,
});

type BacklogRow = ReturnType<typeof findBacklog>['_']['result'][number];

/** The state of a system; a pause that is over is not shown. */
export const systemView = (row: BacklogRow, language: Language, now: number) => {
  const isResting = (row.restUntil ?? 0) > now;
  const reason = isResting ? row.restReason : null;
  return {
    system: row.target,
    waiting: row.waiting,
    parked: row.parked,
    resting_until: isoOrNull(isResting ? row.restUntil : null),
    reason,
    message: sayReason(reason, language),
  };
};
