// Pure: what a session limits for each patient. The guards of a booking's write say the same in SQL
// (src/modules/booking/seats/session-guards.ts).

import { dayMs } from '../../../core/clinic/durations.ts';
import type { ClosedReason, OpenTo } from '../../../core/tables/words.ts';

/** The limits of a session; null for none. */
export interface SessionLimits {
  maxPerDay: number | null;
  minDaysBetween: number | null;
  openTo: OpenTo;
}

export const unlimited: SessionLimits = { maxPerDay: null, minDaysBetween: null, openTo: 'all' };

/** Why a session's limits keep a patient from a slot. */
const limitReasons = ['day_limit', 'days_between', 'new_patients_only', 'known_patients_only'] as const;
export type LimitReason = Extract<ClosedReason, (typeof limitReasons)[number]>;

export const isLimit = (reason: string | null | undefined): reason is LimitReason =>
  limitReasons.some((limit) => limit === reason);

/** Whether the reason is about whom the session is for: then no other slot of it helps. */
export const isOfPatient = (reason: unknown): boolean =>
  reason === 'new_patients_only' || reason === 'known_patients_only';

/** The data of a patient that the limits need. */
export interface PatientVisits {
  /** The bookings that stand: neither canceled, nor missed, nor only offered, nor the one that is being moved. */
  bookings: readonly { sessionId: string; scheduleDate: string }[];
  /** Whether the patient has come to a visit; null if no limit needs this. */
  isKnown: boolean | null;
}

/** How many days lie between two dates of the calendar. */
export const daysApart = (a: string, b: string): number =>
  Math.abs(Date.parse(`${a}T00:00:00Z`) - Date.parse(`${b}T00:00:00Z`)) / dayMs;

interface LimitedSlot extends SessionLimits {
  sessionId: string;
  date: string;
}

/** Why the patient may not have a slot by the limits of its session; null if they may. */
export const limitedBecause = (
  slot: LimitedSlot,
  { bookings, isKnown }: PatientVisits,
): LimitReason | null => {
  const { maxPerDay, minDaysBetween, openTo } = slot;
  if (openTo !== 'all' && isKnown !== null && isKnown !== (openTo === 'known'))
    return openTo === 'new' ? 'new_patients_only' : 'known_patients_only';
  if (maxPerDay === null && minDaysBetween === null) return null;
  const others = bookings.filter(({ sessionId }) => sessionId === slot.sessionId);
  const sameDay = others.filter(({ scheduleDate }) => scheduleDate === slot.date).length;
  if (maxPerDay !== null && sameDay >= maxPerDay) return 'day_limit';
  const isNear = others.some(
    ({ scheduleDate }) => daysApart(scheduleDate, slot.date) < (minDaysBetween ?? 0),
  );
  return isNear ? 'days_between' : null;
};
