import { type Booker, windowFor } from '../../catalog/slots/rules.ts';
import { datesBetween, listSlots, nextOpenSlots, type SlotView } from '../../catalog/slots/slots.ts';
import { minuteOf } from '../../clinic/local-time.ts';
import type { BookingRules } from '../../clinic/rules.ts';
import { runAll } from '../../db/db.ts';
import type { Deps } from '../../deps.ts';
import { otherCalendarReads } from './alternative-queries.ts';

const maxAlternatives = 3;
/** How many days after the requested date to search for slots of other doctors. */
const otherDoctorsDays = 7;

interface RequestedSlot {
  doctorId: string;
  sessionId: string;
  scheduleDate: string;
  startsAt: number;
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
      const startsAt = clinicTime.instantOf(slot.schedule_date, minuteOf(slot.schedule_time) ?? 0) ?? 0;
      return { slot, startsAt, away: Math.abs(startsAt - requested.startsAt) };
    })
    .sort((a, b) => a.away - b.away)
    .slice(0, count)
    .sort((a, b) => a.startsAt - b.startsAt)
    .map(({ slot }) => slot);

/** Free slots of other doctors who offer the same session, on the first day with any, from one read. */
const slotsOfOthers = async (
  deps: Deps,
  now: number,
  requested: RequestedSlot,
  by: Booker,
  rules: BookingRules,
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
  };
  const [schedules, closures, occupied] = await runAll(deps.db, otherCalendarReads(deps.db, span));
  const calendars = [...new Set(schedules.map(({ doctorId }) => doctorId))].map((doctorId) => ({
    doctorId,
    calendar: {
      schedules: schedules.filter((row) => row.doctorId === doctorId),
      closures: closures.filter((row) => row.doctorId === null || row.doctorId === doctorId),
      occupied: occupied.filter((row) => row.doctorId === doctorId),
    },
  }));
  for (const date of datesBetween(deps, fromDate, toDate)) {
    const open = calendars.flatMap(({ doctorId, calendar }) =>
      listSlots(deps, calendar, [date], {
        sessionId: requested.sessionId,
        now,
        window: windowFor(doctorId, by, rules),
      }).map((slot) => ({ doctor_id: doctorId, ...slot })),
    );
    if (open.length > 0) return nearest(deps, open, requested, missing);
  }
  return [];
};

/** Up to three free slots to offer instead of a full one: this doctor's first, then those of others. */
export const alternativesTo = async (
  deps: Deps,
  now: number,
  requested: RequestedSlot,
  by: Booker,
  rules: BookingRules,
) => {
  const wanted = { sessionId: requested.sessionId, now, enough: maxAlternatives, by, rules };
  const own = await nextOpenSlots(deps, requested.doctorId, requested.scheduleDate, wanted);
  const slots = nearest(deps, own, requested, maxAlternatives).map((slot) => ({
    doctor_id: requested.doctorId,
    ...slot,
  }));
  const missing = maxAlternatives - slots.length;
  return missing === 0
    ? slots
    : [...slots, ...(await slotsOfOthers(deps, now, requested, by, rules, missing))];
};
