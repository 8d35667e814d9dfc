import { violatedUnique } from '../../../core/db/conflict.ts';
import { type Reading, read, reading, run } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import { externalAfter, noExternal, unlessExternalIdTaken } from '../../../core/db/external-fields.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { bookingMessage } from '../../../core/endpoint/messages.ts';
import type { AnyActor } from '../../auth/context.ts';
import { type Bookable, findBookable } from '../../patients/record/queries.ts';
import { newBookingCode } from '../record/code.ts';
import type { ActingContext } from '../record/context.ts';
import { ownOrFamily, patientOfClinic } from '../record/for-whom.ts';
import { begun, type Party, runsBookingsOf } from '../record/rules.ts';
import { bookingView } from '../record/views.ts';
import { forgetCalendar, freshCalendar, type LoadedCalendar, loadCalendar } from '../seats/calendar.ts';
import {
  buildSeatInput,
  type Decided,
  decideSlot,
  maxOverbooked,
  resolveLimits,
  toPlaceColumns,
} from '../seats/decision.ts';
import { withoutLapsed } from '../seats/guards.ts';
import { beginningColumns, explainSeat, firstPrefix, insertBooking, placeColumns } from '../seats/queries.ts';
import { refuseSeat, slotRefusal } from '../seats/refusal.ts';
import type { CreateBooking } from './contract.ts';
import { changeTo, commitNew } from './effects.ts';

type Input = BodyOf<typeof CreateBooking>;

/** Undefined if the booking code, of 39 random bits, is already that of another booking. */
export const unlessCodeTaken = async <T>(commit: Promise<T>): Promise<T | undefined> => {
  try {
    return await commit;
  } catch (error) {
    if (violatedUnique(error) === 'bookings.booking_code') return undefined;
    throw error;
  }
};

/** The calendar of the slot, and the patient where the booking names one. */
interface FirstRead {
  calendar: LoadedCalendar;
  patient?: Bookable | undefined;
}

/** Data read in the same round trip as the login. */
export const bookingReads = (
  deps: Deps,
  now: number,
  accountId: string,
  input: Input,
): Reading<FirstRead> => {
  const calendar = loadCalendar(deps, now, input);
  const calendarIn = (results: readonly unknown[]) => calendar.toResult(results);
  if (input.patient_id === undefined)
    return { ...calendar, toResult: (results) => ({ calendar: calendarIn(results) }) };
  const named = findBookable(deps.db, { id: input.patient_id, accountId, doctorId: input.doctor_id });
  return reading([named, ...calendar.statements], ([[patient], ...results]) => ({
    patient,
    calendar: calendarIn(results),
  }));
};

/**
 * For whom a booking is made: the one who asks, one of the family, or the patient whom the clinic names. A patient for
 * whom the caller may not book is refused like an unknown one.
 */
export const resolvePatient = (
  { actor }: ActingContext<AnyActor>,
  input: Input,
  patient: Bookable | undefined,
) => {
  const { patient_id } = input;
  const isOwn = patient_id === undefined || patient?.id === actor.userId;
  if (!runsBookingsOf(input.doctor_id, actor)) {
    if (!isOwn && actor.role !== 'patient') throw new Failure('forbidden');
    return ownOrFamily(actor.userId, patient_id, patient);
  }
  if (patient_id !== undefined && isOwn) return ownOrFamily(actor.userId, patient_id, patient);
  const isKnown = actor.role !== 'doctor' || patient?.isKnownToDoctor;
  return patientOfClinic(patient_id, isKnown ? patient : undefined);
};

/** As which party somebody books: a doctor who books with a colleague is a patient. */
export const partyOfBooker = ({ actor }: ActingContext<AnyActor>, { doctor_id }: Input): Party =>
  runsBookingsOf(doctor_id, actor) ? 'clinic' : 'patient';

/** Options that only the clinic may use; a check-in only on the booking's day. */
const assertMayAsk = (context: ActingContext<AnyActor>, input: Input): void => {
  const { deps, now } = context;
  const { check_in, overbook, schedule_date } = input;
  const isOfClinic = check_in || overbook || input.external_id != null || input.metadata !== undefined;
  if (isOfClinic && partyOfBooker(context, input) !== 'clinic') throw new Failure('forbidden');
  if (check_in && schedule_date !== deps.clinicTime.dateOf(now))
    throw new Failure('validation_failed', { issues: [{ path: 'check_in', rule: 'today_only' }] });
};

/** The new booking without seat, queue number and label, which only the database can assign. */
export const newBooking = (
  context: ActingContext<AnyActor>,
  input: Input,
  { id, writeId, patientId }: { id: string; writeId: string; patientId: string },
  decided: Decided,
) => ({
  ...begun(partyOfBooker(context, input), decided.slot.approval, context.now, input.check_in === true),
  id,
  writeId,
  patientId,
  version: 1,
  ...toPlaceColumns(decided, input),
  queueNumber: 0,
  queueLabel: '',
  notes: input.notes,
  overbooked: 0,
  seriesId: null as string | null,
  ...externalAfter(noExternal, input),
  createdBy: context.actor.userId,
  createdAt: context.now,
  updatedAt: context.now,
});

/** One attempt: the guarded insert and its effects. For a full slot, only the query that explains why. */
const tryToBook = async (
  context: ActingContext<AnyActor>,
  input: Input,
  ids: { id: string; patientId: string; familyAccount: string | null },
  decided: Decided,
  { mayHoldLapsed }: LoadedCalendar,
) => {
  const { deps, toStoredResponse } = context;
  const writeId = deps.newId();
  const booking = newBooking(context, input, { ...ids, writeId }, decided);
  const data = bookingView(booking);
  const message = bookingMessage('booking_created', data.status);
  const response = toStoredResponse({ status: 201, data, message });
  const party = partyOfBooker(context, input);
  const key = response?.idempotency.key ?? null;
  const beyond = input.overbook ? maxOverbooked : 0;
  const limits = resolveLimits(context, party, true, decided.rules);
  const seat = buildSeatInput(context, { ...ids, writeId, key }, decided, limits, beyond);
  const explain = async () => (await run(deps.db, explainSeat(deps.db, seat)))[0];
  if (decided.full && beyond === 0) return { data, seat, isWritten: false, why: await explain() };
  const columns = { ...placeColumns.valuesOf(booking), ...beginningColumns.valuesOf(booking) };
  const labels = {
    ...columns,
    notes: input.notes,
    bookingCode: newBookingCode(),
    seriesId: null,
    externalId: booking.externalId,
    metadata: booking.metadata,
  };
  const prefix = firstPrefix(deps.db, decided);
  const ending = mayHoldLapsed ? withoutLapsed(context, seat) : [];
  const isWritten = await unlessCodeTaken(
    unlessExternalIdTaken(
      commitNew(
        deps,
        [...prefix, ...ending],
        insertBooking(deps.db, { ...seat, ...labels }),
        changeTo(context, 'booking.created', party, booking),
        response,
      ),
    ),
  );
  if (prefix.length > 0) forgetCalendar(deps.db, input);
  if (isWritten !== false) return { data, seat, isWritten: isWritten === true };
  const why = await explain();
  // Then a step before this one wrote it, whose answer was lost.
  if (why?.written) deps.eventsWritten();
  return { data, seat, isWritten: Boolean(why?.written), why };
};

/** Decides on the calendar; where a stale one has no such slot, decides again on a fresh one. */
const decideOn = async (
  context: ActingContext<AnyActor>,
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
export const createBooking = async (context: ActingContext<AnyActor>, input: Input, first: FirstRead) => {
  const { deps, now } = context;
  assertMayAsk(context, input);
  const ids = { id: deps.newId(), ...resolvePatient(context, input, first.patient) };
  let { calendar } = first;
  return decideAgain(async () => {
    const decided = await decideOn(context, input, calendar);
    const { data, seat, isWritten, why } = await tryToBook(context, input, ids, decided, calendar);
    if (isWritten) return data;
    if (why !== undefined) await refuseSeat(context, seat, why, decided.rules);
    calendar = await read(deps.db, freshCalendar(deps, now, input));
    return overtaken;
  });
};
