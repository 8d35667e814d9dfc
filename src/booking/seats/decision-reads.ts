import { calendarReads, findOccupiedBetween } from '../../catalog/slots/queries.ts';
import { type CalendarRows, type Whose, whoseCalendar } from '../../catalog/slots/slots.ts';
import { minuteOf } from '../../clinic/local-time.ts';
import { runAll } from '../../db/db.ts';
import type { Deps } from '../../deps.ts';
import { cacheCalendar, cachedCalendar } from './calendar-cache.ts';

/** A date and a time of the clinic's clock. */
interface Moment {
  schedule_date: string;
  schedule_time: string;
}

export interface SlotInput extends Moment {
  doctor_id: string;
  session_id: string;
}

const aroundStart = ({ clinicTime }: Deps, { schedule_date, schedule_time }: Moment) => {
  const start = clinicTime.instantOf(schedule_date, minuteOf(schedule_time) ?? 0);
  const instant = start ?? clinicTime.startOf(schedule_date);
  return { after: instant - 1, before: instant + 1 };
};

/**
 * The reads on which a seat is decided. Of the doctor's bookings only those of the same start are read, so that a full
 * slot is refused without a write; whatever else overlaps stops the write itself.
 */
export const decisionReads = (deps: Deps, whose: Whose, at: Moment) => {
  const { schedule_date: date } = at;
  return calendarReads(deps.db, {
    ...whoseCalendar(whose),
    fromDate: date,
    toDate: date,
    ...aroundStart(deps, at),
  });
};

/** The first reads for a booking: only the bookings if the calendar is cached. */
export const firstReads = (deps: Deps, now: number, input: SlotInput) =>
  cachedCalendar(deps.db, input.doctor_id, input.schedule_date, now) === null
    ? decisionReads(deps, input.doctor_id, input)
    : ([
        findOccupiedBetween(deps.db, { ...whoseCalendar(input.doctor_id), ...aroundStart(deps, input) }),
      ] as const);

export type FirstRows = CalendarRows | readonly [CalendarRows[4]];

/** The cached calendar together with the bookings that were read; null if everything was read fresh. */
export const rowsFromCache = (
  deps: Deps,
  now: number,
  input: SlotInput,
  first: FirstRows,
): CalendarRows | null => {
  if (first.length !== 1) return null;
  const cached = cachedCalendar(deps.db, input.doctor_id, input.schedule_date, now);
  return cached && [...cached, first[0]];
};

/** Everything the decision needs: read now unless it was just read, and cached for the next request. */
export const freshRows = async (
  deps: Deps,
  now: number,
  input: SlotInput,
  first?: FirstRows,
): Promise<CalendarRows> => {
  const isWhole = first !== undefined && first.length !== 1;
  const rows = isWhole ? first : await runAll(deps.db, decisionReads(deps, input.doctor_id, input));
  const [clinics, doctors, schedules, closures] = rows;
  cacheCalendar(deps.db, input.doctor_id, input.schedule_date, now, [clinics, doctors, schedules, closures]);
  return rows;
};
