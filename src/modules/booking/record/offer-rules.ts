// Pure: how long an offer of the waitlist holds its seat.

import { minuteMs } from '../../../core/clinic/durations.ts';
import { type QuietHours, quietUntil } from '../../../core/clinic/quiet-rules.ts';
import type { ClinicTime } from '../../../core/clinic/time.ts';

/**
 * How long it may take until a notice is sent: it is sent within a minute, and none is sent in the last minute before
 * quiet hours.
 */
const noticeMs = 2 * minuteMs;

type Clock = Pick<ClinicTime, 'minuteOf'>;

/** The earliest time at which a notice of an offer made now can be sent; null if that is at once. */
const reachableFrom = (now: number, quiet: QuietHours | null, clock: Clock): number | null =>
  quietUntil(now, clock, quiet) ?? quietUntil(now + noticeMs, clock, quiet);

/** No slot that starts before this is offered: it would begin before a notice can be sent. */
export const latestUnreachable = (now: number, quiet: QuietHours | null, clock: Clock): number => {
  const from = reachableFrom(now, quiet, clock);
  return from === null ? now : from + noticeMs;
};

/** The settings for offers. */
interface OfferSettings {
  OFFER_MINUTES: number;
  QUIET_HOURS: QuietHours | null;
}

/**
 * Until when an offer made now holds its seat: for the set number of minutes, with one of them reserved for sending the
 * notice; if it cannot be sent before quiet hours, counted from their end; and never past the slot's start. Null if the
 * slot begins before a notice can be sent.
 */
export const heldUntil = (
  now: number,
  startsAt: number,
  { OFFER_MINUTES: minutes, QUIET_HOURS: quiet }: OfferSettings,
  clock: Clock,
): number | null =>
  startsAt > latestUnreachable(now, quiet, clock)
    ? Math.min(startsAt, (reachableFrom(now, quiet, clock) ?? now) + minutes * minuteMs)
    : null;
