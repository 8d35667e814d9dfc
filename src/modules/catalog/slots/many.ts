import { resolveRules } from '../../../core/clinic/rules.ts';
import type { ResultsOf } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { ManyRows, ManySpan } from './many-queries.ts';
import { type Booker, type DoctorCalendar, isOfZone, windowFor } from './rules.ts';
import { datesBetween, listSlots, longestRangeDays, type SlotView } from './slots.ts';

/** The span of some dates, in which slots of all doctors are looked for. */
export const computeSpan = ({ clinicTime, clock }: Deps, fromDate: string, toDate: string): ManySpan => ({
  fromDate,
  toDate,
  fromInstant: clinicTime.startOf(fromDate),
  // If the clock skips time, a slot of the last date may end, and another begin, up to two hours later.
  toInstant: clinicTime.startOf(clinicTime.addDays(toDate, 1)) + 2 * 3_600_000,
  now: clock(),
});

const groupBy = <T extends { doctorId: string | null }>(rows: readonly T[]): Map<string | null, T[]> => {
  const groups = new Map<string | null, T[]>();
  for (const row of rows) {
    const group = groups.get(row.doctorId);
    if (group === undefined) groups.set(row.doctorId, [row]);
    else group.push(row);
  }
  return groups;
};

/** The calendar of each doctor in the rows, and the rules in force. */
export const calendarsIn = (
  { config, clinicTime }: Deps,
  [[clinic], schedules, closures, occupied]: ResultsOf<ManyRows>,
) => {
  if (clinic === undefined || !isOfZone(clinic, clinicTime.zone)) throw new Failure('unavailable');
  const [scheduled, closed, taken] = [groupBy(schedules), groupBy(closures), groupBy(occupied)];
  const holidays = closed.get(null) ?? [];
  const findCalendar = (doctorId: string): DoctorCalendar => ({
    schedules: scheduled.get(doctorId) ?? [],
    closures: [...holidays, ...(closed.get(doctorId) ?? [])],
    occupied: taken.get(doctorId) ?? [],
  });
  return { rules: resolveRules(config, clinic), findCalendar };
};

interface DayQuery {
  session_id?: string | undefined;
  include?: 'unavailable' | undefined;
}

/** One day over several doctors: the slots that this person may book, by doctor and start. */
export const daySlots = (
  deps: Deps,
  now: number,
  { by, date, query }: { by: Booker | null; date: string; query: DayQuery },
  doctors: readonly { id: string; fullName: string }[],
  rows: ResultsOf<ManyRows>,
) => {
  const { rules, findCalendar } = calendarsIn(deps, rows);
  const wanted = { sessionId: query.session_id, closedToo: query.include === 'unavailable', now };
  return doctors.flatMap(({ id, fullName }) =>
    listSlots(deps, findCalendar(id), [date], { ...wanted, window: windowFor(id, by, rules) }).map(
      (slot) => ({
        doctor_id: id,
        doctor_name: fullName,
        ...slot,
      }),
    ),
  );
};

/** The dates within which a free slot is looked for. */
export const nextSpan = (deps: Deps, now: number): ManySpan => {
  const today = deps.clinicTime.dateOf(now);
  return computeSpan(deps, today, deps.clinicTime.addDays(today, longestRangeDays - 1));
};

/** Each doctor's earliest free slot within 31 days for this person, or null. */
export const nextSlots = (
  deps: Deps,
  now: number,
  by: Booker | null,
  sessionId: string | undefined,
  rows: ResultsOf<ManyRows>,
) => {
  const { rules, findCalendar } = calendarsIn(deps, rows);
  const { fromDate, toDate } = nextSpan(deps, now);
  const dates = datesBetween(deps, fromDate, toDate);
  return (doctorId: string): SlotView | null => {
    const calendar = findCalendar(doctorId);
    const wanted = { sessionId, now, window: windowFor(doctorId, by, rules) };
    for (const date of dates) {
      const [first] = listSlots(deps, calendar, [date], wanted);
      if (first !== undefined) return first;
    }
    return null;
  };
};
