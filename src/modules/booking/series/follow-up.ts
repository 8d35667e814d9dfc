import { assertDateRange } from '../../../core/clinic/date-range.ts';
import { dayMs } from '../../../core/clinic/durations.ts';
import { formatLocalTime } from '../../../core/clinic/local-time.ts';
import { resolveRules } from '../../../core/clinic/rules.ts';
import { read, runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { AnyActor } from '../../auth/context.ts';
import { isLimit, isOfPatient } from '../../catalog/slots/limit-rules.ts';
import type { CalendarRows } from '../../catalog/slots/queries.ts';
import { calendarIn, closedBecause, type Slot, slotsOfDay } from '../../catalog/slots/rules.ts';
import { datesBetween, readsOfDates } from '../../catalog/slots/slots.ts';
import { findBookable } from '../../patients/record/queries.ts';
import { createBooking } from '../changes/create.ts';
import { longestListDays } from '../listing/rules.ts';
import type { ActingContext } from '../record/context.ts';
import type { BookingRow } from '../record/queries.ts';
import { runsBookingsOf } from '../record/rules.ts';
import { findBusy } from '../seats/alternative-queries.ts';
import { alternativesTo } from '../seats/alternatives.ts';
import { limitedBySession } from '../seats/refusal.ts';
import type { BookFollowUp } from './contract.ts';
import { isOfSlot } from './rules.ts';

type Input = BodyOf<typeof BookFollowUp>;

/** How many slots are tried, where others take them meanwhile. */
const maxTried = 8;

/** The calendar of the dates, of the booking's own doctor or the one who is named. */
export const followUpReads = (deps: Deps, id: string, { from, to, doctor_id }: Input) => {
  assertDateRange(deps.clinicTime, 'validation_failed', { from, to }, longestListDays);
  return readsOfDates(deps, doctor_id ?? { ofBooking: id }, from, to);
};

/** The calendar of a follow-up; an archived booking does not say in the clinic's own database whose it is. */
const calendarRows = (deps: Deps, input: Input, booking: BookingRow, rows: CalendarRows) =>
  'archived' in booking && input.doctor_id === undefined
    ? read(deps.db, followUpReads(deps, booking.id, { ...input, doctor_id: booking.doctorId }))
    : rows;

/** Books the first slot that suits the patient; where others take it meanwhile, the next one. */
export const bookFollowUp = async (
  context: ActingContext<AnyActor>,
  input: Input,
  named: BookingRow,
  first: CalendarRows,
) => {
  const { deps, actor, now } = context;
  const { db, clinicTime } = deps;
  const { patientId, ...booking } = named;
  const rows = await calendarRows(deps, input, named, first);
  const { from, to, earliest_time = '', latest_time = '99', notes } = input;
  const doctorId = input.doctor_id ?? booking.doctorId;
  const sessionId = input.session_id ?? booking.sessionId;
  if (!runsBookingsOf(doctorId, actor)) throw new Failure('forbidden');
  const calendar = calendarIn(rows, clinicTime.zone);
  if (typeof calendar === 'string') throw new Failure(calendar);
  const offered = calendar.schedules.find((row) => row.sessionId === sessionId);
  if (offered === undefined) throw new Failure('session_not_offered');
  const minDaysBetween = offered.minDaysBetween;
  // Since a booking of this very day may have begun.
  const reach = (1 + (minDaysBetween ?? 0)) * dayMs;
  const {
    patient: [patient],
    busy,
  } = await runAll(db, {
    patient: findBookable(db, { id: patientId, accountId: actor.userId, doctorId: booking.doctorId }),
    busy: findBusy(db, { patientId, exceptId: '', after: now - reach, before: Number.MAX_SAFE_INTEGER }),
  });
  const visits = { bookings: busy.filter(({ counts }) => counts === 1), isKnown: null };
  const limited = input.override_limits === true ? null : visits;
  const isWanted = (slot: Slot) => {
    const time = formatLocalTime(slot.minuteOfDay);
    return (
      slot.sessionId === sessionId &&
      slot.startsAt > now &&
      time >= earliest_time &&
      time <= latest_time &&
      busy.every(({ startsAt, endsAt }) => endsAt <= slot.startsAt || slot.endsAt <= startsAt)
    );
  };
  const wantedSlots = datesBetween(deps, from, to)
    .flatMap((date) => slotsOfDay(calendar.schedules, date, clinicTime))
    .filter(isWanted)
    .map((slot) => ({ ...slot, reason: closedBecause(slot, calendar, now, null, clinicTime, limited) }));
  const open = wantedSlots.filter(({ reason }) => reason === null);
  for (const { date, minuteOfDay } of open.slice(0, maxTried))
    try {
      const place = { doctor_id: doctorId, session_id: sessionId, schedule_date: date };
      const schedule_time = formatLocalTime(minuteOfDay);
      const { override_limits } = input;
      const wanted = { ...place, schedule_time, patient_id: patientId, notes, override_limits };
      const read = { rows, isStale: false, mayHoldLapsed: true };
      return await createBooking(context, wanted, { patient, calendar: read });
    } catch (error) {
      if (!(error instanceof Failure && isOfSlot(error.code))) throw error;
      if (isOfPatient(error.details.extras?.reason)) throw error;
    }
  // Nothing is full: the clinic is told which limit keeps the patient away, since it may pass it.
  const kept = open.length === 0 ? wantedSlots.find(({ reason }) => isLimit(reason)) : undefined;
  if (kept !== undefined && isLimit(kept.reason)) throw limitedBySession(kept.reason, kept);
  const near = {
    id: '',
    patientId,
    doctorId,
    sessionId,
    scheduleDate: from,
    startsAt: clinicTime.startOf(from),
    minDaysBetween,
    passesLimits: input.override_limits === true,
  };
  const rules = resolveRules(deps.config, calendar.clinic);
  throw new Failure('slot_full', {
    extras: { alternatives: await alternativesTo(deps, now, near, actor, rules) },
  });
};
