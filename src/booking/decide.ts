import type { AuthenticatedContext } from '../auth/context.ts';
import { run } from '../db/db.ts';
import { closedSentences, Failure } from '../errors.ts';
import { RequestRepeated } from '../idempotency/key.ts';
import { alternativesTo } from './alternatives.ts';
import { closedBecause, findSlot, type Occupied, type Slot } from './catalog/rules.ts';
import { type CalendarRows, calendarOf, patientWindow, type ReadCalendar } from './catalog/slots.ts';
import type { SlotWish } from './decision-reads.ts';
import { type BookingRow, findBooking } from './queries.ts';
import { type ActingRole, maySee, runsBookingsOf } from './rules.ts';
import type { explainSeat } from './seat-queries.ts';

/** Whoever changes a booking: a person with a login, or the scheduler with none. */
export interface Doer {
  userId: string | null;
  deviceLoginId: string | null;
  role: ActingRole;
  doctorId: string | null;
}

/** What an action is told of a change: a request has it, and so has the scheduler. */
export interface ActingContext<A extends Doer = Doer>
  extends Pick<AuthenticatedContext, 'deps' | 'now' | 'requestId' | 'keep'> {
  actor: A;
}

/** How often a decision that the database overtook is made again. */
export const mostTries = 5;

export interface Decided {
  calendar: ReadCalendar;
  slot: Slot;
  full: boolean;
}

/** The live bookings that stand in the way, without the one that is to be moved. */
const withoutOwn = (occupied: readonly Occupied[], moved: BookingRow): Occupied[] =>
  occupied
    .map((o) =>
      o.startsAt === moved.startsAt && o.endsAt === moved.endsAt ? { ...o, taken: o.taken - 1 } : o,
    )
    .filter(({ taken }) => taken > 0);

/** How early and late the one who asks may book with a doctor: those who run the bookings as they like. */
const windowOf = ({ deps, actor }: ActingContext, doctorId: string) =>
  runsBookingsOf(doctorId, actor) ? null : patientWindow(deps);

const slotClosed = (reason: keyof typeof closedSentences) =>
  new Failure('slot_unavailable', { extras: { reason }, sentence: closedSentences[reason] });

/** The calendar and the slot that a wish names; throws when there is none to book. A full slot passes. */
export const decideSlot = (
  asked: ActingContext,
  wish: SlotWish,
  rows: CalendarRows,
  moved?: BookingRow,
): Decided => {
  const { deps, now } = asked;
  const read = calendarOf(deps, rows);
  if (read === null) throw new Failure('doctor_not_found');
  if (!read.schedules.some(({ sessionId }) => sessionId === wish.session_id))
    throw new Failure('session_not_offered');
  const isOwnDoctor = moved?.doctorId === wish.doctor_id;
  const calendar = isOwnDoctor ? { ...read, occupied: withoutOwn(read.occupied, moved) } : read;
  const named = { sessionId: wish.session_id, date: wish.schedule_date, time: wish.schedule_time };
  const slot = findSlot(calendar.schedules, named, deps.clinicTime);
  if (slot === null) throw slotClosed('not_offered');
  const reason = closedBecause(slot, calendar, now, windowOf(asked, wish.doctor_id), deps.clinicTime);
  if (reason !== null && reason !== 'full') throw slotClosed(reason);
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

/** The values that guard the write of a decided seat. */
export const seatWishOf = (
  asked: ActingContext,
  ids: WriteIds & { patientId: string },
  { calendar, slot }: Decided,
  mostComing: number,
) => ({
  ...writerOf(asked, ids),
  patient_id: ids.patientId,
  doctor_id: calendar.doctor.id,
  session_id: slot.sessionId,
  schedule_date: slot.date,
  starts_at: slot.startsAt,
  ends_at: slot.endsAt,
  capacity: slot.capacity,
  doctor_version: calendar.doctorVersion,
  clinic_version: calendar.clinicVersion,
  most_coming: mostComing,
});

export type SeatWish = ReturnType<typeof seatWishOf>;
export type SeatExplanation = ReturnType<typeof explainSeat>['_']['result'][number];

/** Where a decided booking is, as it keeps it. */
export const placeOf = ({ calendar: { doctor }, slot }: Decided, { schedule_time }: SlotWish) => ({
  doctorId: doctor.id,
  doctorName: [doctor.title, doctor.name].filter(Boolean).join(' '),
  sessionId: slot.sessionId,
  sessionName: slot.sessionName,
  scheduleDate: slot.date,
  scheduleTime: schedule_time,
  startsAt: slot.startsAt,
  endsAt: slot.endsAt,
});

/** Throws where the one who asks may no longer ask, or was already answered. */
export const refuseActor = (why: { loginLives: number; roleHolds: number; repeated: number }): void => {
  if (!why.loginLives) throw new Failure('unauthenticated');
  if (!why.roleHolds) throw new Failure('forbidden');
  if (why.repeated) throw new RequestRepeated();
};

/** The clashing booking's id, for those who may see that booking. */
const clashFor = async ({ deps, actor }: ActingContext, id: string) => {
  if (actor.role !== 'doctor') return { booking_id: id };
  const [clash] = await run(deps.db, findBooking(deps.db, { id }));
  return clash !== undefined && maySee(clash, actor) ? { booking_id: id } : {};
};

/** Throws why a seat could not be taken; returns when the decision has to be made again. */
export const refuseSeat = async (
  asked: ActingContext,
  wish: SeatWish,
  why: SeatExplanation,
): Promise<void> => {
  refuseActor(why);
  if (!why.current) return;
  if (why.clash !== null) throw new Failure('patient_busy', { extras: await clashFor(asked, why.clash) });
  if (!why.roomForPatient) throw new Failure('too_many_bookings');
  if (!why.seatFree)
    throw new Failure('slot_full', {
      extras: {
        alternatives: await alternativesTo(asked.deps, asked.now, wish, windowOf(asked, wish.doctor_id)),
      },
    });
};
