import { dayMs } from '../../../core/clinic/durations.ts';
import { parseLocalTime } from '../../../core/clinic/local-time.ts';
import type { BookingRules } from '../../../core/clinic/rules.ts';
import { read, runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { takesCodes } from '../../../core/takes-codes.ts';
import { limitedBecause } from '../../catalog/slots/limit-rules.ts';
import { type Booker, longestSlotMs, type Slot, windowFor } from '../../catalog/slots/rules.ts';
import {
  datesBetween,
  listSlots,
  nextDates,
  nextOpenIn,
  readsOfDates,
  type SlotView,
} from '../../catalog/slots/slots.ts';
import { findBusy, otherCalendarReads } from './alternative-queries.ts';

const maxAlternatives = 3;
/** How many days after the requested date to search for slots of other doctors. */
const otherDoctorsDays = 7;

interface RequestedSlot {
  /** The booking that is being made or moved, and whose it is. */
  id: string;
  patientId: string;
  doctorId: string;
  sessionId: string;
  scheduleDate: string;
  startsAt: number;
  /** The distance that the session asks for between two bookings of a patient. */
  minDaysBetween: number | null;
  /** Whether the clinic passes the limits of the session. */
  passesLimits: boolean;
}

/** The slots nearest to the requested one, ordered by start. */
const nearest = <S extends SlotView>(
  { clinicTime }: Deps,
  slots: readonly S[],
  requested: RequestedSlot,
  count: number,
): S[] =>
  slots
    .map((slot) => {
      const startsAt = clinicTime.instantOf(slot.schedule_date, parseLocalTime(slot.schedule_time) ?? 0) ?? 0;
      return { slot, startsAt, away: Math.abs(startsAt - requested.startsAt) };
    })
    .sort((a, b) => a.away - b.away)
    .slice(0, count)
    .sort((a, b) => a.startsAt - b.startsAt)
    .map(({ slot }) => slot);

/** The patient, the rules of the booking, and the slots that suit the patient. */
interface Criteria {
  by: Booker;
  rules: BookingRules;
  suits: (slot: Slot) => boolean;
}

/** Free slots of other doctors who offer the same session, on the first day with any, from one read. */
const slotsOfOthers = async (
  deps: Deps,
  now: number,
  requested: RequestedSlot,
  { by, rules, suits }: Criteria,
  missing: number,
) => {
  const { clinicTime } = deps;
  const fromDate = requested.scheduleDate;
  const toDate = clinicTime.addDays(fromDate, otherDoctorsDays - 1);
  const span = {
    sessionId: requested.sessionId,
    doctorId: requested.doctorId,
    fromDate,
    toDate,
    fromInstant: clinicTime.startOf(fromDate),
    toInstant: clinicTime.startOf(clinicTime.addDays(toDate, 1)),
    now,
    countsHolds: takesCodes(deps),
  };
  const { schedules, closures, occupied } = await read(deps.db, otherCalendarReads(deps.db, span));
  const calendars = [...new Set(schedules.map(({ doctorId }) => doctorId))].map((doctorId) => ({
    doctorId,
    doctorName: schedules.find((row) => row.doctorId === doctorId)?.doctorName ?? '',
    calendar: {
      schedules: schedules.filter((row) => row.doctorId === doctorId),
      closures: closures.filter((row) => row.doctorId === null || row.doctorId === doctorId),
      occupied: occupied.filter((row) => row.doctorId === doctorId),
    },
  }));
  for (const date of datesBetween(deps, fromDate, toDate)) {
    const open = calendars.flatMap(({ doctorId, doctorName, calendar }) =>
      listSlots(deps, calendar, [date], {
        sessionId: requested.sessionId,
        now,
        suits,
        window: windowFor(doctorId, by, rules),
      }).map((slot) => ({ doctor_id: doctorId, doctor_name: doctorName, ...slot })),
    );
    if (open.length > 0) return nearest(deps, open, requested, missing);
  }
  return [];
};

/** Reads the doctor's own calendar, and when the patient is busy in all the time in which slots are looked for. */
const readOwn = async (deps: Deps, now: number, requested: RequestedSlot, rules: BookingRules) => {
  const { id, patientId, doctorId, scheduleDate, passesLimits } = requested;
  const { clinicTime } = deps;
  const dates = nextDates(deps, now, scheduleDate, rules);
  const { fromDate, lastDate } = dates;
  const lastOfOthers = clinicTime.addDays(scheduleDate, otherDoctorsDays - 1);
  const lastRead = lastDate < lastOfOthers ? lastOfOthers : lastDate;
  const reach = (requested.minDaysBetween ?? 0) * dayMs;
  const { busy, rows } = await runAll(deps.db, {
    busy: findBusy(deps.db, {
      patientId,
      exceptId: id,
      after: clinicTime.startOf(fromDate) - longestSlotMs - reach,
      before: clinicTime.startOf(clinicTime.addDays(lastRead, 1)) + reach,
    }),
    rows: readsOfDates(deps, doctorId, fromDate, fromDate < lastDate ? lastDate : fromDate),
  });
  // For whom the session is was decided with the slot that was wanted.
  const patient = { bookings: busy.filter(({ counts }) => counts === 1), isKnown: null };
  const suits = (slot: Slot) =>
    busy.every(({ startsAt, endsAt }) => endsAt <= slot.startsAt || slot.endsAt <= startsAt) &&
    (passesLimits || limitedBecause(slot, patient) === null);
  return { dates, rows, suits };
};

const formatDoctorName = (doctor: { title: string; name: string } | undefined): string =>
  [doctor?.title, doctor?.name].filter(Boolean).join(' ');

/**
 * Up to three free slots to offer instead of a full one: this doctor's first, then those of others. None at which the
 * patient is busy elsewhere.
 */
export const alternativesTo = async (
  deps: Deps,
  now: number,
  requested: RequestedSlot,
  by: Booker,
  rules: BookingRules,
) => {
  const { dates, rows, suits } = await readOwn(deps, now, requested, rules);
  const criteria = { by, rules, suits };
  const wanted = { ...criteria, sessionId: requested.sessionId, now, enough: maxAlternatives };
  const own = nextOpenIn(deps, requested.doctorId, rows, dates, wanted);
  const [doctor] = rows.doctors;
  const slots = nearest(deps, own, requested, maxAlternatives).map((slot) => ({
    doctor_id: requested.doctorId,
    doctor_name: formatDoctorName(doctor),
    ...slot,
  }));
  const missing = maxAlternatives - slots.length;
  if (missing === 0) return slots;
  return [...slots, ...(await slotsOfOthers(deps, now, requested, criteria, missing))];
};
