// Pure: how long an offer of the waitlist holds its seat.

import { type QuietHours, quietUntil } from '../../clinic/quiet-rules.ts';
import type { ClinicTime } from '../../clinic/time.ts';

const minuteMs = 60_000;
/** How long it may take until somebody is told: a notice leaves within a minute, and none in the last one before quiet hours. */
const noticeMs = 2 * minuteMs;

type Clock = Pick<ClinicTime, 'hourOf'>;

/** From when on somebody can be told of an offer of now; null where that is at once. */
const reachableFrom = (now: number, quiet: QuietHours | null, clock: Clock): number | null =>
  quietUntil(now, clock, quiet) ?? quietUntil(now + noticeMs, clock, quiet);

/** What starts until then is offered to nobody now: it will have begun before anybody can be told. */
export const latestUnreachable = (now: number, quiet: QuietHours | null, clock: Clock): number => {
  const from = reachableFrom(now, quiet, clock);
  return from === null ? now : from + noticeMs;
};

/** What the settings say of offers. */
interface OfferSettings {
  OFFER_MINUTES: number;
  QUIET_HOURS: QuietHours | null;
}

/**
 * Until when an offer of now holds its seat: for so many minutes, of one of which nobody can be told before quiet hours
 * from their end on, and never past the start. Null where it will have begun before anybody can be told.
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
