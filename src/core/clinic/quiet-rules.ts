// Pure: the hours of the clinic's day in which no notices are sent.

import { minuteMs } from './durations.ts';
import type { ClinicTime } from './time.ts';

/** Hours of the clinic's clock, from the first until the second, which may be before or after midnight. */
export interface QuietHours {
  from: number;
  until: number;
}

type Clock = Pick<ClinicTime, 'minuteOf'>;

/** Every zone's clock begins its hours at one of these. */
const quarterMs = 15 * minuteMs;
/** No attempt begins in the last moments before the quiet hours, so that none ends within them. */
const beforeQuietMs = minuteMs;
/** On the day on which a clock is put forward, quiet hours may be left out. */
const furthestMs = 3 * 24 * 60 * minuteMs;

const isQuietAt = (instant: number, clock: Clock, { from, until }: QuietHours): boolean => {
  const hour = Math.floor(clock.minuteOf(instant) / 60);
  return from < until ? hour >= from && hour < until : hour >= from || hour < until;
};

/** Whether it is quiet now, by the clinic's wall clock, or will be before an attempt has ended. */
export const isQuiet = (now: number, clock: Clock, quiet: QuietHours | null): boolean =>
  quiet !== null && (isQuietAt(now, clock, quiet) || isQuietAt(now + beforeQuietMs, clock, quiet));

/** The end of the quiet hours that contain `now`, or of the next ones; null if there are none. */
export const endOfQuiet = (now: number, clock: Clock, quiet: QuietHours | null): number | null => {
  if (quiet === null) return null;
  const last = now + furthestMs;
  for (let at = Math.floor(now / quarterMs + 1) * quarterMs; at <= last; at += quarterMs)
    if (!isQuietAt(at, clock, quiet) && isQuietAt(at - 1, clock, quiet)) return at;
  return null;
};

/** The first instant from `now` on at which an attempt may begin. */
export const afterQuiet = (now: number, clock: Clock, quiet: QuietHours | null): number =>
  isQuiet(now, clock, quiet) ? (endOfQuiet(now, clock, quiet) ?? now) : now;

/** The end of the present quiet hours; null outside of quiet hours. */
export const quietUntil = (now: number, clock: Clock, quiet: QuietHours | null): number | null =>
  quiet !== null && isQuietAt(now, clock, quiet) ? endOfQuiet(now, clock, quiet) : null;
