import { mayBeArchived } from '../../../core/archive/rules.ts';
import { assertDateRange } from '../../../core/clinic/date-range.ts';
import { reading, run } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { QueryOf } from '../../../core/endpoint/endpoint.ts';
import { datesBetween } from '../../catalog/slots/slots.ts';
import type { GetStatistics } from './contract.ts';
import { findArchivedNumbers, findClosed, findNumbers, findOffered } from './queries.ts';
import {
  type Grouping,
  leadDays,
  longestStatisticsDays,
  mondayOf,
  type Numbers,
  offeredSeats,
  summarize,
} from './rules.ts';

type Query = QueryOf<typeof GetStatistics>;

/** All that the statistics are made of, in one round trip. */
export const statisticsRead = (deps: Deps, { from, to, by = 'day' }: Query) => {
  assertDateRange(deps.clinicTime, 'invalid_query', { from, to }, longestStatisticsDays);
  const span = { fromDate: from, toDate: to };
  // For a range of a few days only the schedules of their weekdays are read.
  const week = datesBetween(deps, from, to).slice(0, 7);
  const offered = { ...span, weekdays: JSON.stringify(week.map(deps.clinicTime.weekdayOf)) };
  return reading({
    numbers: findNumbers[by](deps.db, span),
    offered: findOffered(deps.db, offered),
    closed: findClosed(deps.db, offered),
  });
};

/** The same with the numbers of what is archived, each in rows of its own. */
export const withArchivedNumbers = async (
  deps: Deps,
  now: number,
  { from, to, by = 'day' }: Query,
  rows: Rows,
): Promise<Rows> => {
  const { archive } = deps;
  if (archive === undefined || !mayBeArchived(deps.clinicTime.startOf(from), now)) return rows;
  const span = { fromDate: from, toDate: to };
  const archived = await run(archive.db, findArchivedNumbers[by](archive.db, span));
  return { ...rows, numbers: [...rows.numbers, ...archived] };
};

type Rows = ReturnType<ReturnType<typeof statisticsRead>['toResult']>;

const shown = (offered: number, numbers: readonly Numbers[]) => {
  const { lead, waiting, visit, ...counts } = summarize(numbers);
  return {
    offered_seats: offered,
    booked_seats: counts.booked,
    created: counts.created,
    approved: counts.approved,
    canceled_by_patient: counts.byPatient,
    canceled_by_clinic: counts.byClinic,
    canceled_by_system: counts.bySystem,
    no_shows: counts.noShows,
    completed: counts.completed,
    lead_minutes_median: lead.median,
    lead_minutes_p90: lead.p90,
    waiting_minutes_p10: waiting.p10,
    waiting_minutes_p25: waiting.p25,
    waiting_minutes_median: waiting.median,
    waiting_minutes_p75: waiting.p75,
    waiting_minutes_p90: waiting.p90,
    visit_minutes_p10: visit.p10,
    visit_minutes_p25: visit.p25,
    visit_minutes_median: visit.median,
    visit_minutes_p75: visit.p75,
    visit_minutes_p90: visit.p90,
  };
};

const toGroup = (by: Grouping, key: string, name: string) =>
  ({
    day: { date: key },
    week: { week: key },
    month: { month: key },
    doctor: { doctor_id: key, doctor_name: name },
    session: { session_id: key, session_name: name },
    hour: { hour: Number(key) },
    weekday_hour: { weekday: Number(key[0]), hour: Number(key.slice(2)) },
    lead: {
      lead_days_from: Number(key),
      lead_days_until: leadDays.find((days) => days > Number(key)) ?? null,
    },
  })[by];

/** The groups that have a row whether or not anything was offered or booked in them. */
const wholeGroups = (by: Grouping, dates: readonly string[], { clinicTime }: Deps): readonly string[] => {
  if (by === 'day') return dates;
  if (by === 'week') return dates.map((date) => mondayOf(date, clinicTime));
  return by === 'month' ? dates.map((date) => date.slice(0, 7)) : [];
};

/** The names of doctors and sessions: as they are called today or, where they offer nothing, as their bookings say. */
const collectNames = (by: Grouping, { numbers, offered }: Rows): Map<string, string> => {
  const names = new Map<string, string>();
  for (const { key, name } of numbers) if (name !== null) names.set(key, name);
  for (const row of offered) {
    if (by === 'doctor') names.set(row.doctorId, row.doctorName);
    if (by === 'session') names.set(row.sessionId, row.sessionName);
  }
  return names;
};

/** The statistics of a range of dates: a row for each group, and the numbers of all. */
export const buildStatistics = (deps: Deps, { from, to, by = 'day' }: Query, rows: Rows) => {
  const { numbers, offered, closed } = rows;
  const dates = datesBetween(deps, from, to);
  const seats = offeredSeats(by === 'lead' ? 'day' : by, dates, offered, closed, deps.clinicTime);
  const names = collectNames(by, rows);
  const groups = Map.groupBy(numbers, ({ key }) => key);
  const seatKeys = by === 'lead' ? [] : seats.keys();
  const keys = [...new Set([...wholeGroups(by, dates, deps), ...seatKeys, ...groups.keys()])];
  const order = (key: string) => `${names.get(key) ?? ''} ${key}`;
  const data = keys
    .sort((a, b) => (order(a) < order(b) ? -1 : 1))
    .map((key) => ({
      ...toGroup(by, key, names.get(key) ?? ''),
      ...shown(seats.get(key) ?? 0, groups.get(key) ?? []),
    }));
  const allSeats = [...seats.values()].reduce((sum, count) => sum + count, 0);
  return { data, meta: { from, to, by, time_zone: deps.clinicTime.zone, total: shown(allSeats, numbers) } };
};
