import { run, runAll } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { bookingMessage } from '../../../core/endpoint/messages.ts';
import type { CalendarRows } from '../../catalog/slots/queries.ts';
import { afterMove } from '../record/after-move.ts';
import type { ActingContext } from '../record/context.ts';
import { type BookingRow, findBooking, progressColumns, type SeenBooking } from '../record/queries.ts';
import { type Party, runsBookingsOf } from '../record/rules.ts';
import { detailView, withNumber } from '../record/views.ts';
import { slotReads } from '../seats/calendar.ts';
import {
  buildSeatInput,
  type Decided,
  decideSlot,
  noAnswers,
  type SeatRequest,
  toPlaceColumns,
} from '../seats/decision.ts';
import { withoutLapsed } from '../seats/guards.ts';
import { endTakenHolds } from '../seats/hold-queries.ts';
import { offerFreed } from '../seats/offers.ts';
import { explainSeat, firstPrefix, moveVersion, placeColumns } from '../seats/queries.ts';
import { refuseActor, refuseSeat, slotRefusal } from '../seats/refusal.ts';
import { judgeOne } from '../seats/standing.ts';
import { recordPassedLimit } from '../seats/standing-queries.ts';
import { assertMay, eventTypeByVerb, withCancelLead } from './change.ts';
import type { RescheduleBooking } from './contract.ts';
import { changeTo, commitChange } from './effects.ts';
import { storeUnchangedResponse } from './unchanged-queries.ts';

type Input = BodyOf<typeof RescheduleBooking>;

/** Data read in the same round trip as the login and the booking. */
export const movingReads = (deps: Deps, id: string, input: Input) =>
  slotReads(deps, input.doctor_id ?? { ofBooking: id }, input);

/** The seat that the booking moves to. A doctor manages their own calendar, not a colleague's. */
const resolveMove = (
  { actor }: ActingContext,
  input: Input,
  booking: BookingRow,
  party: Party,
): SeatRequest => {
  const {
    doctor_id = booking.doctorId,
    session_id = booking.sessionId,
    schedule_date,
    schedule_time,
  } = input;
  if (party === 'clinic' ? !runsBookingsOf(doctor_id, actor) : input.override_limits)
    throw new Failure('forbidden');
  const { patientId } = booking;
  const familyAccount = party === 'patient' && patientId !== actor.userId ? actor.userId : null;
  const place = { doctor_id, session_id, schedule_date, schedule_time };
  const passesLimits = input.override_limits === true;
  return { party, patientId, familyAccount, place, beyond: 0, passesLimits };
};

/** Whether the booking is in the slot already: then nothing changes. */
const isInSlot = (booking: BookingRow, { place }: SeatRequest): boolean =>
  booking.doctorId === place.doctor_id &&
  booking.sessionId === place.session_id &&
  booking.scheduleDate === place.schedule_date &&
  booking.scheduleTime === place.schedule_time;

/** Answers without a change; `stands` is false if the booking was moved meanwhile. */
const stayThere = async (context: ActingContext, booking: BookingRow, party: Party) => {
  const data = detailView(context, booking, party);
  const response = context.toStoredResponse({
    status: 200,
    data,
    message: bookingMessage('booking_rescheduled', data.status),
  });
  return { data, stands: await storeUnchangedResponse(context, booking, response) };
};

/** The booking in its new slot, without the seat and, if the queue changes, without the queue number. */
const moved = (
  { deps, now }: ActingContext,
  booking: BookingRow,
  request: SeatRequest,
  decided: Decided,
): BookingRow => ({
  ...booking,
  ...afterMove(
    request.party,
    booking,
    { scheduleDate: decided.slot.date, approval: decided.slot.approval },
    now,
  ),
  version: booking.version + 1,
  writeId: deps.newId(),
  ...toPlaceColumns(decided, request),
  overbooked: 0,
  room: '',
  answers: booking.answers ?? noAnswers(decided),
  queueTurn: null,
  updatedAt: now,
});

/**
 * One attempt: the guarded move and its effects. For a full slot, only the query that explains why, unless the account
 * may hold a seat of it.
 */
const tryToMove = async (
  context: ActingContext,
  booking: BookingRow,
  next: BookingRow,
  request: SeatRequest,
  decided: Decided,
  mayHaveHeld: boolean,
) => {
  const { deps, toStoredResponse } = context;
  const data = detailView(context, next, request.party);
  const message = bookingMessage('booking_rescheduled', data.status);
  const response = toStoredResponse({ status: 200, data, message });
  const key = response?.idempotency.key ?? null;
  const seat = buildSeatInput(context, request, decided, { id: booking.id, writeId: next.writeId, key });
  if (decided.full && !mayHaveHeld)
    return { data, seat, why: (await run(deps.db, explainSeat(deps.db, seat)))[0] };
  const state = { ...placeColumns.valuesOf(next), ...progressColumns.valuesOf(next) };
  const why = await commitChange(
    deps,
    [
      ...firstPrefix(deps.db, decided),
      ...withoutLapsed(context, seat),
      moveVersion(deps.db, { ...seat, ...state, answers: next.answers, version: booking.version }),
      ...recordPassedLimit(deps.db, context, request, decided, next),
      ...endTakenHolds(deps, seat),
      ...offerFreed(context, booking, next),
    ],
    changeTo(context, eventTypeByVerb.reschedule, request.party, booking, next),
    response,
    explainSeat(deps.db, seat),
  );
  return { data, seat, why };
};

/**
 * Moves a booking: the seat it has is lost only if the new one is won, in one guarded update. Decides again if the
 * booking or the calendar changed meanwhile. A move to the slot that it has changes nothing.
 */
export const rescheduleBooking = async (
  asked: ActingContext,
  input: Input,
  first: SeenBooking,
  firstRows: CalendarRows,
) => {
  const { deps, actor } = asked;
  let latest: SeenBooking | undefined = first;
  let rows = firstRows;
  let mayHaveHeld = false;
  return decideAgain(async () => {
    const booking = latest;
    if (booking === undefined) throw new Failure('unavailable');
    // The rule was read with the calendar, whose version guards the write.
    const context = withCancelLead(asked, rows.clinics[0]);
    const party = assertMay(context, 'reschedule', booking, input);
    const request = resolveMove(context, input, booking, party);
    if (isInSlot(booking, request)) {
      const { data, stands } = await stayThere(context, booking, party);
      if (stands) return data;
      [latest] = await run(deps.db, findBooking(deps.db, { id: first.id, accountId: actor.userId }));
      return overtaken;
    }
    const verdict = decideSlot(context, request, rows, booking);
    if ('refused' in verdict) throw slotRefusal(context, verdict);
    const decided = await judgeOne(context, request, verdict);
    const next = moved(context, booking, request, decided);
    const { data, seat, why } = await tryToMove(context, booking, next, request, decided, mayHaveHeld);
    if (why?.written) return withNumber(data, why);
    const now = await runAll(deps.db, {
      found: findBooking(deps.db, { id: first.id, accountId: actor.userId }),
      rows: movingReads(deps, first.id, input),
    });
    [latest] = now.found;
    rows = now.rows;
    if (why === undefined) return overtaken;
    refuseActor(why);
    if (latest?.version === booking.version) await refuseSeat(context, seat, why, decided.rules);
    // A seat of a slot that looks full is one that the account holds.
    mayHaveHeld = decided.full;
    return overtaken;
  });
};
