import { timeOf } from '../../clinic/local-time.ts';
import { runAll } from '../../db/db.ts';
import type { Deps } from '../../deps.ts';
import { Failure } from '../../endpoint/errors.ts';
import { type CalendarRows, calendarReads, findNotices, type Whose, whoseCalendar } from './queries.ts';
import {
  type BookingWindow,
  calendarIn,
  closedBecause,
  type DoctorCalendar,
  longestSlotMs,
  patientWindow,
  type ReadCalendar,
  remainingSeats,
  type Slot,
  slotsOfDay,
} from './rules.ts';

export const longestRangeDays = 31;
/**
 * If the clock skips time during a slot (two hours at most in any zone), the slot ends that much later, maybe on
 * the next day.
 */
const longestSkipMs = 2 * 3_600_000;

/** The reads that decide about a doctor's slots from one date to another. */
export const readsOfDates = (deps: Deps, whose: Whose, fromDate: string, toDate: string) =>
  calendarReads(deps.db, {
    ...whoseCalendar(whose),
    fromDate,
    toDate,
    // A booking that overlaps the first instant may have started up to the longest slot earlier.
    after: deps.clinicTime.startOf(fromDate) - longestSlotMs,
    before: deps.clinicTime.startOf(deps.clinicTime.addDays(toDate, 1)) + longestSkipMs,
  });

/** The calendar in the rows, or null for a doctor who does not exist or has retired. */
const calendarOf = ({ clinicTime }: Deps, rows: CalendarRows): ReadCalendar | null => {
  const calendar = calendarIn(rows, clinicTime.zone);
  if (calendar === 'unavailable') throw new Failure('unavailable');
  return calendar === 'doctor_not_found' ? null : calendar;
};

export const datesBetween = (deps: Deps, fromDate: string, toDate: string): string[] => {
  const dates: string[] = [];
  for (let date = fromDate; date <= toDate; date = deps.clinicTime.addDays(date, 1)) {
    dates.push(date);
    if (date === toDate) break;
  }
  return dates;
};

export const slotView = (slot: Slot, remaining: number, reason: string | null) => ({
  schedule_date: slot.date,
  schedule_time: timeOf(slot.minuteOfDay),
  session_id: slot.sessionId,
  session_name: slot.sessionName,
  room: slot.room,
  capacity: slot.capacity,
  remaining,
  ...(reason !== null && { reason }),
});

export type SlotView = ReturnType<typeof slotView>;

/** The slots of the calendar on these dates: the open ones, or with `closedToo` all of them. */
export const listSlots = (
  deps: Deps,
  calendar: DoctorCalendar,
  dates: readonly string[],
  wanted: {
    sessionId?: string | undefined;
    closedToo?: boolean;
    window?: BookingWindow | null;
    now: number;
    /** Which of them suit whoever asks; all of them unless set. */
    suits?: (slot: Slot) => boolean;
  },
): SlotView[] => {
  const window = wanted.window === undefined ? patientWindow(deps.config) : wanted.window;
  const slots = dates.flatMap((date) => slotsOfDay(calendar.schedules, date, deps.clinicTime));
  return slots
    .filter(({ sessionId }) => wanted.sessionId === undefined || sessionId === wanted.sessionId)
    .filter((slot) => wanted.suits?.(slot) ?? true)
    .map((slot) => ({ slot, reason: closedBecause(slot, calendar, wanted.now, window, deps.clinicTime) }))
    .filter(({ reason }) => wanted.closedToo === true || reason === null)
    .map(({ slot, reason }) => slotView(slot, remainingSeats(slot, calendar.occupied), reason));
};

/** A listing ends before the last date that can be written, so that there is always a day after it. */
const latestListed = '9999-11-30';

const assertListed = (path: 'from' | 'to', date: string | undefined): void => {
  if (date !== undefined && date > latestListed)
    throw new Failure('invalid_query', { issues: [{ path, rule: 'too_late', limit: latestListed }] });
};

/** The dates that a listing covers: without `from` and `to`, today and the six days after it. */
export const listedDates = (
  deps: Deps,
  now: number,
  from?: string,
  to?: string,
): { from: string; to: string } => {
  assertListed('from', from);
  assertListed('to', to);
  const first = from ?? deps.clinicTime.dateOf(now);
  const last = to ?? deps.clinicTime.addDays(first, 6);
  if (last < first)
    throw new Failure('invalid_query', {
      issues: [{ path: 'to', rule: 'not_before', limit: from === undefined ? first : 'from' }],
    });
  if (last >= deps.clinicTime.addDays(first, longestRangeDays))
    throw new Failure('invalid_query', {
      issues: [{ path: 'to', rule: 'range_days', limit: longestRangeDays }],
    });
  return { from: first, to: last };
};

interface WantedNext {
  sessionId?: string | undefined;
  window?: BookingWindow | null;
  now: number;
  enough: number;
  suits?: (slot: Slot) => boolean;
}

/** The dates on which the next open slots are looked for: never before today, until the patients' window ends. */
export const nextDates = (deps: Deps, now: number, wantedFrom: string) => {
  const today = deps.clinicTime.dateOf(now);
  // Past slots are never open, and a requested range may lie centuries in the past.
  const fromDate = wantedFrom < today ? today : wantedFrom;
  return { fromDate, lastDate: deps.clinicTime.addDays(today, deps.config.MAX_ADVANCE_DAYS) };
};

/** The next open slots in the rows that were read, day by day until there are enough of them. */
export const nextOpenIn = (
  deps: Deps,
  rows: CalendarRows,
  { fromDate, lastDate }: ReturnType<typeof nextDates>,
  wanted: WantedNext,
): SlotView[] => {
  const calendar = calendarOf(deps, rows);
  if (calendar === null || fromDate > lastDate) return [];
  const found: SlotView[] = [];
  for (const date of datesBetween(deps, fromDate, lastDate)) {
    found.push(...listSlots(deps, calendar, [date], wanted));
    if (found.length >= wanted.enough) break;
  }
  return found;
};

/** The next open slots of a doctor from a date on, in one read. */
const nextOpenSlots = async (
  deps: Deps,
  doctorId: string,
  wantedFrom: string,
  wanted: WantedNext,
): Promise<SlotView[]> => {
  const dates = nextDates(deps, wanted.now, wantedFrom);
  if (dates.fromDate > dates.lastDate) return [];
  const rows = await runAll(deps.db, readsOfDates(deps, doctorId, dates.fromDate, dates.lastDate));
  return nextOpenIn(deps, rows, dates, wanted);
};

interface SlotsQuery {
  from?: string | undefined;
  to?: string | undefined;
  session_id?: string | undefined;
  include?: 'unavailable' | undefined;
}

/** A doctor's slots in one read. Only if none of them is open, a second one looks for the next open slot. */
export const slotsAnswer = async (deps: Deps, now: number, doctorId: string, query: SlotsQuery) => {
  const { from, to } = listedDates(deps, now, query.from, query.to);
  const {
    rows,
    notices: [...notices],
  } = await runAll(deps.db, {
    rows: readsOfDates(deps, doctorId, from, to),
    notices: findNotices(deps.db, { doctorId, from, to }),
  });
  const calendar = calendarOf(deps, rows);
  if (calendar === null) throw new Failure('not_found');
  const wanted = { sessionId: query.session_id, now };
  const dates = datesBetween(deps, from, to);
  const data = listSlots(deps, calendar, dates, { ...wanted, closedToo: query.include === 'unavailable' });
  const isEmpty = data.every(({ reason }) => reason !== undefined);
  const [next] = isEmpty
    ? await nextOpenSlots(deps, doctorId, deps.clinicTime.addDays(to, 1), { ...wanted, enough: 1 })
    : [];
  return { data, meta: { time_zone: deps.clinicTime.zone, notices, next_available: next ?? null } };
};
