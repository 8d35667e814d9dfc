import type { CalendarRows } from '../../catalog/slots/slots.ts';
import type { Db } from '../../db/db.ts';

const keptMs = 60_000;
const maxKept = 2_000;

/** A doctor's calendar without its bookings: the clinic, the doctor, the schedules, the closures of a date. */
export type Arrangement = readonly [CalendarRows[0], CalendarRows[1], CalendarRows[2], CalendarRows[3]];

const keptBy = new WeakMap<Db, Map<string, { arrangement: Arrangement; until: number }>>();

const keyOf = (doctorId: string, date: string): string => `${doctorId} ${date}`;

/**
 * A doctor's calendar if it was read in the last minute, or null. It may be stale: a write that was decided on it is
 * stopped by the calendar's versions, but never reject a request because of it.
 */
export const cachedCalendar = (db: Db, doctorId: string, date: string, now: number): Arrangement | null => {
  const kept = keptBy.get(db)?.get(keyOf(doctorId, date));
  return kept !== undefined && now < kept.until ? kept.arrangement : null;
};

/** Caches what was just read; replaces the oldest entry if the cache is full. */
export const cacheCalendar = (
  db: Db,
  doctorId: string,
  date: string,
  now: number,
  arrangement: Arrangement,
): void => {
  const kept = keptBy.get(db) ?? new Map();
  keptBy.set(db, kept);
  kept.delete(keyOf(doctorId, date));
  if (kept.size >= maxKept) kept.delete(kept.keys().next().value);
  kept.set(keyOf(doctorId, date), { arrangement, until: now + keptMs });
};
