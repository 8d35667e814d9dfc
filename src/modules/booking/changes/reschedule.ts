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
import { detailView } from '../record/views.ts';
import { type SlotInput, slotReads } from '../seats/calendar.ts';
import {
  buildSeatInput,
  type Decided,
  decideSlot,
  resolveLimits,
  toPlaceColumns,
} from '../seats/decision.ts';
import { withoutLapsed } from '../seats/guards.ts';
import { offerFreed } from '../seats/offers.ts';
import { explainSeat, firstPrefix, moveVersion, placeColumns } from '../seats/queries.ts';
import { refuseActor, refuseSeat, slotRefusal } from '../seats/refusal.ts';
import { assertMay, eventTypeByVerb, withCancelLead } from './change.ts';
import type { RescheduleBooking } from './contract.ts';
import { changeTo, commitChange } from './effects.ts';
import { storeUnchangedResponse } from './unchanged-queries.ts';

type Input = BodyOf<typeof RescheduleBooking>;

/** Data read in the same round trip as the login and the booking. */
export const movingReads = (deps: Deps, id: string, input: Input) =>
  slotReads(deps, input.doctor_id ?? { ofBooking: id }, input);

const toSlotInput = (input: Input, booking: BookingRow): SlotInput => ({
  doctor_id: input.doctor_id ?? booking.doctorId,
  session_id: input.session_id ?? booking.sessionId,
  schedule_date: input.schedule_date,
  schedule_time: input.schedule_time,
});

/** Whether the booking is in the slot already: then nothing changes. */
const isInSlot = (booking: BookingRow, input: SlotInput): boolean =>
  booking.doctorId === input.doctor_id &&
  booking.sessionId === input.session_id &&
  booking.scheduleDate === input.schedule_date &&
  booking.scheduleTime === input.schedule_time;

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
  party: Party,
  input: SlotInput,
  decided: Decided,
): BookingRow => ({
  ...booking,
  ...afterMove(party, booking, { scheduleDate: decided.slot.date, approval: decided.slot.approval }, now),
  version: booking.version + 1,
  writeId: deps.newId(),
  ...toPlaceColumns(decided, input),
  overbooked: 0,
  room: '',
  queueTurn: null,
  updatedAt: now,
});

/** The slot that the booking moves to; throws if the actor may not book it, or the calendar does not have it. */
const decideMove = (
  context: ActingContext,
  booking: BookingRow,
  party: Party,
  input: SlotInput,
  rows: CalendarRows,
): Decided => {
  // A doctor manages their own calendar, not a colleague's.
  if (party === 'clinic' && !runsBookingsOf(input.doctor_id, context.actor)) throw new Failure('forbidden');
  const verdict = decideSlot(context, input, rows, booking);
  if ('refused' in verdict) throw slotRefusal(context, verdict);
  return verdict;
};

/** One attempt: the guarded move and its effects. For a full slot, only the query that explains why. */
const tryToMove = async (
  context: ActingContext,
  booking: BookingRow,
  next: BookingRow,
  party: Party,
  decided: Decided,
) => {
  const { deps, actor, toStoredResponse } = context;
  const data = detailView(context, next, party);
  const message = bookingMessage('booking_rescheduled', data.status);
  const response = toStoredResponse({ status: 200, data, message });
  const key = response?.idempotency.key ?? null;
  const { id, patientId } = booking;
  const isForFamily = party === 'patient' && patientId !== actor.userId;
  const ids = { id, writeId: next.writeId, patientId, familyAccount: isForFamily ? actor.userId : null, key };
  const seat = buildSeatInput(context, ids, decided, resolveLimits(context, party, false, decided.rules));
  if (decided.full) return { data, seat, why: (await run(deps.db, explainSeat(deps.db, seat)))[0] };
  const state = { ...placeColumns.valuesOf(next), ...progressColumns.valuesOf(next) };
  const why = await commitChange(
    deps,
    [
      ...firstPrefix(deps.db, decided),
      ...withoutLapsed(context, seat),
      moveVersion(deps.db, { ...seat, ...state, version: booking.version }),
      ...offerFreed(context, booking, next),
    ],
    changeTo(context, eventTypeByVerb.reschedule, party, next, booking),
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
  return decideAgain(async () => {
    const booking = latest;
    if (booking === undefined) throw new Failure('unavailable');
    // The rule was read with the calendar, whose version guards the write.
    const context = withCancelLead(asked, rows[0][0]);
    const party = assertMay(context, 'reschedule', booking, input);
    const place = toSlotInput(input, booking);
    if (isInSlot(booking, place)) {
      const { data, stands } = await stayThere(context, booking, party);
      if (stands) return data;
      [latest] = await run(deps.db, findBooking(deps.db, { id: first.id, accountId: actor.userId }));
      return overtaken;
    }
    const decided = decideMove(context, booking, party, place, rows);
    const next = moved(context, booking, party, place, decided);
    const { data, seat, why } = await tryToMove(context, booking, next, party, decided);
    if (why?.written) {
      const { queueNumber, queueLabel } = why;
      const queue_label = queueLabel ?? data.queue_label;
      return { ...data, queue_number: queueNumber ?? data.queue_number, queue_label };
    }
    const now = await runAll(deps.db, {
      found: findBooking(deps.db, { id: first.id, accountId: actor.userId }),
      rows: movingReads(deps, first.id, input),
    });
    [latest] = now.found;
    rows = now.rows;
    if (why === undefined) return overtaken;
    refuseActor(why);
    if (latest?.version === booking.version) await refuseSeat(context, seat, why, decided.rules);
    return overtaken;
  });
};
