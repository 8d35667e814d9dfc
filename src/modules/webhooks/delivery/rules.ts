// Pure: which addresses are allowed, when an attempt is repeated, and when a receiver counts as dead.

import { hourMs, minuteMs } from '../../../core/clinic/durations.ts';
import type { WebhookOutcome } from '../../../core/deps.ts';

/** How long an attempt may take. */
export const attemptTimeoutMs = 10_000;
/** How much of an answer is read, in bytes, and for how long: it changes nothing of the outcome. */
export const maxTextBytes = 2_000;
export const textTimeoutMs = 1_000;
/** How long the log stores requests and their answers. */
export const exchangeRetainedMs = 7 * 24 * hourMs;
/** How many attempts to one endpoint may run at once. */
export const maxAttemptsOfEndpoint = 10;
/** How long a process owns a claimed attempt: the attempt's time limit, plus time for a slow database. */
export const leaseMs = minuteMs;
/** How long a delivery is tried, and how long an endpoint may fail without a single success. */
export const patienceMs = 24 * hourMs;
/** How long the previous secret still signs after a rotation. */
export const rotationOverlapMs = 24 * hourMs;

const pausesMs = [
  5_000,
  30_000,
  2 * minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
  6 * hourMs,
];

/** The waiting times of a failing endpoint, one after another. */
const holdsMs = [5_000, 15_000, 30_000, minuteMs, 2 * minuteMs, 5 * minuteMs];

const pauseAfter = (attempts: number): number => pausesMs[Math.min(attempts, pausesMs.length) - 1] ?? 0;

/** Whether the receiver accepted the event: only 2xx counts, and redirects are not followed. */
export const isReceipt = (outcome: WebhookOutcome): boolean =>
  'status' in outcome && outcome.status >= 200 && outcome.status < 300;

/**
 * Until when a failing endpoint waits. How long it has failed decides, not how often: attempts that fail together, or in
 * several processes, are one fault.
 */
export const holdAfter = (failingSince: number, now: number): number => {
  let end = failingSince;
  for (const hold of holdsMs) {
    if (now < end + hold) return now + hold;
    end += hold;
  }
  return now + (holdsMs.at(-1) ?? 0);
};

interface Waiting {
  state: string;
  /** When its own pause ends. */
  nextAttemptAt: number | null;
  /** Until when its endpoint waits. */
  holdUntil: number | null;
  /** When the last of the events before it, of the same booking, is due; it waits for them. */
  dueBefore: number | null;
  pausedAt: number | null;
}

/** When a delivery is tried next, now at the earliest; null when no attempt is planned. */
export const computeNextAttempt = (delivery: Waiting, now: number): number | null => {
  const { state, nextAttemptAt, holdUntil, dueBefore, pausedAt } = delivery;
  if (state !== 'pending' || pausedAt !== null) return null;
  return Math.max(now, nextAttemptAt ?? 0, holdUntil ?? 0, dueBefore ?? 0);
};

/** Interprets an answer. Retry-After counts only in seconds, and up to one hourMs. */
export const answered = (
  status: number,
  retryAfter: string | null | undefined,
): { status: number; retryAfterMs?: number } =>
  /^[1-9]\d{0,8}$/.test(retryAfter ?? '')
    ? { status, retryAfterMs: Math.min(Number(retryAfter) * 1000, hourMs) }
    : { status };

interface Tried {
  attempts: number;
  firstAttemptAt: number;
}

/**
 * When a failed delivery is tried again; null to give it up. `random` (0 to 1) varies the pause by up to a tenth; a
 * longer pause that the receiver requested is kept. The last attempt is made when the time for attempts ends.
 */
export const nextAttempt = (
  { attempts, firstAttemptAt }: Tried,
  now: number,
  random: number,
  requestedPauseMs = 0,
): number | null => {
  const end = firstAttemptAt + patienceMs;
  if (now >= end) return null;
  const pause = Math.max(requestedPauseMs, Math.round(pauseAfter(attempts) * (0.9 + random / 5)));
  return Math.min(end, now + pause);
};

/** Why an endpoint must be paused after a failure: it is gone, or nothing was delivered for a day; otherwise null. */
export const pauseReason = (
  outcome: WebhookOutcome,
  failingSince: number,
  now: number,
): 'gone' | 'failing' | null => {
  if ('status' in outcome && outcome.status === 410) return 'gone';
  return now - failingSince >= patienceMs ? 'failing' : null;
};

const localName = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa)$/;

/**
 * Whether events may be sent to a URL, judged by its text: https, no credentials, and a public name. The URL parser has
 * already converted decimal, octal and hexadecimal IPv4 addresses to the dotted form.
 */
export const mayReceive = (text: string, allowPrivate: boolean): boolean => {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return false;
  if (allowPrivate) return url.protocol === 'https:' || url.protocol === 'http:';
  const host = url.hostname.replace(/\.+$/, '');
  const isLiteral = host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host);
  return url.protocol === 'https:' && !isLiteral && host.includes('.') && !localName.test(host);
};
