import { read, run } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { calendarIn } from '../../catalog/slots/rules.ts';
import { type Draft, toDraft, toRow, unlessCodeTaken } from '../changes/create.ts';
import { commitChanges } from '../changes/effects.ts';
import { resolveBooking, wrongPatient } from '../seats/decision.ts';
import { withoutLapsed } from '../seats/guards.ts';
import { endTakenHolds } from '../seats/hold-queries.ts';
import { explainSeats, firstPrefix, insertBookings } from '../seats/queries.ts';
import { refuseActor, type SeatExplanation, tooManyAnHour } from '../seats/refusal.ts';
import { judgeStanding } from '../seats/standing.ts';
import { recordPassedLimit } from '../seats/standing-queries.ts';
import {
  type Context,
  decideEach,
  type FirstRead,
  type Input,
  listPlans,
  type Plan,
  type Result,
  refuse,
  type SeriesRequest,
  seriesReads,
  tooNear,
} from './plans.ts';
import { isOfSlot, refusedBecause, seriesDates } from './rules.ts';

/** A booking that is tried for a date. */
type Tentative = Draft & { plan: Plan };

const toResult = (plan: Plan, { place }: SeriesRequest, bookings: readonly Tentative[]): Result => {
  const made = bookings.find((one) => one.plan === plan);
  const refused = plan.refused ?? (plan.isNear ? tooNear : null);
  const unmade = refused === null ? 'free' : 'refused';
  const booked = plan.place.schedule_time === place.schedule_time ? 'booked' : 'nearest';
  return {
    schedule_date: plan.place.schedule_date,
    result: made === undefined ? unmade : booked,
    booking: made?.data ?? null,
    code: refused?.code ?? null,
    reason: refused?.reason ?? null,
  };
};

/** Books all the planned dates or none; undefined if a booking code was taken. */
const write = (
  context: Context,
  bookings: readonly Tentative[],
  data: object,
  explanation: ReturnType<typeof explainSeats>,
) => {
  const { deps, toStoredResponse } = context;
  const { db } = deps;
  const [first, ...others] = bookings;
  if (first === undefined) throw new Failure('unavailable');
  const commit = commitChanges(
    deps,
    [
      ...firstPrefix(db, first.decided),
      ...withoutLapsed(context, first.seat),
      insertBookings(db, bookings.map(toRow)),
      ...bookings.flatMap(({ request, decided, booking }) =>
        recordPassedLimit(db, context, request, decided, booking),
      ),
      ...bookings.flatMap(({ seat }) => endTakenHolds(deps, seat)),
    ],
    [first.change, ...others.map(({ change }) => change)],
    toStoredResponse({ status: 200, data }),
    explanation,
  );
  return unlessCodeTaken(commit);
};

/** Notes which of the bookings the database refused, and why. Returns since when the account has booked too often. */
const note = (
  context: Context,
  request: SeriesRequest,
  bookings: readonly Tentative[],
  whys: readonly SeatExplanation[],
): number | null => {
  const refused = bookings.flatMap(({ plan, booking, decided }) => {
    const why = whys.find(({ id }) => id === booking.id);
    const code = why === undefined ? null : refusedBecause(why);
    const reason = code === 'slot_unavailable' ? (why?.limit ?? null) : null;
    return code === null ? [] : [{ plan, code, reason, calendar: decided.calendar }];
  });
  // The limits counted all planned dates: without those that lost their slot, the rest may be within them.
  const lost = refused.filter(({ code }) => isOfSlot(code));
  const isPartly = request.onConflict !== 'fail' && lost.length > 0;
  for (const { plan, code, reason, calendar } of isPartly ? lost : refused)
    refuse(context, request, calendar, plan, { code, reason });
  return whys[0]?.oldestInHour ?? null;
};

/**
 * Books the same time on several dates in one guarded step. Decides again without those that were refused, or with
 * the next slot of their day; `fail` books all or none.
 */
export const bookSeries = async (context: Context, input: Input, first: FirstRead) => {
  const { deps, actor } = context;
  const request: SeriesRequest = {
    ...resolveBooking(context, input, first.patient),
    dates: seriesDates(input, deps.clinicTime),
    onConflict: input.on_conflict,
  };
  const failsWhole = request.onConflict === 'fail';
  let { rows } = first;
  let plans = listPlans(request);
  let oldest: number | null = null;
  return decideAgain(async () => {
    const calendar = calendarIn(rows, deps.clinicTime.zone);
    if (typeof calendar === 'string') throw new Failure(calendar);
    const tried = await judgeStanding(context, request, decideEach(context, request, calendar, rows, plans));
    const seriesId = deps.newId();
    // The series is named after its first booking.
    const bookings = tried.map(({ plan, decided }, ahead) => {
      const ids = { id: ahead === 0 ? seriesId : deps.newId(), seriesId };
      return { plan, ...toDraft(context, { ...request, place: plan.place }, decided, { ...ids, ahead }) };
    });
    if (bookings.length > 0) {
      const data = { id: seriesId, results: plans.map((plan) => toResult(plan, request, bookings)) };
      const isWhole = !failsWhole || bookings.length === plans.length;
      const seats = bookings.map(({ seat }) => seat);
      const explanation = explainSeats(deps.db, seats);
      const whys = isWhole
        ? await write(context, bookings, data, explanation)
        : await run(deps.db, explanation);
      if (whys === undefined) return overtaken;
      if (whys.some(({ written }) => written)) return data;
      if (whys[0] !== undefined) refuseActor(whys[0]);
      if (whys.some(({ current, approvalUnchanged }) => !(current && approvalUnchanged))) {
        ({ rows } = await read(deps.db, seriesReads(deps, actor.userId, input)));
        plans = listPlans(request);
        return overtaken;
      }
      if (whys.some(({ patientStands }) => !patientStands)) throw wrongPatient('not_found');
      oldest = note(context, request, bookings, whys);
    }
    const refused = plans.filter((plan) => plan.refused !== null);
    const isLost = failsWhole ? refused.length > 0 : plans.every(({ isOver }) => isOver);
    if (!isLost) return overtaken;
    const [one] = bookings;
    if (one !== undefined && refused.some((plan) => plan.refused?.code === 'rate_limited'))
      throw tooManyAnHour(context, one.seat, oldest);
    throw new Failure('series_conflict', {
      extras: { results: plans.map((plan) => toResult(plan, request, [])) },
    });
  });
};
