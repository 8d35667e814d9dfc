import { dayMs } from '../../../core/clinic/durations.ts';
import { formatLocalTime, parseLocalTime } from '../../../core/clinic/local-time.ts';
import { resolveRules } from '../../../core/clinic/rules.ts';
import { read, runAll } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import { takesCodes } from '../../../core/takes-codes.ts';
import type { AnyActor } from '../../auth/context.ts';
import { isLimit } from '../../catalog/slots/limit-rules.ts';
import { calendarReads, whoseCalendar } from '../../catalog/slots/queries.ts';
import {
  calendarIn,
  closedBecause,
  remainingSeats,
  type Schedule,
  slotsOfDay,
  type WallClock,
} from '../../catalog/slots/rules.ts';
import type { Bookable } from '../../patients/record/queries.ts';
import type { ActingContext } from '../record/context.ts';
import {
  type BookingRequest,
  resolveBooking,
  type SlotClosed,
  toDecided,
  wrongPatient,
} from '../seats/decision.ts';
import { withoutLapsed } from '../seats/guards.ts';
import { explainSeats, firstPrefix } from '../seats/queries.ts';
import { limitedBySession, refuseActor } from '../seats/refusal.ts';
import { explainShift, insertIntoShift } from '../seats/shift-queries.ts';
import { type BookingInput, type Draft, toDraft, toRow, unlessCodeTaken } from './create.ts';
import { commitFirst } from './effects.ts';

type Context = ActingContext<AnyActor>;

/** Hours of a doctor on a date. */
interface Hours {
  doctorId: string;
  sessionId: string;
  startTime: string;
  endTime: string;
}

/** Hours that take bookings by shift, and not by slot. */
export interface Shift extends Hours {
  /** How many patients of the request's payer it takes; null for as many as there are seats. */
  share: number | null;
}

interface ShiftInput {
  shifts: readonly [Shift, ...Shift[]];
  date: string;
  /** The poli as BPJS names it: a patient has one live booking with it on a date. */
  poli: { family: 'rs' | 'fktp'; code: string };
  booking: Omit<BookingInput, 'doctor_id' | 'session_id' | 'schedule_date' | 'schedule_time'>;
}

/** The id of the new booking; or why there is none, with the booking that prevents it. */
export type ShiftAnswer =
  | { booked: string }
  | { refused: 'same_day' | 'same_referral'; id: string }
  | { refused: 'full' | 'busy' | 'unavailable' | SlotClosed };

/** The day's calendars of the doctors of the shifts. */
const readCalendars = async (
  { deps }: Pick<Context, 'deps'>,
  { shifts, date }: { shifts: readonly Hours[]; date: string },
) => {
  const start = deps.clinicTime.startOf(date);
  const ids = [...new Set(shifts.map(({ doctorId }) => doctorId))];
  const calendars = ids.map(async (id) => {
    const span = { fromDate: date, toDate: date, after: start - dayMs, before: start + 2 * dayMs };
    const at = { now: deps.clock(), countsHolds: takesCodes(deps) };
    const rows = await read(deps.db, calendarReads(deps.db, { ...whoseCalendar(id), ...span, ...at }));
    return [id, calendarIn(rows, deps.clinicTime.zone)] as const;
  });
  return new Map(await Promise.all(calendars));
};

const slotsIn = (
  { sessionId, startTime, endTime }: Hours,
  schedules: readonly Schedule[],
  date: string,
  clock: WallClock,
) => {
  const [from, until] = [parseLocalTime(startTime) ?? 0, parseLocalTime(endTime) ?? 1_440];
  return slotsOfDay(schedules, date, clock).filter(
    (slot) => slot.sessionId === sessionId && slot.minuteOfDay >= from && slot.minuteOfDay < until,
  );
};

/** How many seats of a shift a patient could book now, of whatever share. */
export const countFreeSeats = async (
  context: Pick<Context, 'deps' | 'now'>,
  shift: Hours,
  date: string,
): Promise<number> => {
  const { deps, now } = context;
  const calendar = (await readCalendars(context, { shifts: [shift], date })).get(shift.doctorId);
  if (typeof calendar !== 'object') return 0;
  const rules = resolveRules(deps.config, calendar.clinic);
  return slotsIn(shift, calendar.schedules, date, deps.clinicTime)
    .filter((slot) => closedBecause(slot, calendar, now, rules, deps.clinicTime) === null)
    .reduce((sum, slot) => sum + remainingSeats(slot, calendar.occupied), 0);
};

/** The open slots of the shifts as drafts of one booking, or why none is open. */
const draftSlots = async (
  context: Context,
  input: ShiftInput,
  patient: Bookable | undefined,
  ids: { id: string; writeId: string },
) => {
  const { deps, now } = context;
  const calendars = await readCalendars(context, input);
  const drafts: { draft: Draft; shift: Shift }[] = [];
  let why: 'full' | 'unavailable' | SlotClosed = 'not_offered';
  for (const shift of input.shifts) {
    const calendar = calendars.get(shift.doctorId);
    if (calendar === undefined || calendar === 'doctor_not_found') continue;
    if (calendar === 'unavailable') return { drafts: [], why: calendar };
    const rules = resolveRules(deps.config, calendar.clinic);
    for (const slot of slotsIn(shift, calendar.schedules, input.date, deps.clinicTime)) {
      // A patient books here, also through another system: in the window of patients.
      const closed = closedBecause(slot, calendar, now, rules, deps.clinicTime);
      if (closed !== null) {
        if (why !== 'full' && !isLimit(closed)) why = closed;
        continue;
      }
      const request: BookingRequest = resolveBooking(
        context,
        {
          ...input.booking,
          doctor_id: shift.doctorId,
          session_id: shift.sessionId,
          schedule_date: input.date,
          schedule_time: formatLocalTime(slot.minuteOfDay),
        },
        patient,
      );
      const decided = toDecided(context, request, { calendar, rules, slot });
      drafts.push({ shift, draft: toDraft(context, request, decided, { ...ids, seriesId: null }) });
    }
  }
  return { drafts, why };
};

/**
 * Books the first free slot of a shift, chosen by the database in the step that writes it: where one is taken meanwhile it
 * is the next. Seats, overlaps, the share of the payer, one booking a poli and day, and one a referral are guards of that
 * step.
 */
export const bookInShift = (
  context: Context,
  input: ShiftInput,
  patient: Bookable | undefined,
): Promise<ShiftAnswer> => {
  const { deps, now } = context;
  const { db } = deps;
  const ids = { id: deps.newId(), writeId: deps.newId() };
  const guard = { family: input.poli.family, poliCode: input.poli.code };
  return decideAgain<ShiftAnswer>(async () => {
    const { drafts, why } = await draftSlots(context, input, patient, ids);
    const [first, ...others] = drafts;
    const rows = drafts.map(({ draft, shift }) => ({
      ...toRow(draft),
      shiftStart: shift.startTime,
      shiftEnd: shift.endTime,
      share: shift.share,
      ...guard,
    }));
    if (first !== undefined) {
      const doctors = [...new Map(drafts.map((one) => [one.shift.doctorId, one.draft])).values()];
      const toPossible = ({ draft: { booking, change } }: typeof first) => ({
        startsAt: booking.startsAt,
        doctorId: booking.doctorId,
        change,
      });
      const commit = commitFirst(
        deps,
        [
          ...doctors.flatMap(({ decided }) => firstPrefix(db, decided)),
          ...withoutLapsed(context, { ...first.draft.seat, doctorId: null }),
        ],
        insertIntoShift(db, rows),
        [toPossible(first), ...others.map(toPossible)],
      );
      const isWritten = await unlessCodeTaken(commit);
      if (isWritten) return { booked: ids.id };
      if (isWritten === undefined) return overtaken;
    }
    const none = { ...ids, ...guard, now, ...input.shifts[0], shiftStart: '', shiftEnd: '', share: 0 };
    const asked = {
      ...none,
      patientId: patient?.id ?? '',
      scheduleDate: input.date,
      startsAt: deps.clinicTime.startOf(input.date) + dayMs / 2,
      payer: null,
      referralNumber: input.booking.referral_number ?? null,
    };
    const { found, shares } = await runAll(db, {
      found: explainSeats(
        db,
        drafts.map(({ draft }) => draft.seat),
      ),
      shares: explainShift(db, rows.length > 0 ? rows : [asked]),
    });
    if (found.some(({ written }) => written)) {
      deps.eventsWritten();
      return { booked: ids.id };
    }
    const [seat] = found;
    if (seat !== undefined) {
      refuseActor(seat);
      if (!seat.current || !seat.approvalUnchanged) return overtaken;
      if (!seat.patientStands) throw wrongPatient('not_found');
    }
    const { sameDay = null, sameReferral = null } = shares[0] ?? {};
    if (sameDay !== null) return { refused: 'same_day', id: sameDay };
    if (sameReferral !== null) return { refused: 'same_referral', id: sameReferral };
    if (found.length === 0) return { refused: why };
    const free = found.filter(({ seatFree }, at) => seatFree && shares[at]?.shareLeft);
    if (free.length === 0) return { refused: 'full' };
    // A seat that was given back meanwhile.
    if (free.some(({ clash, limit }) => clash === null && limit === null)) return overtaken;
    const limit = free.find((one) => one.clash === null)?.limit ?? null;
    if (limit !== null && first !== undefined) throw limitedBySession(limit, first.draft.seat);
    return { refused: 'busy' };
  });
};
