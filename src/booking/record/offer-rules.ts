// Pure: how long an offer of the waitlist holds its seat.

import { type QuietHours, quietUntil } from '../../clinic/quiet-rules.ts';
import type { ClinicTime } from '../../clinic/time.ts';

const minuteMs = 60_000;
/** How long it may take until somebody is told: a notice leaves within a minute, and none in the last one before quiet hours. */
const tellingMs = 2 * minuteMs;

/**
 * Until when an offer of now holds its seat: for so many minutes, of one of which nobody can be told before quiet hours
 * from their end on, and never past the start. Null where it would start before anybody could be told.
 */
export const heldUntil = (
  now: number,
  startsAt: number,
  { minutes, quiet, clock }: { minutes: number; quiet: QuietHours | null; clock: Pick<ClinicTime, 'hourOf'> },
): number | null => {
  const toldFrom = quietUntil(now + tellingMs, clock, quiet);
  if (toldFrom !== null && startsAt <= toldFrom + tellingMs) return null;
  return Math.min(startsAt, (toldFrom ?? now) + minutes * minuteMs);
};
