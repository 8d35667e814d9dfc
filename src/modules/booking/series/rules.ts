// Pure: the dates of a series, and which of a day's slots is tried next.

import type { LimitReason } from '../../catalog/slots/limit-rules.ts';
import type { Slot, WallClock } from '../../catalog/slots/rules.ts';

export const longestSeries = 26;

interface Pattern {
  schedule_date: string;
  every_days: number;
  weekdays?: readonly number[] | undefined;
  count: number;
}

/** The dates of a series from the first: at an interval in days, or on these weekdays (ISO, 1 is Monday). */
export const seriesDates = (
  { schedule_date, every_days, weekdays, count }: Pattern,
  clock: Pick<WallClock, 'addDays' | 'weekdayOf'>,
): string[] => {
  const dates: string[] = [];
  let date = schedule_date;
  while (dates.length < count) {
    if (weekdays?.includes(clock.weekdayOf(date)) ?? true) dates.push(date);
    const next = clock.addDays(date, weekdays === undefined ? every_days : 1);
    // The calendar ends.
    if (next <= date) break;
    date = next;
  }
  return dates;
};

/** The slots of a day, the nearest to a time first; of two as near the later. */
export const byNearness = (slots: readonly Slot[], minuteOfDay: number): Slot[] => {
  const away = (slot: Slot) => Math.abs(slot.minuteOfDay - minuteOfDay);
  return [...slots].sort((a, b) => away(a) - away(b) || b.startsAt - a.startsAt);
};

type LimitedBy = 'rate_limited' | 'too_many_bookings' | 'email_unproved';

interface Why {
  roomInHour: number;
  clash: string | null;
  roomForPatient: number;
  proofOrFew: number;
  seatFree: number;
  limit: LimitReason | null;
}

/** Why the database refused one date of a series; null if nothing refused it. */
export const refusedBecause = (
  why: Why,
): LimitedBy | 'patient_busy' | 'slot_full' | 'slot_unavailable' | null => {
  if (!why.roomInHour) return 'rate_limited';
  if (why.clash !== null) return 'patient_busy';
  if (!why.roomForPatient) return 'too_many_bookings';
  if (!why.proofOrFew) return 'email_unproved';
  if (why.limit !== null) return 'slot_unavailable';
  return why.seatFree ? null : 'slot_full';
};

/** Whether another slot could help. */
export const isOfSlot = (code: string | null): boolean =>
  code === 'slot_full' || code === 'slot_unavailable' || code === 'patient_busy';
