// Pure: which slots a doctor has, and whether one may be booked. Listing and booking call the same functions.

import { minuteMs } from '../../../core/clinic/durations.ts';
import { parseLocalTime } from '../../../core/clinic/local-time.ts';
import type { BookingRules } from '../../../core/clinic/rules.ts';
import type { ActingRole } from '../../../core/endpoint/roles.ts';
import type { Approval, ClosedReason } from '../../../core/tables/words.ts';
import { limitedBecause, type PatientVisits, type SessionLimits } from './limit-rules.ts';
import type { CalendarRows } from './queries.ts';

/** The part of the clinic's clock that the rules need. */
export interface WallClock {
  instantOf(date: string, minuteOfDay: number): number | null;
  weekdayOf(date: string): number;
  dateOf(instant: number): string;
  addDays(date: string, days: number): string;
}

export interface Schedule extends SessionLimits {
  sessionId: string;
  sessionName: string;
  approval: Approval;
  weekday: number;
  startTime: string;
  endTime: string;
  slotMinutes: number;
  capacity: number;
  room: string;
  validFrom: string | null;
  validUntil: string | null;
  /** Counted from the week of `validFrom`. */
  everyWeeks: number;
  breakStart: string | null;
  breakEnd: string | null;
}

export interface Closure {
  /** Null for a holiday of the whole clinic. */
  doctorId: string | null;
  startDate: string;
  endDate: string;
  startTime: string | null;
  endTime: string | null;
}

/** Live bookings of one doctor that share a start. */
export interface Occupied {
  startsAt: number;
  endsAt: number;
  taken: number;
}

export interface Slot extends SessionLimits {
  date: string;
  minuteOfDay: number;
  slotMinutes: number;
  sessionId: string;
  sessionName: string;
  approval: Approval;
  room: string;
  capacity: number;
  startsAt: number;
  endsAt: number;
}

/** How early and how late a patient may book; the clinic has no window. */
export interface BookingWindow {
  minNoticeMinutes: number;
  maxAdvanceDays: number;
}

/** The caller who lists slots. */
export interface Booker {
  role: ActingRole;
  /** For a doctor: which one. */
  doctorId: string | null;
}

/** Whether somebody runs the bookings of a doctor: the reception, an admin, a key of the clinic, and the doctor do. */
export const runsBookings = (doctorId: string, person: Booker): boolean =>
  person.role === 'staff' ||
  person.role === 'admin' ||
  person.role === 'api_key' ||
  (person.role === 'doctor' && person.doctorId === doctorId);

/** The window in which somebody may book with a doctor; null for those who run the doctor's bookings. */
export const windowFor = (
  doctorId: string,
  person: Booker | null,
  { minNoticeMinutes, maxAdvanceDays }: BookingRules,
): BookingWindow | null =>
  person !== null && runsBookings(doctorId, person) ? null : { minNoticeMinutes, maxAdvanceDays };

/** Everything that decides about a doctor's slots. */
export interface DoctorCalendar {
  schedules: readonly Schedule[];
  closures: readonly Closure[];
  /** In the order of their starts. */
  occupied: readonly Occupied[];
}

/** A doctor's calendar, with the versions that guard decisions made on it. */
export interface ReadCalendar extends DoctorCalendar {
  schedules: CalendarRows['schedules'];
  clinic: NonNullable<CalendarRows['clinics'][number]>;
  doctor: NonNullable<CalendarRows['doctors'][number]>;
  doctorVersion: number;
  clinicVersion: number;
}

/** Whether instants can be computed: the clinic's time zone is the one with which the service was started, and is not being changed. */
export const isOfZone = (clinic: { timeZone: string; rezoningTo: string | null }, zone: string): boolean =>
  clinic.timeZone === zone && clinic.rezoningTo === null;

/**
 * The calendar from the rows, or why there is none. `unavailable`: the clinic's time zone is no longer the one that
 * this service started with, so its instants would be wrong.
 */
export const calendarIn = (
  { clinics: [clinic], doctors: [doctor], schedules, closures, occupied }: CalendarRows,
  zone: string,
): ReadCalendar | 'unavailable' | 'doctor_not_found' => {
  if (clinic === undefined || !isOfZone(clinic, zone)) return 'unavailable';
  if (doctor === undefined || doctor.retiredAt !== null) return 'doctor_not_found';
  const versions = { doctorVersion: doctor.calendarVersion, clinicVersion: clinic.calendarVersion };
  return { clinic, doctor, ...versions, schedules, closures, occupied };
};

/** The longest possible slot: a booking that overlaps an instant starts less than this before it. */
export const longestSlotMs = 1_440 * minuteMs;

const firstMonday = Date.parse('1970-01-05T00:00:00Z');

/** How many weeks lie between the first Monday of 1970 and a date; weeks begin on Monday. */
const weekIndex = (date: string): number =>
  Math.trunc((Date.parse(`${date}T00:00:00Z`) - firstMonday) / (7 * 1_440 * minuteMs));

const isItsWeek = ({ everyWeeks, validFrom }: Schedule, date: string): boolean =>
  everyWeeks === 1 || validFrom === null || (weekIndex(date) - weekIndex(validFrom)) % everyWeeks === 0;

/** Whether a schedule of the date's weekday holds on the date. */
export const isValidOn = (schedule: Schedule, date: string): boolean =>
  (schedule.validFrom === null || schedule.validFrom <= date) &&
  (schedule.validUntil === null || date <= schedule.validUntil) &&
  isItsWeek(schedule, date);

const slotAt = (schedule: Schedule, date: string, minute: number, clock: WallClock): Slot | null => {
  const { sessionId, sessionName, approval, room, slotMinutes, capacity } = schedule;
  const { maxPerDay, minDaysBetween, openTo } = schedule;
  const startsAt = clock.instantOf(date, minute);
  if (startsAt === null) return null;
  const endsAt = startsAt + slotMinutes * minuteMs;
  const laid = { date, minuteOfDay: minute, slotMinutes, sessionId, sessionName, approval, room, capacity };
  return { ...laid, maxPerDay, minDaysBetween, openTo, startsAt, endsAt };
};

/** The hours of a schedule, in minutes of the day: one span, or those before and after its break. */
export const spansOf = ({
  startTime,
  endTime,
  breakStart,
  breakEnd,
}: Schedule): [start: number, end: number][] => {
  const end = parseLocalTime(endTime) ?? 0;
  const start = parseLocalTime(startTime) ?? end;
  if (breakStart === null || breakEnd === null) return [[start, end]];
  return [
    [start, parseLocalTime(breakStart) ?? end],
    [parseLocalTime(breakEnd) ?? end, end],
  ];
};

/** The slots of one schedule on a date of its weekday, except those that the clock skips. */
export const slotsOfSchedule = (schedule: Schedule, date: string, clock: WallClock): Slot[] => {
  const { slotMinutes } = schedule;
  const slots: Slot[] = [];
  for (const [start, end] of spansOf(schedule))
    for (let minute = start; minute + slotMinutes <= end; minute += slotMinutes) {
      const slot = slotAt(schedule, date, minute, clock);
      if (slot !== null) slots.push(slot);
    }
  return slots;
};

const isOnGrid = (schedule: Schedule, minute: number): boolean =>
  spansOf(schedule).some(
    ([start, end]) =>
      minute >= start &&
      (minute - start) % schedule.slotMinutes === 0 &&
      minute + schedule.slotMinutes <= end,
  );

/** All slots of a date by the schedules, bookable or not, in the order of their starts. */
export const slotsOfDay = (schedules: readonly Schedule[], date: string, clock: WallClock): Slot[] => {
  const weekday = clock.weekdayOf(date);
  return schedules
    .filter((schedule) => schedule.weekday === weekday && isValidOn(schedule, date))
    .flatMap((schedule) => slotsOfSchedule(schedule, date, clock))
    .sort((a, b) => a.startsAt - b.startsAt);
};

/** Whether a closure of the doctor or the clinic closes a slot. */
export const covers = (closure: Closure, slot: Slot): boolean => {
  if (slot.date < closure.startDate || slot.date > closure.endDate) return false;
  if (closure.startTime === null || closure.endTime === null) return true;
  const from = parseLocalTime(closure.startTime) ?? 0;
  const until = parseLocalTime(closure.endTime) ?? 1_440;
  return slot.minuteOfDay < until && slot.minuteOfDay + slot.slotMinutes > from;
};

const firstFrom = (occupied: readonly Occupied[], instant: number): number => {
  let low = 0;
  let high = occupied.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((occupied[middle]?.startsAt ?? 0) < instant) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Seats left. Bookings with the same start share the capacity; any other overlapping booking makes the doctor busy. */
export const remainingSeats = (slot: Slot, occupied: readonly Occupied[]): number => {
  let taken = 0;
  for (let at = firstFrom(occupied, slot.startsAt - longestSlotMs); at < occupied.length; at++) {
    const other = occupied[at];
    if (other === undefined || other.startsAt >= slot.endsAt) break;
    if (other.startsAt === slot.startsAt) taken += other.taken;
    else if (other.endsAt > slot.startsAt) return 0;
  }
  return Math.max(0, slot.capacity - taken);
};

const outsideWindow = (
  slot: Slot,
  window: BookingWindow,
  now: number,
  clock: WallClock,
): 'too_soon' | 'too_far' | null => {
  if (slot.startsAt < now + window.minNoticeMinutes * minuteMs) return 'too_soon';
  return slot.date > clock.addDays(clock.dateOf(now), window.maxAdvanceDays) ? 'too_far' : null;
};

/**
 * Why a slot may not be booked at `now`, or null if it may be. `window` is null for the clinic, which may until the end.
 * The limits of its session are checked where the patient is known.
 */
export const closedBecause = (
  slot: Slot,
  calendar: DoctorCalendar,
  now: number,
  window: BookingWindow | null,
  clock: WallClock,
  patient: PatientVisits | null | undefined = null,
): ClosedReason | null => {
  // The clinic books until a slot ends: walk-ins come while it runs.
  if ((window === null ? slot.endsAt : slot.startsAt) <= now) return 'past';
  const outside = window && outsideWindow(slot, window, now, clock);
  if (outside) return outside;
  const closures = calendar.closures.filter((closure) => covers(closure, slot));
  if (closures.length > 0) return closures.some(({ doctorId }) => doctorId !== null) ? 'leave' : 'holiday';
  const limited = patient && limitedBecause(slot, patient);
  if (limited) return limited;
  return remainingSeats(slot, calendar.occupied) === 0 ? 'full' : null;
};

interface SlotInput {
  sessionId: string;
  date: string;
  /** HH:MM:SS */
  time: string;
}

/** The slot at the requested date and time, or null if the schedule has no slot there. */
export const findSlot = (schedules: readonly Schedule[], input: SlotInput, clock: WallClock): Slot | null => {
  const minute = parseLocalTime(input.time);
  if (minute === null) return null;
  const weekday = clock.weekdayOf(input.date);
  for (const schedule of schedules) {
    const offers = schedule.sessionId === input.sessionId && schedule.weekday === weekday;
    if (!offers || !isValidOn(schedule, input.date) || !isOnGrid(schedule, minute)) continue;
    const slot = slotAt(schedule, input.date, minute, clock);
    if (slot !== null) return slot;
  }
  return null;
};
