// Pure: how long an offer of the waitlist holds its seat.

import type { ClinicTime } from '../../clinic/time.ts';

const minuteMs = 60_000;
/** How long it may take until somebody is told: a notice leaves within a minute, and none in the last one before quiet hours. */
const tellingMs = 2 * minuteMs;

/** The hours of the clinic's clock in which nobody is to be woken; from and until may lie on either side of midnight. */
export interface QuietHours {
  from: number;
  until: number;
}

/** When the quiet hours end that `now` lies in; null outside of them. */
const quietUntil = (now: number, quiet: QuietHours | null, clock: ClinicTime): number | null => {
  if (quiet === null) return null;
  const { from, until } = quiet;
  const today = clock.dateOf(now);
  const endOn = (date: string) => clock.instantOf(date, until * 60) ?? clock.startOf(date);
  const begun = (clock.instantOf(today, from * 60) ?? clock.startOf(today)) <= now;
  const over = endOn(today) <= now;
  if (from < until) return begun && !over ? endOn(today) : null;
  if (begun) return endOn(clock.addDays(today, 1));
  return over ? null : endOn(today);
};

/** From when on somebody can be told of an offer of now; null where that is at once. */
const toldFrom = (now: number, quiet: QuietHours | null, clock: ClinicTime): number | null =>
  quietUntil(now, quiet, clock) ?? quietUntil(now + tellingMs, quiet, clock);

/** What starts until then is offered to nobody now: it will have begun before anybody can be told. */
export const latestUntold = (now: number, quiet: QuietHours | null, clock: ClinicTime): number => {
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
  clock: ClinicTime,
): number | null =>
  startsAt > latestUntold(now, quiet, clock)
    ? Math.min(startsAt, (toldFrom(now, quiet, clock) ?? now) + minutes * minuteMs)
    : null;
