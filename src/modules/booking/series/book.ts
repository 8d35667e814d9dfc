import { read, run } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { calendarIn } from '../../catalog/slots/rules.ts';
import { newBooking, partyOfBooker, resolvePatient, unlessCodeTaken } from '../changes/create.ts';
import { type Change, changeTo, commitChanges } from '../changes/effects.ts';
import { newBookingCode } from '../record/code.ts';
import { bookingView } from '../record/views.ts';
import { buildSeatInput, resolveLimits, type SeatInput } from '../seats/decision.ts';
import { withoutLapsed } from '../seats/guards.ts';
import {
  beginningColumns,
  explainSeats,
  firstPrefix,
  insertBookings,
  placeColumns,
} from '../seats/queries.ts';
import { refuseActor, type SeatExplanation, tooManyAnHour, unknownPatient } from '../seats/refusal.ts';
import {
  type Context,
  decideEach,
  type FirstRead,
  type Input,
  listPlans,
  type Plan,
  type Result,
  refuse,
  seriesReads,
  type Tried,
} from './plans.ts';
import { isOfSlot, refusedBecause } from './rules.ts';

/** A booking that is tried, with the values that guard its write. */
interface Tentative {
  plan: Plan;
  booking: ReturnType<typeof newBooking>;
  seat: SeatInput;
  change: Change;
}

const tentative = (
  context: Context,
  input: Input,
  whose: ReturnType<typeof resolvePatient>,
  seriesId: string,
  { plan, decided }: Tried,
  ahead: number,
): Tentative => {
  const { deps, toStoredResponse } = context;
  const party = partyOfBooker(context, input);
  const ids = { id: ahead === 0 ? seriesId : deps.newId(), writeId: deps.newId(), ...whose };
  const slot = { ...input, schedule_date: plan.date, schedule_time: plan.time };
  const booking = { ...newBooking(context, slot, ids, decided), seriesId };
  const limits = resolveLimits(context, party, true, decided.rules);
  const key = toStoredResponse({ status: 200 })?.idempotency.key ?? null;
  const seat = { ...buildSeatInput(context, { ...ids, key }, decided, limits), ahead };
  return { plan, booking, seat, change: changeTo(context, 'booking.created', party, booking) };
};

const toResult = (plan: Plan, input: Input, bookings: readonly Tentative[]): Result => {
  const made = bookings.find((one) => one.plan === plan);
  const unmade = plan.refused === null ? 'free' : 'refused';
  const booked = plan.time === input.schedule_time ? 'booked' : 'nearest';
  return {
    schedule_date: plan.date,
    result: made === undefined ? unmade : booked,
    booking: made === undefined ? null : bookingView(made.booking),
    code: plan.refused?.code ?? null,
    reason: plan.refused?.reason ?? null,
  };
};

/** Books all the planned dates or none; undefined if a booking code was taken. */
const write = (context: Context, tried: readonly Tried[], bookings: readonly Tentative[], data: object) => {
  const { deps, toStoredResponse } = context;
  const { db } = deps;
  const [first, ...others] = bookings.map(({ change }) => change);
  const [one] = tried;
  const [{ seat } = { seat: null }] = bookings;
  if (first === undefined || one === undefined || seat === null) throw new Failure('unavailable');
  const rows = bookings.map(({ booking, seat }) => ({
    ...seat,
    ...placeColumns.valuesOf(booking),
    ...beginningColumns.valuesOf(booking),
    notes: booking.notes,
    bookingCode: newBookingCode(),
    seriesId: booking.seriesId,
    externalId: booking.externalId,
    metadata: booking.metadata,
  }));
  const commit = commitChanges(
    deps,
    [...firstPrefix(db, one.decided), ...withoutLapsed(context, seat), insertBookings(db, rows)],
    [first, ...others],
    toStoredResponse({ status: 200, data, message: 'series_booked' }),
    explainSeats(
      db,
      bookings.map(({ seat }) => seat),
    ),
  );
  return unlessCodeTaken(commit);
};

/** Notes which of the bookings the database refused, and why. Returns since when the account has booked too often. */
const note = (
  context: Context,
  input: Input,
  tried: readonly Tried[],
  bookings: readonly Tentative[],
  whys: readonly SeatExplanation[],
): number | null => {
  const refused = bookings.flatMap(({ plan, booking }, at) => {
    const why = whys.find(({ id }) => id === booking.id);
    const code = why === undefined ? null : refusedBecause(why);
    const calendar = tried[at]?.decided.calendar;
    return code === null || calendar === undefined ? [] : [{ plan, code, calendar }];
  });
  // The limits counted all planned dates: without those that lost their slot, the rest may be within them.
  const lost = refused.filter(({ code }) => isOfSlot(code));
  const isPartly = input.on_conflict !== 'fail' && lost.length > 0;
  for (const { plan, code, calendar } of isPartly ? lost : refused)
    refuse(context, input, calendar, plan, { code, reason: null });
  return whys[0]?.oldestInHour ?? null;
};

/**
 * Books the same time on several dates in one guarded step. Decides again without those that were refused, or with
 * the next slot of their day; `fail` books all or none.
 */
export const bookSeries = async (context: Context, input: Input, first: FirstRead) => {
  const { deps, actor } = context;
  const whose = resolvePatient(context, input, first.patient);
  let { rows } = first;
  let plans = listPlans(deps, input);
  let oldest: number | null = null;
  return decideAgain(async () => {
    const calendar = calendarIn(rows, deps.clinicTime.zone);
    if (typeof calendar === 'string') throw new Failure(calendar);
    const tried = decideEach(context, input, calendar, rows, plans);
    const seriesId = deps.newId();
    const bookings = tried.map((one, ahead) => tentative(context, input, whose, seriesId, one, ahead));
    const results = plans.map((plan) => toResult(plan, input, bookings));
    const isWhole = input.on_conflict !== 'fail' || tried.length === plans.length;
    const seats = bookings.map(({ seat }) => seat);
    if (tried.length > 0) {
      const data = { id: seriesId, results };
      const whys = isWhole
        ? await write(context, tried, bookings, data)
        : await run(deps.db, explainSeats(deps.db, seats));
      if (whys === undefined) return overtaken;
      if (whys.some(({ written }) => written)) return data;
      if (whys[0] !== undefined) refuseActor(whys[0]);
      if (whys.some(({ current }) => !current)) {
        ({ rows } = await read(deps.db, seriesReads(deps, actor.userId, input)));
        plans = listPlans(deps, input);
        return overtaken;
      }
      if (whys.some(({ patientStands }) => !patientStands)) throw unknownPatient();
      oldest = note(context, input, tried, bookings, whys);
    }
    const refused = plans.filter((plan) => plan.refused !== null);
    const isLost = input.on_conflict === 'fail' ? refused.length > 0 : plans.every(({ isOver }) => isOver);
    if (!isLost) return overtaken;
    const [seat] = seats;
    if (seat !== undefined && refused.some((plan) => plan.refused?.code === 'rate_limited'))
      throw tooManyAnHour(context, seat, oldest);
    throw new Failure('series_conflict', {
      extras: { results: plans.map((plan) => toResult(plan, input, [])) },
    });
  });
};
