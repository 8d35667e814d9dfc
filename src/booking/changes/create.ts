import type { Actor } from '../../auth/context.ts';
import { violatedUnique } from '../../db/conflict.ts';
import { run } from '../../db/db.ts';
import { decideAgain, overtaken } from '../../db/decide-again.ts';
import type { Deps } from '../../deps.ts';
import type { BodyOf } from '../../endpoint/endpoint.ts';
import { Failure } from '../../endpoint/errors.ts';
import { bookingMessage } from '../../endpoint/messages.ts';
import { type Bookable, findBookable } from '../../patients/record/queries.ts';
import { newBookingCode } from '../record/code.ts';
import { runsBookingsOf, untouched } from '../record/rules.ts';
import { bookingView, eventPayload } from '../record/views.ts';
import {
  type ActingContext,
  type Decided,
  decideSlot,
  limitsOf,
  placeOf,
  refuseSeat,
  seatInputOf,
} from '../seats/decide.ts';
import { type FirstRows, firstReads, freshRows, rowsFromCache } from '../seats/decision-reads.ts';
import { explainSeat, insertBooking, placeColumns } from '../seats/queries.ts';
import type { CreateBooking } from './contract.ts';
import { commitChange } from './effects.ts';

type Input = BodyOf<typeof CreateBooking>;

/** Nothing when the booking code, of 39 random bits, was already given out. */
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

/** The first reads of a booking: those of its slot, after the one of the patient where the booking names one. */
export const bookingReads = (deps: Deps, now: number, actorId: string, input: Input) => {
  const slotReads = firstReads(deps, now, input);
  if (input.patient_id === undefined) return slotReads;
  const values = { id: input.patient_id, accountId: actorId, doctorId: input.doctor_id };
  return [findBookable(deps.db, values), ...slotReads] as const;
};

/** What the first reads gave, by what it is of. */
export const bookingRows = (input: Input, rows: readonly (readonly unknown[])[]) => {
  if (input.patient_id === undefined) return { patient: undefined, first: rows as FirstRows };
  const [patients, ...first] = rows;
  return { patient: (patients as Bookable[])[0], first: first as unknown as FirstRows };
};

/**
 * For whom a booking is made: the one who asks, one of the family, or the patient whom the clinic names. Whom the
 * caller may not book for is answered as an unknown one is.
 */
const patientOf = ({ actor }: ActingContext<Actor>, input: Input, patient: Bookable | undefined) => {
  const isOwn = input.patient_id === undefined || patient?.id === actor.userId;
  const own = { patientId: actor.userId, familyAccount: null };
  if (!runsBookingsOf(input.doctor_id, actor)) {
    if (isOwn) return own;
    if (actor.role !== 'patient') throw new Failure('forbidden');
    if (!patient?.isFamily) throw wrongPatient('not_found');
    return { patientId: patient.id, familyAccount: actor.userId };
  }
  if (input.patient_id === undefined) throw wrongPatient('required');
  if (isOwn) return own;
  const isKnown = actor.role !== 'doctor' || patient?.isKnownToDoctor;
  if (patient === undefined || patient.worksHere || !isKnown) throw wrongPatient('not_found');
  return { patientId: patient.id, familyAccount: null };
};

/** The new booking without seat and queue number, which only the database can assign. */
const newBooking = (
  { actor, now }: ActingContext<Actor>,
  input: Input,
  { id, writeId, patientId }: { id: string; writeId: string; patientId: string },
  decided: Decided,
) => ({
  id,
  writeId,
  patientId,
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
  ids: { id: string; patientId: string; familyAccount: string | null },
  decided: Decided,
) => {
  const { deps, actor, now, requestId, storedResponseOf } = context;
  const writeId = deps.newId();
  const booking = newBooking(context, input, { ...ids, writeId }, decided);
  const data = bookingView(booking);
  const kept = storedResponseOf({
    status: 201,
    data,
    message: bookingMessage('booking_created', data.status),
  });
  const key = kept?.idempotency.key ?? null;
  // A doctor who books with a colleague does so as a patient.
  const party = runsBookingsOf(input.doctor_id, actor) ? 'clinic' : 'patient';
  const seat = seatInputOf(context, { ...ids, writeId, key }, decided, limitsOf(context, party, true));
  if (decided.full) {
    const [why] = await run(deps.db, explainSeat(deps.db, seat));
    return { data, seat, why };
  }
  const change = {
    bookingId: ids.id,
    writeId,
    actorId: actor.userId,
    actorRole: party === 'clinic' ? actor.role : party,
    requestId,
    now,
    type: 'booking.created' as const,
    payload: eventPayload(booking),
    takesTicket: true,
  };
  const told = { notes: input.notes, booking_code: newBookingCode() };
  const insert = insertBooking(deps.db, { ...seat, ...placeColumns.valuesOf(booking), ...told });
  const why = await unlessCodeTaken(commitChange(deps, insert, change, kept, explainSeat(deps.db, seat)));
  return { data, seat, why };
};

/** Decides with the cached calendar if that allows the booking; otherwise reads a fresh one and decides again. */
const decideFirst = async (
  context: ActingContext<Actor>,
  input: Input,
  first: FirstRows,
): Promise<Decided> => {
  const { deps, now } = context;
  const cachedRows = rowsFromCache(deps, now, input, first);
  try {
    if (cachedRows !== null) return decideSlot(context, input, cachedRows);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  return decideSlot(context, input, await freshRows(deps, now, input, first));
};

/**
 * Books a slot. Seat, overlaps, limits and queue number are decided by one guarded insert; a calendar that changed
 * meanwhile makes it decide again.
 */
export const createBooking = async (
  context: ActingContext<Actor>,
  input: Input,
  { patient, first }: ReturnType<typeof bookingRows>,
) => {
  const { deps, now } = context;
  const ids = { id: deps.newId(), ...patientOf(context, input, patient) };
  let decided = await decideFirst(context, input, first);
  return decideAgain(async () => {
    const { data, seat, why } = await tryToBook(context, input, ids, decided);
    if (why?.written) return data;
    if (why !== undefined) await refuseSeat(context, seat, why);
    decided = decideSlot(context, input, await freshRows(deps, now, input));
    return overtaken;
  });
};
