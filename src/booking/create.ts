import type { Actor } from '../auth/context.ts';
import { violatedUnique } from '../db/conflict.ts';
import { run, runAll } from '../db/db.ts';
import type { Deps } from '../deps.ts';
import type { BodyOf } from '../endpoint.ts';
import { Failure } from '../errors.ts';
import { newBookingCode } from './code.ts';
import type { CreateBooking } from './contract.ts';
import {
  type ActingContext,
  type Decided,
  decideSlot,
  mostTries,
  placeOf,
  refuseSeat,
  type SeatExplanation,
  seatWishOf,
} from './decide.ts';
import { type FirstRows, freshRows, rowsOnKept } from './decision-reads.ts';
import { effectsOf } from './effects.ts';
import { findPatient } from './queries.ts';
import { runsBookingsOf, untouched } from './rules.ts';
import { explainSeat, insertBooking, placeColumns } from './seat-queries.ts';
import { bookingView, eventPayload } from './views.ts';

type Wish = BodyOf<typeof CreateBooking>;

/** Null when the booking code, of 39 random bits, was already given out. */
const batchUnlessCodeTaken = async (deps: Deps, statements: Parameters<typeof runAll>[1]) => {
  try {
    return (await runAll(deps.db, statements)) as unknown[];
  } catch (error) {
    if (violatedUnique(error) === 'bookings.booking_code') return null;
    throw error;
  }
};

/** For whom a booking is made: the one who asks, or the patient whom somebody of the clinic names. */
const patientOf = async ({ deps, actor }: ActingContext<Actor>, wish: Wish): Promise<string> => {
  const id = wish.patient_id ?? actor.userId;
  if (id === actor.userId) return id;
  if (!runsBookingsOf(wish.doctor_id, actor)) throw new Failure('forbidden');
  const [patient] = await run(deps.db, findPatient(deps.db, { id }));
  if (patient === undefined)
    throw new Failure('validation_failed', { issues: [{ path: 'patient_id', rule: 'not_found' }] });
  return id;
};

/** The booking as it will be, but for seat and queue number, which only the database knows. */
const newBooking = (
  { actor, now }: ActingContext<Actor>,
  wish: Wish,
  ids: { id: string; writeId: string; patientId: string },
  decided: Decided,
) => ({
  ...ids,
  version: 1,
  ...placeOf(decided, wish),
  queueNumber: 0,
  notes: wish.notes,
  ...untouched,
  createdBy: actor.userId,
  createdAt: now,
  updatedAt: now,
});

/** One try: the guarded insert with all that belongs to it, or only the question why a full slot is full. */
const tryToBook = async (
  asked: ActingContext<Actor>,
  wish: Wish,
  ids: { id: string; patientId: string },
  decided: Decided,
) => {
  const { deps, actor, now, requestId, keep } = asked;
  const writeId = deps.newId();
  const booking = newBooking(asked, wish, { ...ids, writeId }, decided);
  const data = bookingView(booking);
  const kept = keep({ status: 201, data, message: 'booking_created' });
  const key = kept?.idempotency.key ?? null;
  const seat = seatWishOf(asked, { ...ids, writeId, key }, decided, deps.config.MAX_LIVE_BOOKINGS);
  if (decided.full) {
    const [why] = await run(deps.db, explainSeat(deps.db, seat));
    return { data, seat, why };
  }
  const change = {
    bookingId: ids.id,
    writeId,
    actorId: actor.userId,
    // Who books with a colleague does so as a patient.
    actorRole: runsBookingsOf(wish.doctor_id, actor) ? actor.role : ('patient' as const),
    requestId,
    now,
    type: 'booking.created' as const,
    payload: eventPayload(booking),
    takesTicket: true,
  };
  const told = { notes: wish.notes, booking_code: newBookingCode() };
  const results = await batchUnlessCodeTaken(deps, [
    insertBooking(deps.db, { ...seat, ...placeColumns.valuesOf(booking), ...told }),
    ...effectsOf(deps.db, change, kept),
    explainSeat(deps.db, seat),
  ]);
  return { data, seat, why: (results?.at(-1) as SeatExplanation[] | undefined)?.[0] };
};

/** Decides on the calendar that was kept where it allows the wish; what it refuses is decided on a fresh one. */
const decideFirst = async (asked: ActingContext<Actor>, wish: Wish, first: FirstRows): Promise<Decided> => {
  const { deps, now } = asked;
  const onKept = rowsOnKept(deps, now, wish, first);
  try {
    if (onKept !== null) return decideSlot(asked, wish, onKept);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  return decideSlot(asked, wish, await freshRows(deps, now, wish, first));
};

/**
 * Books a slot. Seat, overlaps, limits and queue number are decided by one guarded insert; a calendar that changed
 * meanwhile makes it decide again.
 */
export const createBooking = async (asked: ActingContext<Actor>, wish: Wish, first: FirstRows) => {
  const { deps, now } = asked;
  const ids = { id: deps.newId(), patientId: await patientOf(asked, wish) };
  let decided = await decideFirst(asked, wish, first);
  for (let attempt = 1; attempt <= mostTries; attempt++) {
    const { data, seat, why } = await tryToBook(asked, wish, ids, decided);
    if (why?.written) return data;
    if (why !== undefined) await refuseSeat(asked, seat, why);
    decided = decideSlot(asked, wish, await freshRows(deps, now, wish));
  }
  throw new Failure('unavailable');
};
