import type { AuthenticatedContext } from '../../auth/context.ts';
import { closedBecause, findSlot, type Occupied, type Slot } from '../../catalog/slots/rules.ts';
import {
  type CalendarRows,
  calendarOf,
  patientWindow,
  type ReadCalendar,
} from '../../catalog/slots/slots.ts';
import { run } from '../../db/db.ts';
import type { Deps } from '../../deps.ts';
import { catalogue, Failure } from '../../endpoint/errors.ts';
import { refusedToken } from '../../endpoint/refused-token.ts';
import { daysInWords, minutesInWords, type Sentence, say, secondsInWords } from '../../endpoint/sentences.ts';
import { RequestRepeated } from '../../idempotency/key.ts';
import { type BookingRow, findBooking } from '../record/queries.ts';
import { type ActingRole, maxMadeAnHour, maySee, type Party, runsBookingsOf } from '../record/rules.ts';
import { closedSentences, limitSentences, ownSentences } from '../record/sentences.ts';
import { alternativesTo } from './alternatives.ts';
import type { SlotInput } from './decision-reads.ts';
import { countedSpanMs } from './guards.ts';
import type { explainSeat } from './queries.ts';

/** Whoever changes a booking: a person with a login, or the scheduler with none. */
export interface Doer {
  userId: string | null;
  deviceLoginId: string | null;
  role: ActingRole;
  doctorId: string | null;
}

/** What an action is told of a change: a request has it, and so has the scheduler. */
export interface ActingContext<A extends Doer = Doer>
  extends Pick<AuthenticatedContext, 'deps' | 'now' | 'requestId' | 'storedResponseOf'> {
  actor: A;
}

export interface Decided {
  calendar: ReadCalendar;
  slot: Slot;
  full: boolean;
}

/** The live bookings that conflict, except the one that is being moved. */
const withoutOwn = (occupied: readonly Occupied[], moved: BookingRow): Occupied[] =>
  occupied
    .map((o) =>
      o.startsAt === moved.startsAt && o.endsAt === moved.endsAt ? { ...o, taken: o.taken - 1 } : o,
    )
    .filter(({ taken }) => taken > 0);

/** The booking window of the actor for this doctor; null (no limits) for people who manage the doctor's bookings. */
const windowOf = ({ deps, actor }: ActingContext, doctorId: string) =>
  runsBookingsOf(doctorId, actor) ? null : patientWindow(deps);

/** There is no such patient for the one who asks. */
const unknownPatient = () =>
  new Failure('validation_failed', { issues: [{ path: 'patient_id', rule: 'not_found' }] });

const closedSentence = (reason: keyof typeof closedSentences, { config }: Deps): Sentence => {
  if (reason === 'too_soon')
    return say(closedSentences.too_soon, { notice: minutesInWords(config.MIN_NOTICE_MINUTES) });
  if (reason === 'too_far')
    return say(closedSentences.too_far, { advance: daysInWords(config.MAX_ADVANCE_DAYS) });
  return closedSentences[reason];
};

const slotClosed = (reason: keyof typeof closedSentences, deps: Deps) =>
  new Failure('slot_unavailable', { extras: { reason }, sentence: closedSentence(reason, deps) });

/** The calendar and the requested slot; throws if it cannot be booked. A full slot is not refused here. */
export const decideSlot = (
  context: ActingContext,
  input: SlotInput,
  rows: CalendarRows,
  moved?: BookingRow,
): Decided => {
  const { deps, now } = context;
  const read = calendarOf(deps, rows);
  if (read === null) throw new Failure('doctor_not_found');
  if (!read.schedules.some(({ sessionId }) => sessionId === input.session_id))
    throw new Failure('session_not_offered');
  const isOwnDoctor = moved?.doctorId === input.doctor_id;
  const calendar = isOwnDoctor ? { ...read, occupied: withoutOwn(read.occupied, moved) } : read;
  const named = { sessionId: input.session_id, date: input.schedule_date, time: input.schedule_time };
  const slot = findSlot(calendar.schedules, named, deps.clinicTime);
  if (slot === null) throw slotClosed('not_offered', deps);
  const reason = closedBecause(slot, calendar, now, windowOf(context, input.doctor_id), deps.clinicTime);
  if (reason !== null && reason !== 'full') throw slotClosed(reason, deps);
  return { calendar, slot, full: reason === 'full' };
};

interface WriteIds {
  id: string;
  writeId: string;
  key: string | null;
}

/** Who writes: the values that the guards of every write read. */
export const writerOf = ({ actor, now }: ActingContext, { id, writeId, key }: WriteIds) => ({
  id,
  write_id: writeId,
  actor_id: actor.userId,
  actor_role: actor.role,
  actor_doctor_id: actor.doctorId,
  login_id: actor.deviceLoginId,
  key,
  now,
});

/** How many bookings the one who asks may hold and make; 0 for no limit. */
interface Limits {
  most_coming: number;
  most_unproved: number;
  most_an_hour: number;
}

const noLimits: Limits = { most_coming: 0, most_unproved: 0, most_an_hour: 0 };

/** The limits of somebody who books, or only moves a booking, as a patient; none binds the clinic. */
export const limitsOf = ({ deps }: ActingContext, party: Party, isNew: boolean): Limits => {
  if (party !== 'patient') return noLimits;
  const { MAX_LIVE_BOOKINGS, MAX_UNPROVED_BOOKINGS, RATE_LIMIT } = deps.config;
  const asksForProof = MAX_LIVE_BOOKINGS !== 0 && deps.mailer.reachesPeople === true;
  return {
    // A move adds no booking.
    most_coming: isNew ? MAX_LIVE_BOOKINGS : 0,
    most_unproved: isNew && asksForProof ? MAX_UNPROVED_BOOKINGS : 0,
    most_an_hour: RATE_LIMIT === 'on' ? maxMadeAnHour : 0,
  };
};

/** The values that guard the write of a decided seat. */
export const seatInputOf = (
  context: ActingContext,
  ids: WriteIds & { patientId: string; familyAccount: string | null },
  { calendar, slot }: Decided,
  limits: Limits,
) => ({
  ...writerOf(context, ids),
  patient_id: ids.patientId,
  family_account: ids.familyAccount,
  doctor_id: calendar.doctor.id,
  session_id: slot.sessionId,
  schedule_date: slot.date,
  starts_at: slot.startsAt,
  ends_at: slot.endsAt,
  capacity: slot.capacity,
  doctor_version: calendar.doctorVersion,
  clinic_version: calendar.clinicVersion,
  ...limits,
});

export type SeatInput = ReturnType<typeof seatInputOf>;
export type SeatExplanation = ReturnType<typeof explainSeat>['_']['result'][number];

/** Where a decided booking is, as it keeps it. */
export const placeOf = ({ calendar: { doctor }, slot }: Decided, { schedule_time }: SlotInput) => ({
  doctorId: doctor.id,
  doctorName: [doctor.title, doctor.name].filter(Boolean).join(' '),
  sessionId: slot.sessionId,
  sessionName: slot.sessionName,
  scheduleDate: slot.date,
  scheduleTime: schedule_time,
  startsAt: slot.startsAt,
  endsAt: slot.endsAt,
});

/** Throws if the actor lost access meanwhile, or if the same request was already answered. */
export const refuseActor = (why: { loginLives: number; roleHolds: number; repeated: number }): void => {
  if (!why.loginLives) throw refusedToken();
  if (!why.roleHolds) throw new Failure('forbidden');
  if (why.repeated) throw new RequestRepeated();
};

/** The id of the conflicting booking, if the actor may see that booking. */
const clashFor = async ({ deps, actor }: ActingContext, id: string) => {
  if (actor.role !== 'doctor') return { booking_id: id };
  const [clash] = await run(deps.db, findBooking(deps.db, { id, accountId: actor.userId }));
  return clash !== undefined && maySee(clash, actor) ? { booking_id: id } : {};
};

/** Patients read of themselves, the clinic of the patient. */
const isOwn = ({ actor }: ActingContext, seat: SeatInput): boolean => seat.patient_id === actor.userId;

const patientBusy = async (context: ActingContext, seat: SeatInput, clash: string): Promise<Failure> => {
  const { patient_busy } = isOwn(context, seat) ? ownSentences : catalogue;
  return new Failure('patient_busy', { extras: await clashFor(context, clash), sentence: patient_busy });
};

const tooManyBookings = (context: ActingContext, seat: SeatInput): Failure => {
  const { too_many_bookings } = isOwn(context, seat) ? ownSentences : catalogue;
  return new Failure('too_many_bookings', { sentence: say(too_many_bookings, { limit: seat.most_coming }) });
};

const tooManyAnHour = ({ now }: ActingContext, { most_an_hour: limit }: SeatInput, oldest: number | null) => {
  const seconds = Math.max(1, Math.ceil(((oldest ?? now) + countedSpanMs - now) / 1000));
  return new Failure('rate_limited', {
    sentence: say(limitSentences.made_too_many, { limit, wait: secondsInWords(seconds) }),
    headers: {
      'RateLimit-Policy': `"bookings";q=${limit};w=${countedSpanMs / 1000}`,
      RateLimit: `"bookings";r=0;t=${seconds}`,
      'Retry-After': String(seconds),
    },
  });
};

/** Throws the reason why a seat could not be taken; returns if the decision has to be repeated. */
export const refuseSeat = async (
  context: ActingContext,
  input: SeatInput,
  why: SeatExplanation,
): Promise<void> => {
  refuseActor(why);
  if (!why.current) return;
  if (!why.patientStands) throw unknownPatient();
  if (!why.roomInHour) throw tooManyAnHour(context, input, why.oldestInHour);
  if (why.clash !== null) throw await patientBusy(context, input, why.clash);
  if (!why.roomForPatient) throw tooManyBookings(context, input);
  if (!why.proofOrFew)
    throw new Failure('email_unproved', {
      sentence: say(limitSentences.unproved, { limit: input.most_unproved }),
    });
  if (!why.seatFree)
    throw new Failure('slot_full', {
      extras: {
        alternatives: await alternativesTo(
          context.deps,
          context.now,
          input,
          windowOf(context, input.doctor_id),
        ),
      },
    });
};
