// Pure: whether a calendar has the requested slot, and the columns to write if a seat is taken.

import { type BookingRules, resolveRules } from '../../../core/clinic/rules.ts';
import type { Deps } from '../../../core/deps.ts';
import type { ClosedReason } from '../../../core/tables/words.ts';
import type { CalendarRows } from '../../catalog/slots/queries.ts';
import {
  calendarIn,
  closedBecause,
  findSlot,
  type Occupied,
  type ReadCalendar,
  type Slot,
  windowFor,
} from '../../catalog/slots/rules.ts';
import type { ActingContext } from '../record/context.ts';
import type { BookingRow } from '../record/queries.ts';
import { maxMadeAnHour, type Party } from '../record/rules.ts';
import type { SlotInput } from './calendar.ts';
import { toWriter } from './guards.ts';

/** A slot that the calendar has at this time. It may look full: only the database refuses a full slot. */
export interface Decided {
  calendar: ReadCalendar;
  /** The rules in force under the calendar's version. */
  rules: BookingRules;
  slot: Slot;
  full: boolean;
}

export type SlotClosed = Exclude<ClosedReason, 'full'> | 'not_offered';

/** Why the calendar has no such slot. */
export interface Refused {
  refused: 'unavailable' | 'doctor_not_found' | 'session_not_offered' | SlotClosed;
  rules?: BookingRules;
}

/** The live bookings that conflict, except the one that is being moved. */
export const withoutOwn = (occupied: readonly Occupied[], moved: BookingRow): Occupied[] =>
  occupied
    .map((o) =>
      o.startsAt === moved.startsAt && o.endsAt === moved.endsAt ? { ...o, taken: o.taken - 1 } : o,
    )
    .filter(({ taken }) => taken > 0);

/** The requested slot in the calendar that was read, or why it cannot be booked. A full slot is not refused here. */
export const decideSlot = (
  context: ActingContext,
  input: SlotInput,
  rows: CalendarRows,
  moved?: BookingRow,
): Decided | Refused => {
  const { deps, actor, now } = context;
  const { clinicTime } = deps;
  const read = calendarIn(rows, clinicTime.zone);
  if (typeof read === 'string') return { refused: read };
  if (!read.schedules.some(({ sessionId }) => sessionId === input.session_id))
    return { refused: 'session_not_offered' };
  const isOwnDoctor = moved?.doctorId === input.doctor_id;
  const calendar = isOwnDoctor ? { ...read, occupied: withoutOwn(read.occupied, moved) } : read;
  const named = { sessionId: input.session_id, date: input.schedule_date, time: input.schedule_time };
  const slot = findSlot(calendar.schedules, named, clinicTime);
  if (slot === null) return { refused: 'not_offered' };
  const rules = resolveRules(deps.config, read.clinic);
  const window = windowFor(input.doctor_id, actor, rules);
  const reason = closedBecause(slot, calendar, now, window, clinicTime);
  if (reason !== null && reason !== 'full') return { refused: reason, rules };
  return { calendar, rules, slot, full: reason === 'full' };
};

/** How many seats beyond the capacity of a slot the clinic may give. */
export const maxOverbooked = 5;

/** How many bookings the actor may have, and make in an hour; 0 for no limit. */
interface Limits {
  maxComing: number;
  maxUnproved: number;
  maxAnHour: number;
}

const noLimits: Limits = { maxComing: 0, maxUnproved: 0, maxAnHour: 0 };

/** The limits for somebody who books, or only moves a booking, as a patient; the clinic has none. */
export const resolveLimits = (
  { deps: { config, mailer } }: { deps: Pick<Deps, 'config' | 'mailer'> },
  party: Party,
  isNew: boolean,
  { maxLiveBookings, maxUnprovedBookings }: BookingRules,
): Limits => {
  if (party !== 'patient') return noLimits;
  const asksForProof = maxLiveBookings !== 0 && mailer.reachesPeople === true;
  return {
    // A move adds no booking.
    maxComing: isNew ? maxLiveBookings : 0,
    maxUnproved: isNew && asksForProof ? maxUnprovedBookings : 0,
    maxAnHour: config.RATE_LIMIT === 'on' ? maxMadeAnHour : 0,
  };
};

/** The values that guard the write of a decided seat. */
export const buildSeatInput = (
  context: ActingContext,
  ids: Parameters<typeof toWriter>[1] & { patientId: string; familyAccount: string | null },
  { calendar, slot }: Decided,
  limits: Limits,
  beyond = 0,
) => ({
  ...toWriter(context, ids),
  patientId: ids.patientId,
  familyAccount: ids.familyAccount,
  doctorId: calendar.doctor.id,
  sessionId: slot.sessionId,
  scheduleDate: slot.date,
  startsAt: slot.startsAt,
  endsAt: slot.endsAt,
  capacity: slot.capacity,
  beyond,
  doctorVersion: calendar.doctorVersion,
  clinicVersion: calendar.clinicVersion,
  ahead: 0,
  ...limits,
});

export type SeatInput = ReturnType<typeof buildSeatInput>;

/** The columns that say where a booking is, of the decided slot. */
export const toPlaceColumns = ({ calendar: { doctor }, slot }: Decided, { schedule_time }: SlotInput) => ({
  doctorId: doctor.id,
  doctorName: [doctor.title, doctor.name].filter(Boolean).join(' '),
  sessionId: slot.sessionId,
  sessionName: slot.sessionName,
  scheduleDate: slot.date,
  scheduleTime: schedule_time,
  startsAt: slot.startsAt,
  endsAt: slot.endsAt,
});
