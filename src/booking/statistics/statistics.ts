import { datesBetween } from '../../catalog/slots/slots.ts';
import { type ResultsOf, reading, type Statement } from '../../db/db.ts';
import type { Deps } from '../../deps.ts';
import type { QueryOf } from '../../endpoint/endpoint.ts';
import { Failure } from '../../endpoint/errors.ts';
import type { GetStatistics } from './contract.ts';
import { findClosed, findOffered, statisticsBy } from './queries.ts';
import {
  type Grouping,
  longestStatisticsDays,
  measures,
  minutesOf,
  type Numbers,
  noNumbers,
  offeredSeats,
  sumOf,
} from './rules.ts';

type Query = QueryOf<typeof GetStatistics>;

const assertRange = ({ clinicTime }: Deps, { from, to }: Query): void => {
  if (to < from)
    throw new Failure('invalid_query', { issues: [{ path: 'to', rule: 'not_before', limit: 'from' }] });
  if (to > clinicTime.addDays(from, longestStatisticsDays - 1))
    throw new Failure('invalid_query', {
      issues: [{ path: 'to', rule: 'range_days', limit: longestStatisticsDays }],
    });
};

const readsOf = (deps: Deps, { from, to, by = 'day' }: Query) => {
  assertRange(deps, { from, to, by });
  const span = { fromDate: from, toDate: to };
  // A range of a few days reads the schedules of their weekdays alone.
  const week = datesBetween(deps, from, to).slice(0, 7);
  const offered = { ...span, weekdays: JSON.stringify(week.map(deps.clinicTime.weekdayOf)) };
  return [
    statisticsBy[by].numbers(deps.db, span),
    statisticsBy[by].times(deps.db, span),
    findOffered(deps.db, offered),
    findClosed(deps.db, offered),
  ] as const satisfies readonly Statement[];
};

type Rows = ResultsOf<ReturnType<typeof readsOf>>;

/** All that the statistics are made of, in one round trip. */
export const statisticsRead = (deps: Deps, query: Query) =>
  reading(
    readsOf(deps, query),
    ([numbers, times, offered, closed]): Rows => [numbers, times, offered, closed],
  );

const timesOf = (times: Rows[1], key: string | null) => {
  const entries = measures.flatMap((measure) => {
    const found = times.find((row) => row.measure === measure && row.key === key);
    return [
      [`${measure}_minutes_median`, minutesOf(found?.median)],
      [`${measure}_minutes_p90`, minutesOf(found?.p90)],
    ] as const;
  });
  return Object.fromEntries(entries) as Record<
    `${(typeof measures)[number]}_minutes_${'median' | 'p90'}`,
    number | null
  >;
};

const shown = (offered: number, numbers: Numbers, times: ReturnType<typeof timesOf>) => ({
  offered_seats: offered,
  booked_seats: numbers.booked,
  created: numbers.created,
  approved: numbers.approved,
  canceled_by_patient: numbers.byPatient,
  canceled_by_clinic: numbers.byClinic,
  canceled_by_system: numbers.bySystem,
  no_shows: numbers.noShows,
  completed: numbers.completed,
  ...times,
});

const groupOf = (by: Grouping, key: string, name: string) =>
  ({
    day: { date: key },
    doctor: { doctor_id: key, doctor_name: name },
    session: { session_id: key, session_name: name },
    hour: { hour: Number(key) },
  })[by];

/** The names of doctors and sessions, whether they have bookings or only seats. */
const namesOf = (by: Grouping, [numbers, , offered]: Rows): Map<string, string> => {
  const names = new Map<string, string>();
  for (const row of offered) {
    if (by === 'doctor') names.set(row.doctorId, row.doctorName);
    if (by === 'session') names.set(row.sessionId, row.sessionName);
  }
  for (const { key, name } of numbers) if (name !== null) names.set(key, name);
  return names;
};

/** The statistics of a range of dates: a row for each group, and the numbers of all. */
export const statisticsOf = (deps: Deps, { from, to, by = 'day' }: Query, rows: Rows) => {
  const [counted, times, offered, closed] = rows;
  const dates = datesBetween(deps, from, to);
  const seats = offeredSeats(by, dates, offered, closed, deps.clinicTime);
  const names = namesOf(by, rows);
  const numbersOf = new Map(counted.map((numbers) => [numbers.key, numbers]));
  const keys = [...new Set([...(by === 'day' ? dates : []), ...seats.keys(), ...numbersOf.keys()])];
  const order = (key: string) => `${names.get(key) ?? ''} ${key}`;
  const data = keys
    .sort((a, b) => (order(a) < order(b) ? -1 : 1))
    .map((key) => ({
      ...groupOf(by, key, names.get(key) ?? ''),
      ...shown(seats.get(key) ?? 0, numbersOf.get(key) ?? noNumbers, timesOf(times, key)),
    }));
  const allSeats = [...seats.values()].reduce((sum, count) => sum + count, 0);
  const total = shown(allSeats, sumOf(counted), timesOf(times, null));
  return { data, meta: { from, to, by, time_zone: deps.clinicTime.zone, total } };
};
