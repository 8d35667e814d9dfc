import { assertDateRange } from '../../../core/clinic/date-range.ts';
import { hourMs } from '../../../core/clinic/durations.ts';
import { formatLocalTime } from '../../../core/clinic/local-time.ts';
import { type BookingRules, resolveRules } from '../../../core/clinic/rules.ts';
import { read, reading } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { toIso } from '../../../core/endpoint/instants.ts';
import { takesCodes } from '../../../core/takes-codes.ts';
import { awaitsApproval, type ListedPatient } from './for-patient.ts';
import type { PatientVisits } from './limit-rules.ts';
import { type CalendarRows, calendarReads, findNotices, type Whose, whoseCalendar } from './queries.ts';
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
const longestSkipMs = 2 * hourMs;

/** The reads that decide about a doctor's slots from one date to another. */
export const readsOfDates = (deps: Deps, whose: Whose, fromDate: string, toDate: string) =>
  calendarReads(deps.db, {
    ...whoseCalendar(whose),
    fromDate,
    toDate,
    // A booking that overlaps the first instant may have started up to the longest slot earlier.
    after: deps.clinicTime.startOf(fromDate) - longestSlotMs,
    before: deps.clinicTime.startOf(deps.clinicTime.addDays(toDate, 1)) + longestSkipMs,
    now: deps.clock(),
    countsHolds: takesCodes(deps),
  });

/** The calendar in the rows, or null for a doctor who does not exist or has retired. */
const toCalendar = ({ clinicTime }: Deps, rows: CalendarRows): ReadCalendar | null => {
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

const slotView = (slot: Slot, remaining: number, reason: string | null) => ({
  schedule_date: slot.date,
  schedule_time: formatLocalTime(slot.minuteOfDay),
  ends_at: toIso(slot.endsAt),
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
    window: BookingWindow | null;
    now: number;
    /** The patient to whom the limits of the sessions apply; without one the limits are not checked. */
    patient?: PatientVisits | null | undefined;
    /** The filter for slots that suit the caller; all slots by default. */
    suits?: ((slot: Slot) => boolean) | undefined;
  },
): SlotView[] => {
  const slots = dates.flatMap((date) => slotsOfDay(calendar.schedules, date, deps.clinicTime));
  return slots
    .filter(({ sessionId }) => wanted.sessionId === undefined || sessionId === wanted.sessionId)
    .filter((slot) => wanted.suits?.(slot) ?? true)
    .map((slot) => ({
      slot,
      reason: closedBecause(slot, calendar, wanted.now, wanted.window, deps.clinicTime, wanted.patient),
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
  { from, to, longestDays = longestRangeDays }: SlotsQuery & { longestDays?: number },
): { from: string; to: string } => {
  assertListed('from', from);
  assertListed('to', to);
  const first = from ?? deps.clinicTime.dateOf(now);
  const last = to ?? deps.clinicTime.addDays(first, 6);
  const range = { from: first, to: last };
  assertDateRange(deps.clinicTime, 'invalid_query', range, longestDays, from === undefined ? first : 'from');
  return range;
};

/** Which open slots are looked for, by whom and under which rules. */
interface WantedNext {
  sessionId?: string | undefined;
  now: number;
  enough: number;
  by: Booker | null;
  rules: BookingRules;
  patient?: PatientVisits | null;
  suits?: (slot: Slot) => boolean;
}

/** The dates on which the next open slots are looked for: never before today, until the patients' window ends. */
export const nextDates = (deps: Deps, now: number, wantedFrom: string, rules: BookingRules) => {
  const today = deps.clinicTime.dateOf(now);
  // Past slots are never open, and a requested range may lie centuries in the past.
  const fromDate = wantedFrom < today ? today : wantedFrom;
  return { fromDate, lastDate: deps.clinicTime.addDays(today, rules.maxAdvanceDays) };
};

/** The next open slots in the rows that were read, day by day until there are enough of them. */
export const nextOpenIn = (
  deps: Deps,
  doctorId: string,
  rows: CalendarRows,
  { fromDate, lastDate }: ReturnType<typeof nextDates>,
  { by, rules, enough, ...wanted }: WantedNext,
): SlotView[] => {
  const window = windowFor(doctorId, by, rules);
  const calendar = toCalendar(deps, rows);
  if (calendar === null || fromDate > lastDate) return [];
  const found: SlotView[] = [];
  for (const date of datesBetween(deps, fromDate, lastDate)) {
    found.push(...listSlots(deps, calendar, [date], { ...wanted, window }));
    if (found.length >= enough) break;
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
  const dates = nextDates(deps, wanted.now, wantedFrom, wanted.rules);
  if (dates.fromDate > dates.lastDate) return [];
  const rows = await read(deps.db, readsOfDates(deps, doctorId, dates.fromDate, dates.lastDate));
  return nextOpenIn(deps, doctorId, rows, dates, wanted);
};

interface SlotsQuery {
  from?: string | undefined;
  to?: string | undefined;
  session_id?: string | undefined;
  include?: 'unavailable' | undefined;
}

/** The data that a listing of a doctor's slots reads. */
export const slotsReads = (deps: Deps, now: number, doctorId: string, query: SlotsQuery) => {
  const { from, to } = listedDates(deps, now, query);
  return reading({
    notices: findNotices(deps.db, { doctorId, from, to }),
    rows: readsOfDates(deps, doctorId, from, to),
  });
};

type SlotsRead = ReturnType<ReturnType<typeof slotsReads>['toResult']>;

/**
 * A doctor's slots that this caller may book; a caller without a token counts as a patient. Only if none is open, a
 * second read searches the next open slot.
 */
export const slotsAnswer = async (
  deps: Deps,
  now: number,
  {
    doctorId,
    by,
    query,
    patient,
  }: { doctorId: string; by: Booker | null; query: SlotsQuery; patient: ListedPatient | null },
  { rows, notices }: SlotsRead,
) => {
  const calendar = toCalendar(deps, rows);
  if (calendar === null) throw new Failure('not_found');
  const { from, to } = listedDates(deps, now, query);
  const rules = resolveRules(deps.config, calendar.clinic);
  const wanted = { sessionId: query.session_id, now, patient };
  const closedToo = query.include === 'unavailable';
  const window = windowFor(doctorId, by, rules);
  const data = listSlots(deps, calendar, datesBetween(deps, from, to), { ...wanted, closedToo, window });
  const isEmpty = data.every(({ reason }) => reason !== undefined);
  const next = { ...wanted, by, rules, enough: 1 };
  const [found] = isEmpty ? await nextOpenSlots(deps, doctorId, deps.clinicTime.addDays(to, 1), next) : [];
  const meta = {
    time_zone: deps.clinicTime.zone,
    notices,
    next_available: found ?? null,
    ...awaitsApproval(patient, rules),
  };
  return { data, meta };
};
