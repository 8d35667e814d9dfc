// Pure: where events may be sent, when an attempt is repeated, and when a receiver counts as dead.

import type { WebhookOutcome } from '../../deps.ts';

const minute = 60_000;
const hour = 60 * minute;

/** How long an attempt may take. */
export const attemptTimeoutMs = 10_000;
/** How many events may be on their way to one endpoint at once. */
export const maxAttemptsOfEndpoint = 10;
/** How long a claimed attempt belongs to its process: the attempt, and room for a slow database. */
export const leaseMs = minute;
/** How long a delivery is tried, and an endpoint may fail without one success. */
export const patienceMs = 24 * hour;
/** How long the secret before a rotation goes on signing. */
export const rotationOverlapMs = 24 * hour;

const pausesMs = [
  5_000,
  30_000,
  2 * minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  6 * hour,
];

const longestHoldMs = 5 * minute;
const failuresBeforeHold = 3;

const pauseAfter = (attempts: number): number => pausesMs[Math.min(attempts, pausesMs.length) - 1] ?? 0;

/** Fails a receiver's answer? Only 2xx is a receipt; a redirect is not followed. */
export const isReceipt = (outcome: WebhookOutcome): boolean =>
  'status' in outcome && outcome.status >= 200 && outcome.status < 300;

/** Until when a failing endpoint waits; null after so few failures that they may be chance. */
export const holdAfter = (failures: number, now: number): number | null =>
  failures < failuresBeforeHold ? null : now + Math.min(pauseAfter(failures), longestHoldMs);

/** Interprets an answer. Of Retry-After only the form in seconds is read, up to one hour. */
export const answered = (status: number, retryAfter: string | null | undefined): WebhookOutcome =>
  /^[1-9]\d{0,8}$/.test(retryAfter ?? '')
    ? { status, retryAfterMs: Math.min(Number(retryAfter) * 1000, hour) }
    : { status };

interface Tried {
  attempts: number;
  firstAttemptAt: number;
}

/**
 * When a failed delivery is tried again; null to give it up. `random` (0 to 1) spreads the pause by a tenth either
 * way; a pause that the receiver wished for is kept. The last attempt is made when the patience ends.
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

/** Why an endpoint is to be paused after a failure, if it is: it is gone, or nothing got through for a day. */
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
 * Whether events may be sent to a URL as it is written: https, no credentials, and a public name. WHATWG parsing has
 * already turned decimal, octal and hexadecimal forms of an IPv4 address into the dotted one.
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
