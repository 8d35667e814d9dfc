import type { Actor } from '../../auth/context.ts';
import { violatedUnique } from '../../db/conflict.ts';
import { type Reading, read, run } from '../../db/db.ts';
import { decideAgain, overtaken } from '../../db/decide-again.ts';
import type { Deps } from '../../deps.ts';
import type { BodyOf } from '../../endpoint/endpoint.ts';
import { Failure } from '../../endpoint/errors.ts';
import { bookingMessage } from '../../endpoint/messages.ts';
import { newBookingCode } from '../record/code.ts';
import type { ActingContext } from '../record/context.ts';
import { runsBookingsOf, untouched } from '../record/rules.ts';
import { bookingView } from '../record/views.ts';
import { freshCalendar, type LoadedCalendar, loadCalendar } from '../seats/calendar.ts';
import { type Decided, decideSlot, limitsOf, placeOf, seatInputOf } from '../seats/decision.ts';
import { explainSeat, insertBooking, placeColumns } from '../seats/queries.ts';
import { refuseSeat, slotRefusal } from '../seats/refusal.ts';
import type { CreateBooking } from './contract.ts';
import { changeTo, commitChange } from './effects.ts';
import { findBookablePatient } from './queries.ts';

type Input = BodyOf<typeof CreateBooking>;

/** What is read together with the login. */
export const bookingReads = (deps: Deps, now: number, input: Input): Reading<LoadedCalendar> =>
  loadCalendar(deps, now, input);

/** Undefined if the booking code, of 39 random bits, is already that of another booking. */
const unlessCodeTaken = async <T>(commit: Promise<T>): Promise<T | undefined> => {
  try {
    return await commit;
  } catch (error) {
    if (violatedUnique(error) === 'bookings.booking_code') return undefined;
    throw error;
  }
};

const wrongPatient = (rule: 'required' | 'not_found') =>
  new Failure('validation_failed', { issues: [{ path: 'patient_id', rule }] });

/**
 * The id of the patient: the actor, or the patient whom the clinic names. The clinic cannot name an account of
 * another role, nor a doctor a patient who never had a booking with them: both are answered like an unknown id.
 */
const patientOf = async ({ deps, actor }: ActingContext<Actor>, input: Input): Promise<string> => {
  const { patient_id: id = null, doctor_id } = input;
  if (!runsBookingsOf(doctor_id, actor)) {
    if (id !== null && id !== actor.userId) throw new Failure('forbidden');
    return actor.userId;
  }
  if (id === null) throw wrongPatient('required');
  if (id === actor.userId) return id;
  const ofDoctor = actor.role === 'doctor' ? actor.doctorId : null;
  const [patient] = await run(deps.db, findBookablePatient(deps.db, { id, doctorId: ofDoctor }));
  if (patient === undefined) throw wrongPatient('not_found');
  return id;
};

/** The new booking without seat and queue number, which only the database can assign. */
const newBooking = (
  { actor, now }: ActingContext<Actor>,
  input: Input,
  ids: { id: string; writeId: string; patientId: string },
  decided: Decided,
) => ({
  ...ids,
  version: 1,
  ...placeOf(decided, input),
  queueNumber: 0,
  notes: input.notes,
  ...untouched,
  createdBy: actor.userId,
  createdAt: now,
  updatedAt: now,
});

/** One attempt: the guarded insert and its effects. For a full slot, only the query that explains why. */
const tryToBook = async (
  context: ActingContext<Actor>,
  input: Input,
  ids: { id: string; patientId: string },
  decided: Decided,
) => {
  const { deps, actor, storedResponseOf } = context;
  const writeId = deps.newId();
  const booking = newBooking(context, input, { ...ids, writeId }, decided);
  const data = bookingView(booking);
  const message = bookingMessage('booking_created', data.status);
  const response = storedResponseOf({ status: 201, data, message });
  // A doctor who books with a colleague does so as a patient.
  const party = runsBookingsOf(input.doctor_id, actor) ? 'clinic' : 'patient';
  const key = response?.idempotency.key ?? null;
  const seat = seatInputOf(context, { ...ids, writeId, key }, decided, limitsOf(context, party, true));
  if (decided.full) return { data, seat, why: (await run(deps.db, explainSeat(deps.db, seat)))[0] };
  const labels = { ...placeColumns.valuesOf(booking), notes: input.notes, bookingCode: newBookingCode() };
  const commit = commitChange(
    deps,
    insertBooking(deps.db, { ...seat, ...labels }),
    changeTo(context, 'booking.created', party, booking),
    response,
    explainSeat(deps.db, seat),
  );
  return { data, seat, why: await unlessCodeTaken(commit) };
};

/** Decides on the calendar; where a stale one has no such slot, decides again on a fresh one. */
const decideOn = async (
  context: ActingContext<Actor>,
  input: Input,
  { rows, isStale }: LoadedCalendar,
): Promise<Decided> => {
  const verdict = decideSlot(context, input, rows);
  if (!('refused' in verdict)) return verdict;
  if (!isStale) throw slotRefusal(context, verdict);
  const { deps, now } = context;
  return decideOn(context, input, await read(deps.db, freshCalendar(deps, now, input)));
};

/**
 * Books a slot. Seat, overlaps, limits and queue number are decided by one guarded insert. Decides again if the
 * calendar changed meanwhile.
 */
export const createBooking = async (context: ActingContext<Actor>, input: Input, first: LoadedCalendar) => {
  const { deps, now } = context;
  const ids = { id: deps.newId(), patientId: await patientOf(context, input) };
  let calendar = first;
  return decideAgain(async () => {
    const decided = await decideOn(context, input, calendar);
    const { data, seat, why } = await tryToBook(context, input, ids, decided);
    if (why?.written) return data;
    if (why !== undefined) await refuseSeat(context, seat, why);
    calendar = await read(deps.db, freshCalendar(deps, now, input));
    return overtaken;
  });
};
