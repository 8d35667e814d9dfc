import { formatLocalTime, parseLocalTime } from '../../../core/clinic/local-time.ts';
import { resolveRules } from '../../../core/clinic/rules.ts';
import { type Reading, reading } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import type { OutputOf } from '../../../core/endpoint/lazy-shape.ts';
import type { AnyActor } from '../../auth/context.ts';
import { daysApart, isLimit } from '../../catalog/slots/limit-rules.ts';
import { type CalendarRows, calendarReads, whoseCalendar } from '../../catalog/slots/queries.ts';
import { closedBecause, type ReadCalendar, slotsOfDay, windowFor } from '../../catalog/slots/rules.ts';
import { readsOfDates } from '../../catalog/slots/slots.ts';
import { type Bookable, findBookable } from '../../patients/record/queries.ts';
import type { ActingContext } from '../record/context.ts';
import { type BookingRequest, type Decided, decideSlot } from '../seats/decision.ts';
import { slotRefusal } from '../seats/refusal.ts';
import type { BookedDate, BookSeries } from './contract.ts';
import { byNearness, isOfSlot, seriesDates } from './rules.ts';

export type Input = BodyOf<typeof BookSeries>;
export type Context = ActingContext<AnyActor>;
export type Result = OutputOf<typeof BookedDate>;

/** How many slots of a day are tried for one date. */
const maxTried = 8;

export interface FirstRead {
  patient: Bookable | undefined;
  rows: CalendarRows;
}

/** The calendar of all dates, and the patient. It needs the taken seats only when it searches other slots. */
export const seriesReads = (deps: Deps, accountId: string, input: Input): Reading<FirstRead> => {
  const dates = seriesDates(input, deps.clinicTime);
  const [fromDate = input.schedule_date] = dates;
  const toDate = dates.at(-1) ?? fromDate;
  const { doctor_id: doctorId, patient_id: id = null } = input;
  const calendar =
    input.on_conflict === 'nearest'
      ? readsOfDates(deps, doctorId, fromDate, toDate)
      : calendarReads(deps.db, {
          ...whoseCalendar(doctorId),
          ...{ fromDate, toDate, after: 0, before: 0, now: 0, countsHolds: false },
        });
  const named = findBookable(deps.db, { id, accountId, doctorId });
  return reading({ named, calendar }, ({ named: [patient], calendar: rows }) => ({ patient, rows }));
};

/** A series that is asked for: the booking of its first date, and the others. */
export interface SeriesRequest extends BookingRequest {
  dates: readonly string[];
  onConflict: Input['on_conflict'];
}

/** The planned booking for one date of the series. */
export interface Plan {
  place: BookingRequest['place'];
  tried: Set<string>;
  /** Why the requested time was refused, once it was. */
  refused: Pick<Result, 'code' | 'reason'> | null;
  isOver: boolean;
  /** Whether it is left out in this round, since an earlier date of the series is too near. */
  isNear: boolean;
}

export const listPlans = ({ place, dates }: SeriesRequest): Plan[] =>
  dates.map((schedule_date) => ({
    place: { ...place, schedule_date },
    tried: new Set(),
    refused: null,
    isOver: false,
    isNear: false,
  }));

/** Records why the tried slot is refused, and takes the next one of the day if the nearest time is acceptable. */
export const refuse = (
  { deps, actor, now }: Context,
  { place, onConflict }: SeriesRequest,
  calendar: ReadCalendar,
  plan: Plan,
  refused: NonNullable<Plan['refused']>,
): void => {
  plan.tried.add(plan.place.schedule_time);
  plan.refused ??= refused;
  plan.isOver = true;
  // The limits of a session are about its date.
  if (isLimit(refused.reason)) return;
  if (onConflict !== 'nearest' || !isOfSlot(refused.code) || plan.tried.size >= maxTried) return;
  const window = windowFor(place.doctor_id, actor, resolveRules(deps.config, calendar.clinic));
  const open = slotsOfDay(calendar.schedules, plan.place.schedule_date, deps.clinicTime).filter(
    (slot) =>
      slot.sessionId === place.session_id &&
      !plan.tried.has(formatLocalTime(slot.minuteOfDay)) &&
      closedBecause(slot, calendar, now, window, deps.clinicTime) === null,
  );
  const [next] = byNearness(open, parseLocalTime(place.schedule_time) ?? 0);
  if (next === undefined) return;
  plan.place.schedule_time = formatLocalTime(next.minuteOfDay);
  plan.isOver = false;
};

export const tooNear = { code: 'slot_unavailable', reason: 'days_between' } as const;

/** Whether a date is nearer to one of the series before it than the session allows: the database sees only other bookings. */
const isTooNear = (decided: Decided, before: readonly { decided: Decided }[]): boolean =>
  before.some(
    (one) => daysApart(one.decided.slot.date, decided.slot.date) < (decided.ofSession.minDaysBetween ?? 0),
  );

/** The slot of each date that the calendar has open, or the next one of the day. */
export const decideEach = (
  context: Context,
  request: SeriesRequest,
  calendar: ReadCalendar,
  rows: CalendarRows,
  plans: readonly Plan[],
): { plan: Plan; decided: Decided }[] => {
  const found: { plan: Plan; decided: Decided }[] = [];
  for (const plan of plans) {
    plan.isNear = false;
    while (!plan.isOver) {
      const verdict = decideSlot(context, { ...request, place: plan.place }, rows);
      if (!('refused' in verdict) && isTooNear(verdict, found)) {
        // Another round books it, if the earlier date cannot be booked; `fail` does not need this.
        if (request.onConflict === 'fail') refuse(context, request, calendar, plan, tooNear);
        plan.isNear = true;
        break;
      }
      if (!('refused' in verdict) && !verdict.full) {
        found.push({ plan, decided: verdict });
        break;
      }
      if (!('refused' in verdict)) {
        refuse(context, request, calendar, plan, { code: 'slot_full', reason: null });
        continue;
      }
      const { refused: reason } = verdict;
      if (reason === 'unavailable' || reason === 'doctor_not_found' || reason === 'session_not_offered')
        throw slotRefusal(context, verdict);
      refuse(context, request, calendar, plan, { code: 'slot_unavailable', reason });
    }
  }
  return found;
};
