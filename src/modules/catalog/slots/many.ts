import { hourMs } from '../../../core/clinic/durations.ts';
import { resolveRules } from '../../../core/clinic/rules.ts';
import { read } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { takesCodes } from '../../../core/takes-codes.ts';
import type { PatientVisits } from './limit-rules.ts';
import { chosenCalendars, type ManyRows, type ManySpan } from './many-queries.ts';
import { type Booker, type DoctorCalendar, isOfZone, windowFor } from './rules.ts';
import {
  assertListed,
  datesBetween,
  listedDates,
  listSlots,
  longestRangeDays,
  type SlotView,
} from './slots.ts';

/** The span of some dates, in which slots of all doctors are looked for. */
export const computeSpan = (deps: Deps, fromDate: string, toDate: string): ManySpan => ({
  fromDate,
  toDate,
  fromInstant: deps.clinicTime.startOf(fromDate),
  // If the clock skips time, a slot of the last date may end, and another begin, up to two hours later.
  toInstant: deps.clinicTime.startOf(deps.clinicTime.addDays(toDate, 1)) + 2 * hourMs,
  now: deps.clock(),
  countsHolds: takesCodes(deps),
});

export const groupBy = <T extends { doctorId: string | null }>(
  rows: readonly T[],
): Map<string | null, T[]> => {
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
  { clinics: [clinic], schedules, closures, occupied }: ManyRows,
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

interface ManyQuery {
  date?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  session_id?: string | undefined;
  include?: 'unavailable' | undefined;
}

/** More days than this would make an answer of megabytes in a clinic with many doctors. */
const longestManyDays = 14;

/** The dates of a listing over doctors: one day, or several. Throws `invalid_query`. */
export const manyDates = (deps: Deps, now: number, { date, from, to }: ManyQuery) => {
  const isRange = from !== undefined || to !== undefined;
  if (!isRange) {
    assertListed('date', date);
    const day = date ?? deps.clinicTime.dateOf(now);
    return { isRange, from: day, to: day };
  }
  if (date !== undefined)
    throw new Failure('invalid_query', { issues: [{ path: 'date', rule: 'any_of', limit: 'which_days' }] });
  return { isRange, ...listedDates(deps, now, { from, to, longestDays: longestManyDays }) };
};

interface AskedMany {
  by: Booker | null;
  patient: PatientVisits | null;
  query: ManyQuery;
}

type ChosenDoctors = readonly { id: string; fullName: string }[];

/** The slots of several doctors on these dates that this person may book, by doctor and start. */
export const manySlots = (
  deps: Deps,
  now: number,
  { by, query, patient }: AskedMany,
  dates: readonly string[],
  doctors: ChosenDoctors,
  rows: ManyRows,
) => {
  const { rules, findCalendar } = calendarsIn(deps, rows);
  const wanted = { sessionId: query.session_id, closedToo: query.include === 'unavailable', now, patient };
  return doctors.flatMap(({ id, fullName }) =>
    listSlots(deps, findCalendar(id), dates, { ...wanted, window: windowFor(id, by, rules) }).map((slot) => ({
      doctor_id: id,
      doctor_name: fullName,
      ...slot,
    })),
  );
};

type ManySlot = ReturnType<typeof manySlots>[number];

/** Text whose order is that of the starts on the clinic's clock. */
const startText = ({ schedule_date, schedule_time }: ManySlot): string => `${schedule_date} ${schedule_time}`;

/** The same by start; those at the same time stay in the order of the doctors. */
export const soonestFirst = (slots: readonly ManySlot[]): ManySlot[] =>
  slots.toSorted((a, b) => (startText(a) < startText(b) ? -1 : Number(startText(a) > startText(b))));

/** The first slot within 31 days after a date, of any of the doctors, for this person; null without one. */
export const nextOfMany = async (
  deps: Deps,
  now: number,
  asked: AskedMany,
  { after, doctors, wanted }: { after: string; doctors: ChosenDoctors; wanted: { doctorIds: string | null } },
): Promise<ManySlot | null> => {
  const [today, next] = [deps.clinicTime.dateOf(now), deps.clinicTime.addDays(after, 1)];
  const from = next < today ? today : next;
  const to = deps.clinicTime.addDays(from, longestRangeDays - 1);
  const rows = await read(deps.db, chosenCalendars(deps.db, wanted, computeSpan(deps, from, to)));
  const openOnly = { by: asked.by, patient: asked.patient, query: { session_id: asked.query.session_id } };
  for (const date of datesBetween(deps, from, to)) {
    const [first] = soonestFirst(manySlots(deps, now, openOnly, [date], doctors, rows));
    if (first !== undefined) return first;
  }
  return null;
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
  rows: ManyRows,
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
