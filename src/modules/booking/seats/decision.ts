// Pure: who asks for a seat, for whom and where; whether the calendar has it; and the values that guard its write.

import { type BookingRules, resolveRules } from '../../../core/clinic/rules.ts';
import { externalAfter, noExternal } from '../../../core/db/external-fields.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { BookingChannel, ClosedReason } from '../../../core/tables/words.ts';
import type { AnyActor } from '../../auth/context.ts';
import { isLimit, type LimitReason, type SessionLimits, unlimited } from '../../catalog/slots/limit-rules.ts';
import type { CalendarRows } from '../../catalog/slots/queries.ts';
import {
  calendarIn,
  closedBecause,
  findSlot,
  type Occupied,
  type ReadCalendar,
  runsBookings,
  type Slot,
  windowFor,
} from '../../catalog/slots/rules.ts';
import type { Bookable } from '../../patients/record/queries.ts';
import type { ActingContext } from '../record/context.ts';
import type { VisitFields } from '../record/fields.ts';
import type { BookingRow } from '../record/queries.ts';
import { maxMadeAnHour, type Party } from '../record/rules.ts';
import type { SlotInput } from './calendar.ts';
import { toWriter } from './guards.ts';

export const wrongPatient = (rule: 'required' | 'not_found') =>
  new Failure('validation_failed', { issues: [{ path: 'patient_id', rule }] });

/** For whom an account acts: itself, unless it names one of the family; others are refused like unknown ones. */
export const ownOrFamily = (accountId: string, named: string | undefined, patient: Bookable | undefined) => {
  if (named === undefined || patient?.id === accountId) return { patientId: accountId, familyAccount: null };
  if (!patient?.isFamily) throw wrongPatient('not_found');
  return { patientId: patient.id, familyAccount: accountId };
};

/** The patient for whom the clinic acts: it must name one, and not a person who works at the clinic. */
export const patientOfClinic = (named: string | undefined, patient: Bookable | undefined) => {
  if (named === undefined) throw wrongPatient('required');
  if (patient === undefined || patient.worksHere) throw wrongPatient('not_found');
  return { patientId: patient.id, familyAccount: null };
};

/** A seat that is asked for: what decides, writes and explains reads this and not the request's body. */
export interface SeatRequest {
  /** The role in which the actor asks: a doctor who books with a colleague is a patient. */
  party: Party;
  patientId: string;
  /** The account that books for its family. */
  familyAccount: string | null;
  place: SlotInput;
  /** How many seats beyond the capacity of the slot may be given. */
  beyond: number;
  /** Whether the clinic passes the limits of the session. */
  passesLimits: boolean;
  /** The hash of the secret of the hold that this seat may take the place of. */
  hold?: string | null;
}

export interface BookingRequest extends SeatRequest {
  notes: string;
  /** Whether the patient is there already. */
  checkIn: boolean;
  /** The data of the visit for other systems. */
  visit: VisitFields;
  /** What another system keeps with it. */
  external: typeof noExternal;
  /** The answers to the session's questions that came with the request, as JSON; null for none. */
  answers: string | null;
}

interface Asked extends SlotInput {
  notes: string;
  patient_id?: string | undefined;
  check_in?: boolean | undefined;
  overbook?: boolean | undefined;
  override_limits?: boolean | undefined;
  channel?: BookingChannel | undefined;
  payer?: BookingRow['payer'] | undefined;
  visit_kind?: BookingRow['visitKind'] | undefined;
  referral_number?: string | undefined;
  external_id?: string | null | undefined;
  metadata?: Readonly<Record<string, string>> | undefined;
}

/** A patient for whom the caller may not book is refused like an unknown one. */
const resolvePatient = (
  actor: AnyActor,
  party: Party,
  named: string | undefined,
  patient: Bookable | undefined,
) => {
  const isOwn = named === undefined || patient?.id === actor.userId;
  if (party !== 'clinic') {
    if (!isOwn && actor.role !== 'patient') throw new Failure('forbidden');
    return ownOrFamily(actor.userId, named, patient);
  }
  if (named !== undefined && isOwn) return ownOrFamily(actor.userId, named, patient);
  const isKnown = actor.role !== 'doctor' || patient?.isKnownToDoctor;
  return patientOfClinic(named, isKnown ? patient : undefined);
};

/**
 * Resolves the body of a request to book, with the patient that it names: who asks, for whom, and where. Throws if the
 * actor may not book for that patient or not with these options; a check-in is possible only on the booking's day.
 */
export const resolveBooking = (
  { deps, now, actor }: ActingContext<AnyActor>,
  asked: Asked,
  patient: Bookable | undefined,
): BookingRequest => {
  const {
    doctor_id,
    session_id,
    schedule_date,
    schedule_time,
    patient_id,
    check_in,
    overbook,
    override_limits,
  } = asked;
  const party = runsBookings(doctor_id, actor) ? 'clinic' : 'patient';
  const isOfClinic =
    check_in || overbook || override_limits || asked.external_id != null || asked.metadata !== undefined;
  // By FHIR a patient books too; its requests cannot say so themselves.
  const isChannelSaid = asked.channel !== undefined && asked.channel !== 'fhir';
  if ((isOfClinic || isChannelSaid) && party !== 'clinic') throw new Failure('forbidden');
  if (check_in && schedule_date !== deps.clinicTime.dateOf(now))
    throw new Failure('validation_failed', { issues: [{ path: 'check_in', rule: 'today_only' }] });
  return {
    party,
    ...resolvePatient(actor, party, patient_id, patient),
    place: { doctor_id, session_id, schedule_date, schedule_time },
    beyond: overbook ? maxOverbooked : 0,
    passesLimits: override_limits === true,
    notes: asked.notes,
    checkIn: check_in === true,
    visit: {
      channel: asked.channel ?? (party === 'clinic' ? 'desk' : 'app'),
      payer: asked.payer ?? null,
      visitKind: asked.visit_kind ?? null,
      referralNumber: asked.referral_number ?? null,
    },
    external: externalAfter(noExternal, asked),
    answers: null,
  };
};

/** A slot that the calendar has at this time. It may look full: only the database refuses a full slot. */
export interface Decided {
  calendar: ReadCalendar;
  /** The rules in force under the calendar's version, and the limits of the actor by them. */
  rules: BookingRules;
  limits: Limits;
  /** What the session limits for the patient. */
  ofSession: SessionLimits;
  standing: Standing;
  slot: Slot;
  full: boolean;
}

/** Whether the patient's bookings wait for approval, since they missed visits; `approvalAfter` is 0 where that is not asked. */
export interface Standing {
  approvalAfter: number;
  waits: 0 | 1;
}

const notAsked: Standing = { approvalAfter: 0, waits: 0 };

/** By the calendar only: the database checks a session's limits for each patient when the seat is taken. */
export type SlotClosed = Exclude<ClosedReason, 'full' | LimitReason> | 'not_offered';

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

/** The slot in the calendar that was read, or why it cannot be booked. A full slot is not refused here. */
export const decideSlot = (
  context: ActingContext,
  { party, place, passesLimits }: Pick<SeatRequest, 'party' | 'place' | 'passesLimits'>,
  rows: CalendarRows,
  moved?: BookingRow,
): Decided | Refused => {
  const { deps, actor, now } = context;
  const { clinicTime } = deps;
  const { doctor_id, session_id: sessionId, schedule_date: date, schedule_time: time } = place;
  const read = calendarIn(rows, clinicTime.zone);
  if (typeof read === 'string') return { refused: read };
  if (!read.schedules.some((row) => row.sessionId === sessionId)) return { refused: 'session_not_offered' };
  const isOwnDoctor = moved?.doctorId === doctor_id;
  const calendar = isOwnDoctor ? { ...read, occupied: withoutOwn(read.occupied, moved) } : read;
  const slot = findSlot(calendar.schedules, { sessionId, date, time }, clinicTime);
  if (slot === null) return { refused: 'not_offered' };
  const rules = resolveRules(deps.config, read.clinic);
  const window = windowFor(doctor_id, actor, rules);
  const reason = closedBecause(slot, calendar, now, window, clinicTime);
  if (reason !== null && reason !== 'full' && !isLimit(reason)) return { refused: reason, rules };
  const asked = { party, passesLimits };
  return { ...toDecided(context, asked, { calendar, rules, slot }, moved), full: reason === 'full' };
};

/** A slot of the calendar with the limits that guard its write. */
export const toDecided = (
  context: ActingContext,
  { party, passesLimits }: Pick<SeatRequest, 'party' | 'passesLimits'>,
  found: Pick<Decided, 'calendar' | 'rules' | 'slot'>,
  moved?: BookingRow,
): Decided => ({
  ...found,
  limits: resolveLimits(context, party, moved === undefined, found.rules),
  ofSession: passesLimits ? unlimited : buildLimits(found.slot, moved),
  standing: notAsked,
  full: false,
});

/** The limits of the slot's session. A booking that stays in its session is not asked again whom that is for. */
const buildLimits = (
  { sessionId, maxPerDay, minDaysBetween, openTo }: Slot,
  moved: BookingRow | undefined,
): SessionLimits => ({
  maxPerDay,
  minDaysBetween,
  openTo: moved?.sessionId === sessionId ? 'all' : openTo,
});

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

/** The values that guard the write of a decided seat; `ahead` counts those of the same step that come before it. */
export const buildSeatInput = (
  context: ActingContext,
  { patientId, familyAccount, beyond, hold = null }: SeatRequest,
  { calendar, slot, limits, ofSession, standing }: Decided,
  ids: Parameters<typeof toWriter>[1],
  ahead = 0,
) => ({
  ...toWriter(context, ids),
  patientId,
  familyAccount,
  doctorId: calendar.doctor.id,
  sessionId: slot.sessionId,
  scheduleDate: slot.date,
  startsAt: slot.startsAt,
  endsAt: slot.endsAt,
  capacity: slot.capacity,
  beyond,
  doctorVersion: calendar.doctorVersion,
  clinicVersion: calendar.clinicVersion,
  ahead,
  hold,
  ...limits,
  ...ofSession,
  ...standing,
});

export type SeatInput = ReturnType<typeof buildSeatInput>;

/** The answers of a booking before anybody answers: none of those that its session asks for, or null if it asks nothing. */
export const noAnswers = ({ calendar, slot: { sessionId } }: Decided): string | null =>
  calendar.schedules.some((row) => row.sessionId === sessionId && row.asks === 1) ? '[]' : null;

/** The columns that say where a booking is, of the decided slot. */
export const toPlaceColumns = ({ calendar: { doctor }, slot }: Decided, { place }: SeatRequest) => ({
  doctorId: doctor.id,
  doctorName: [doctor.title, doctor.name].filter(Boolean).join(' '),
  sessionId: slot.sessionId,
  sessionName: slot.sessionName,
  scheduleDate: slot.date,
  scheduleTime: place.schedule_time,
  startsAt: slot.startsAt,
  endsAt: slot.endsAt,
});
