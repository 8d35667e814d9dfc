import { timeOf } from '../../clinic/local-time.ts';
import { type BookingRules, rulesOf } from '../../clinic/rules.ts';
import { runAll } from '../../db/db.ts';
import type { Deps } from '../../deps.ts';
import { Failure } from '../../endpoint/errors.ts';
import { isoOf } from '../../endpoint/instants.ts';
import { type CalendarRows, calendarReads, type Whose, whoseCalendar } from './queries.ts';
import {
  type Booker,
  type BookingWindow,
  calendarIn,
  closedBecause,
  type DoctorCalendar,
  longestSlotMs,
  type ReadCalendar,
  remainingSeats,
  type Slot,
  slotsOfDay,
  windowFor,
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
  ends_at: isoOf(slot.endsAt),
  session_id: slot.sessionId,
  session_name: slot.sessionName,
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
  wanted: { sessionId?: string | undefined; closedToo?: boolean; window: BookingWindow | null; now: number },
): SlotView[] => {
  const slots = dates.flatMap((date) => slotsOfDay(calendar.schedules, date, deps.clinicTime));
  return slots
    .filter(({ sessionId }) => wanted.sessionId === undefined || sessionId === wanted.sessionId)
    .map((slot) => ({
      slot,
      reason: closedBecause(slot, calendar, wanted.now, wanted.window, deps.clinicTime),
    }))
    .filter(({ reason }) => wanted.closedToo === true || reason === null)
    .map(({ slot, reason }) => slotView(slot, remainingSeats(slot, calendar.occupied), reason));
};

/** A listing ends before the last date that can be written, so that there is always a day after it. */
const latestListed = '9999-11-30';

export const assertListed = (path: 'from' | 'to' | 'date', date: string | undefined): void => {
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

/** Which open slots are looked for, by whom and under which rules. */
interface NextWanted {
  sessionId?: string | undefined;
  now: number;
  enough: number;
  by: Booker | null;
  rules: BookingRules;
}

/**
 * The next open slots of a doctor, in one read: day by day from a date on (never before today), until there are
 * enough of them or the patients' window ends.
 */
export const nextOpenSlots = async (
  deps: Deps,
  doctorId: string,
  wantedFrom: string,
  { by, rules, enough, ...wanted }: NextWanted,
): Promise<SlotView[]> => {
  const today = deps.clinicTime.dateOf(wanted.now);
  const lastDate = deps.clinicTime.addDays(today, rules.maxAdvanceDays);
  const window = windowFor(doctorId, by, rules);
  // Past slots are never open, and a requested range may lie centuries in the past.
  const fromDate = wantedFrom < today ? today : wantedFrom;
  if (fromDate > lastDate) return [];
  const rows = await runAll(deps.db, readsOfDates(deps, doctorId, fromDate, lastDate));
  const calendar = calendarOf(deps, rows);
  if (calendar === null) return [];
  const found: SlotView[] = [];
  for (const date of datesBetween(deps, fromDate, lastDate)) {
    found.push(...listSlots(deps, calendar, [date], { ...wanted, window }));
    if (found.length >= enough) break;
  }
  return found;
};

interface SlotsQuery {
  from?: string | undefined;
  to?: string | undefined;
  session_id?: string | undefined;
  include?: 'unavailable' | undefined;
}

/** What a listing of a doctor's slots reads. */
export const slotsReads = (deps: Deps, now: number, doctorId: string, query: SlotsQuery) => {
  const { from, to } = listedDates(deps, now, query.from, query.to);
  return readsOfDates(deps, doctorId, from, to);
};

/**
 * A doctor's slots that this person may book; nobody known is a patient. Only if none of them is open, a second read
 * looks for the next open slot.
 */
export const slotsAnswer = async (
  deps: Deps,
  now: number,
  { doctorId, by, query }: { doctorId: string; by: Booker | null; query: SlotsQuery },
  rows: CalendarRows,
) => {
  const calendar = calendarOf(deps, rows);
  if (calendar === null) throw new Failure('not_found');
  const { from, to } = listedDates(deps, now, query.from, query.to);
  const rules = rulesOf(deps.config, calendar.clinic);
  const wanted = { sessionId: query.session_id, now };
  const closedToo = query.include === 'unavailable';
  const window = windowFor(doctorId, by, rules);
  const data = listSlots(deps, calendar, datesBetween(deps, from, to), { ...wanted, closedToo, window });
  const isEmpty = data.every(({ reason }) => reason !== undefined);
  const next = { ...wanted, by, rules, enough: 1 };
  const [found] = isEmpty ? await nextOpenSlots(deps, doctorId, deps.clinicTime.addDays(to, 1), next) : [];
  return { data, meta: { time_zone: deps.clinicTime.zone, next_available: found ?? null } };
};
