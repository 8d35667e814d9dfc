import type { CalendarRows } from '../../catalog/slots/slots.ts';
import { run, runAll } from '../../db/db.ts';
import { decideAgain, overtaken } from '../../db/decide-again.ts';
import type { BodyOf } from '../../endpoint/endpoint.ts';
import { Failure } from '../../endpoint/errors.ts';
import { bookingMessage } from '../../endpoint/messages.ts';
import { type BookingRow, findBooking, progressColumns } from '../record/queries.ts';
import { afterVerb, type Party, runsBookingsOf } from '../record/rules.ts';
import { detailView } from '../record/views.ts';
import {
  type ActingContext,
  type Decided,
  decideSlot,
  limitsOf,
  placeOf,
  refuseActor,
  refuseSeat,
  seatWishOf,
} from '../seats/decide.ts';
import { decisionReads, type SlotWish } from '../seats/decision-reads.ts';
import { explainSeat, moveVersion, placeColumns } from '../seats/queries.ts';
import { assertMay, changeTo } from './change.ts';
import type { RescheduleBooking } from './contract.ts';
import { commitChange } from './effects.ts';

type Wish = BodyOf<typeof RescheduleBooking>;

const slotWishOf = (wish: Wish, booking: BookingRow): SlotWish => ({
  doctor_id: wish.doctor_id ?? booking.doctorId,
  session_id: wish.session_id ?? booking.sessionId,
  schedule_date: wish.schedule_date,
  schedule_time: wish.schedule_time,
});

/** The booking at its new place, but for the seat and, if it joins another queue, its number. */
const moved = (
  { deps, actor, now }: ActingContext,
  booking: BookingRow,
  party: Party,
  wish: SlotWish,
  decided: Decided,
): BookingRow => ({
  ...booking,
  ...afterVerb('reschedule', booking, { party, role: actor.role }, now, null),
  version: booking.version + 1,
  writeId: deps.newId(),
  ...placeOf(decided, wish),
  updatedAt: now,
});

/** One try: the guarded move with all that belongs to it, or only the question why a full slot is full. */
const tryToMove = async (
  asked: ActingContext,
  booking: BookingRow,
  next: BookingRow,
  party: Party,
  decided: Decided,
) => {
  const { deps, now, keep } = asked;
  const data = detailView(deps, now, next, party);
  const kept = keep({ status: 200, data, message: bookingMessage('booking_rescheduled', data.status) });
  const key = kept?.idempotency.key ?? null;
  const ids = { id: booking.id, writeId: next.writeId, patientId: booking.patientId, key };
  const seat = seatWishOf(asked, ids, decided, limitsOf(asked, party, false));
  if (decided.full) return { data, seat, why: (await run(deps.db, explainSeat(deps.db, seat)))[0] };
  const why = await commitChange(
    deps,
    moveVersion(deps.db, {
      ...seat,
      ...placeColumns.valuesOf(next),
      ...progressColumns.valuesOf(next),
      version: booking.version,
    }),
    changeTo(asked, 'reschedule', party, next),
    kept,
    explainSeat(deps.db, seat),
  );
  return { data, seat, why };
};

/**
 * Moves a booking: the seat it has is lost only if the new one is won, in one guarded update. Decides again when
 * the booking or the calendar changed meanwhile.
 */
export const rescheduleBooking = async (
  asked: ActingContext,
  wish: Wish,
  first: BookingRow,
  firstRows: CalendarRows,
) => {
  const { deps, actor } = asked;
  let latest: BookingRow | undefined = first;
  let rows = firstRows;
  return decideAgain(async () => {
    const booking = latest;
    if (booking === undefined) throw new Failure('unavailable');
    const party = assertMay(asked, 'reschedule', booking, wish);
    const place = slotWishOf(wish, booking);
    // A doctor arranges the own calendar, not a colleague's.
    if (party === 'clinic' && !runsBookingsOf(place.doctor_id, actor)) throw new Failure('forbidden');
    const decided = decideSlot(asked, place, rows, booking);
    const next = moved(asked, booking, party, place, decided);
    const { data, seat, why } = await tryToMove(asked, booking, next, party, decided);
    if (why?.written) return { ...data, queue_number: why.queueNumber ?? data.queue_number };
    [[latest], ...rows] = await runAll(deps.db, [
      findBooking(deps.db, { id: first.id }),
      ...decisionReads(deps, wish.doctor_id ?? { ofBooking: first.id }, wish),
    ]);
    if (why === undefined) return overtaken;
    refuseActor(why);
    if (latest?.version === booking.version) await refuseSeat(asked, seat, why);
    return overtaken;
  });
};
