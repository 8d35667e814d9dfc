import { parseLocalTime } from '../../../core/clinic/local-time.ts';
import { type Db, type Reading, reading } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import {
  type CalendarRows,
  calendarReads,
  countOccupied,
  type Whose,
  whoseCalendar,
} from '../../catalog/slots/queries.ts';

/** A date and a time of the clinic's clock. */
interface Moment {
  schedule_date: string;
  schedule_time: string;
}

export interface SlotInput extends Moment {
  doctor_id: string;
  session_id: string;
}

const cachedMs = 60_000;
const maxCached = 2_000;

/** A doctor's calendar without its bookings: the clinic, the doctor, the schedules, the closures of a date. */
type Arrangement = Omit<CalendarRows, 'occupied'>;

const caches = new WeakMap<Db, Map<string, { arrangement: Arrangement; until: number }>>();

const keyOf = ({ doctor_id, schedule_date }: SlotInput): string => `${doctor_id} ${schedule_date}`;

const cached = (db: Db, input: SlotInput, now: number): Arrangement | null => {
  const entry = caches.get(db)?.get(keyOf(input));
  return entry !== undefined && now < entry.until ? entry.arrangement : null;
};

/** Replaces the oldest entry if the cache is full. */
const cache = (db: Db, input: SlotInput, now: number, arrangement: Arrangement): void => {
  const entries = caches.get(db) ?? new Map();
  caches.set(db, entries);
  entries.delete(keyOf(input));
  if (entries.size >= maxCached) entries.delete(entries.keys().next().value);
  entries.set(keyOf(input), { arrangement, until: now + cachedMs });
};

const aroundStart = ({ clinicTime, clock }: Deps, { schedule_date, schedule_time }: Moment) => {
  const start = clinicTime.instantOf(schedule_date, parseLocalTime(schedule_time) ?? 0);
  const instant = start ?? clinicTime.startOf(schedule_date);
  return { after: instant - 1, before: instant + 1, now: clock() };
};

/**
 * The reads on which a seat is decided. Only those bookings of the doctor are read that share the start, so that a full
 * slot is refused without a write; other bookings that overlap, and holds, are found by the guards of the write.
 */
export const slotReads = (deps: Deps, whose: Whose, moment: Moment) =>
  calendarReads(deps.db, {
    ...whoseCalendar(whose),
    fromDate: moment.schedule_date,
    toDate: moment.schedule_date,
    ...aroundStart(deps, moment),
    countsHolds: false,
  });

export interface LoadedCalendar {
  rows: CalendarRows;
  /**
   * Its arrangement comes from the cache and may be out of date: never reject because of it. A booking may be decided
   * on it, since the calendar's versions guard the write.
   */
  isStale: boolean;
  /**
   * Whether an expired offer may still hold a seat; the write then ends it first. An offer made later is held from then
   * on, so it has not expired at the instant of the request.
   */
  mayHoldLapsed: boolean;
}

/** Reads the calendar of a slot from the database, and caches it for the next minute. */
export const freshCalendar = (deps: Deps, now: number, input: SlotInput): Reading<LoadedCalendar> =>
  reading({ rows: slotReads(deps, input.doctor_id, input) }, ({ rows }) => {
    const { occupied: _, ...arrangement } = rows;
    cache(deps.db, input, now, arrangement);
    return { rows, isStale: false, mayHoldLapsed: true };
  });

/** Reads the calendar again next time, since something beside its versions has changed. */
export const forgetCalendar = (db: Db, input: SlotInput): void => void caches.get(db)?.delete(keyOf(input));

const listOccupied = (counted: ReturnType<typeof countOccupied>['_']['result']): CalendarRows['occupied'] =>
  counted.flatMap(({ startsAt, endsAt, taken }) =>
    startsAt === null || endsAt === null ? [] : [{ startsAt, endsAt, taken }],
  );

/** Loads the calendar of a slot: if it was read in the last minute, only the bookings are read again. */
export const loadCalendar = (deps: Deps, now: number, input: SlotInput): Reading<LoadedCalendar> => {
  const arrangement = cached(deps.db, input, now);
  if (arrangement === null) return freshCalendar(deps, now, input);
  const { doctor_id: doctorId, schedule_date: date } = input;
  const occupied = countOccupied(deps.db, { doctorId, date, ...aroundStart(deps, input) });
  return reading({ counted: occupied }, ({ counted }) => ({
    rows: { ...arrangement, occupied: listOccupied(counted) },
    isStale: true,
    mayHoldLapsed: counted.some(({ anyLapsed }) => anyLapsed === 1),
  }));
};
