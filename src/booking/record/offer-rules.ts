// Pure: how long an offer of the waitlist holds its seat.

import { type QuietHours, quietUntil } from '../../clinic/quiet-rules.ts';
import type { ClinicTime } from '../../clinic/time.ts';

const minuteMs = 60_000;
/** How long it may take until somebody is told: a notice leaves within a minute, and none in the last one before quiet hours. */
const tellingMs = 2 * minuteMs;

type Clock = Pick<ClinicTime, 'hourOf'>;

/** From when on somebody can be told of an offer of now; null where that is at once. */
const toldFrom = (now: number, quiet: QuietHours | null, clock: Clock): number | null =>
  quietUntil(now, clock, quiet) ?? quietUntil(now + tellingMs, clock, quiet);

/** What starts until then is offered to nobody now: it will have begun before anybody can be told. */
export const latestUntold = (now: number, quiet: QuietHours | null, clock: Clock): number => {
  const from = toldFrom(now, quiet, clock);
  return from === null ? now : from + tellingMs;
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
  startsAt > latestUntold(now, quiet, clock)
    ? Math.min(startsAt, (toldFrom(now, quiet, clock) ?? now) + minutes * minuteMs)
    : null;
