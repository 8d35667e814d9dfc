// Pure: when a notice may be sent, whether its content is still true, and when it is tried again.

import { hourMs, minuteMs } from '../../core/clinic/durations.ts';
import { endOfQuiet, type QuietHours } from '../../core/clinic/quiet-rules.ts';
import type { ClinicTime } from '../../core/clinic/time.ts';
import { phoneWord } from '../../core/search/phone-rules.ts';
import type { BookingStatus, NoticeChannel, NoticeKind } from '../../core/tables/words.ts';

/** How long a process owns a claimed notice: longer than any attempt takes. */
export const leaseMs = minuteMs;
/** How many notices a channel sends at once. */
export const noticesInFlight = 50;
/** How often a run takes more, all channels together: 5,000 notices at least. */
export const maxClaims = 200;
/** How long a run takes notices, its longest attempt counted once more; the rest is for the next minute. */
export const runMs = 50_000;
/** When a run is given up, and its open attempts are cut off. */
export const noticesLimitMs = 58_000;
/** Older changes were made while no notice could be sent: they are not notified any more. */
export const freshMs = 24 * hourMs;
const maxAttempts = 10;

/** A person who gets the notice in the morning needs this long to stay at home, or to come at another time. */
const reactionMs = hourMs;

/**
 * A change for a patient who comes today, or whose visit begins before this instant, is notified at once: after the
 * quiet hours it would be too late.
 */
export const lastUrgentStart = (now: number, clock: ClinicTime, quiet: QuietHours | null): number =>
  Math.max(
    clock.startOf(clock.addDays(clock.dateOf(now), 1)) - 1,
    (endOfQuiet(now, clock, quiet) ?? now) + reactionMs,
  );

/** The pause after failed attempt number `attempts`; null to give up. */
export const pauseAfter = (attempts: number): number | null =>
  attempts >= maxAttempts ? null : Math.min(15 * minuteMs, 15_000 * 2 ** (attempts - 1));

/** A telephone number as E.164 has it, without the zero that is dialled within a country or a country code that was typed with it; null if it cannot be one. */
export const e164 = (countryCode: string, number: string): string | null => {
  const digits = phoneWord(countryCode, number);
  return countryCode !== '' && /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : null;
};

/** How long before a visit each reminder is due; 0 for none. */
export interface ReminderHours {
  early: number;
  late: number;
}

/** Visits that come due for a reminder: those that start after `from`, until `until`. */
interface ReminderWindow {
  kind: NoticeKind;
  from: number;
  until: number;
}

/** The reminders that have become due since the last planning; after a long pause no early one if a late one is due. */
export const reminderWindows = (
  remindedAt: number,
  now: number,
  { early, late }: ReminderHours,
): ReminderWindow[] => {
  const window = (kind: NoticeKind, hours: number, notBefore: number): ReminderWindow => ({
    kind,
    from: Math.max(remindedAt + hours * hourMs, now + notBefore * hourMs),
    until: now + hours * hourMs,
  });
  const windows = [
    ...(early > late ? [window('reminder_early', early, late)] : []),
    ...(late > 0 ? [window('reminder_late', late, 0)] : []),
  ];
  return windows.filter(({ from, until }) => from < until);
};

/** The booking of a notice, read when the notice is claimed; nulls if it was deleted. */
interface NoticeSubject {
  kind: NoticeKind;
  channel: NoticeChannel;
  /** The start that it was planned for. */
  plannedStart: number;
  status: BookingStatus | null;
  startsAt: number | null;
  /** For an offer that was not accepted: until when it holds its seat. */
  heldUntil: number | null;
  checkedInAt: number | null;
  calledAt: number | null;
  completedAt: number | null;
  noShowAt: number | null;
  /** The delay that the clinic announces now to the doctor's patients of today. */
  delayMinutes: number | null;
  /** 1 if a later notice of this kind is planned. */
  superseded: number;
}

type Dropped = 'canceled' | 'moved' | 'begun' | 'passed' | 'superseded' | 'stopped' | 'unreachable';

const stands: Readonly<Record<NoticeKind, readonly NoticeSubject['status'][]>> = {
  approved: ['approved'],
  rejected: ['canceled'],
  expired: ['canceled'],
  canceled: ['canceled'],
  moved: ['waiting', 'approved'],
  delayed: ['approved'],
  reminder_early: ['approved', 'waiting'],
  reminder_late: ['approved', 'waiting'],
  waitlist_offer: ['waiting'],
  patient_canceled: ['canceled'],
  patient_moved: ['waiting', 'approved'],
  patient_answered: ['waiting', 'approved'],
};

/** Why a notice is not sent any more; null while it is still true and its visit is still to come. */
export const passedBecause = (
  subject: NoticeSubject,
  now: number,
  { late }: ReminderHours,
): Dropped | null => {
  const { kind, status, startsAt } = subject;
  if (status === null || startsAt === null) return 'passed';
  const isSo = stands[kind].includes(status);
  if (!isSo && status === 'canceled') return 'canceled';
  if (startsAt !== subject.plannedStart) return 'moved';
  if (!isSo) return 'passed';
  if (subject.superseded) return 'superseded';
  // The notice is about the end of the offer itself.
  if (kind === 'expired') return null;
  if (kind === 'waitlist_offer' && now >= (subject.heldUntil ?? 0)) return 'passed';
  const isDelay = kind === 'delayed';
  const delayMs = (subject.delayMinutes ?? 0) * minuteMs;
  if (isDelay && delayMs === 0) return 'passed';
  // A patient who waits at the clinic gets the notice of a delay too; one who was called, or has left, does not.
  const begun = isDelay ? (subject.calledAt ?? subject.completedAt) : subject.checkedInAt;
  if (begun !== null || subject.noShowAt !== null || now >= startsAt + (isDelay ? delayMs : 0))
    return 'begun';
  return kind === 'reminder_early' && now >= startsAt - late * hourMs ? 'passed' : null;
};

/** A person's choices; null if none were made. */
interface Choices {
  email: boolean | null;
  message: boolean | null;
  /** Whether staff get a notice when patients cancel, move or answer; null for other notices. */
  desk: boolean | null;
  /** JSON. */
  stoppedKinds: string | null;
}

export const kindsIn = (stoppedKinds: string | null): readonly string[] => JSON.parse(stoppedKinds ?? '[]');

/** Whether the person does not want this notice. */
export const isStopped = (choices: Choices, channel: NoticeChannel, kind: NoticeKind): boolean =>
  choices[channel] === false || kindsIn(choices.stoppedKinds).includes(kind) || choices.desk === false;

/** Which state a report of the gateway leads to; null for one that says nothing new. */
export const reportedStates = ['sent', 'delivered', 'read', 'failed'] as const;
export type Reported = (typeof reportedStates)[number];
