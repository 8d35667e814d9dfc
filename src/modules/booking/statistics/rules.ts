// Pure: the counts of the statistics, and how many seats the schedules offer.

import { dayMs } from '../../../core/clinic/durations.ts';
import {
  type Closure,
  covers,
  isValidOn,
  type Schedule,
  slotsOfSchedule,
  spansOf,
  type WallClock,
} from '../../catalog/slots/rules.ts';

export const longestStatisticsDays = 366;

export const groupings = [
  'day',
  'week',
  'month',
  'doctor',
  'session',
  'hour',
  'weekday_hour',
  'lead',
] as const;
export type Grouping = (typeof groupings)[number];

/** From how many times 24 hours before the start on a booking belongs to a group of `lead`. */
export const leadDays = [0, 1, 2, 4, 8, 15, 31] as const;
/** The key of such a group: in the order of the days. */
export const leadKey = (days: number): string => String(days).padStart(2, '0');

/** The counts of bookings. */
const counted = [
  'booked',
  'created',
  'approved',
  'byPatient',
  'byClinic',
  'bySystem',
  'noShows',
  'completed',
] as const;

/** The measured times of a live booking: created to start, check-in to first call, first call to completed. */
type Measure = 'lead' | 'waiting' | 'visit';

type Counts = Record<(typeof counted)[number], number>;

/** The bookings of one group on one date: the times in tenths of a minute, with commas between them. */
export type Numbers = Counts & Record<Measure, string | null>;

/** The smallest value that so many of a hundred do not exceed (nearest rank), of tenths as whole; null of none. */
export const nearestRank = (sorted: ArrayLike<number>, percent: number): number | null => {
  const tenths = sorted[Math.ceil((percent * sorted.length) / 100) - 1];
  return tenths === undefined ? null : tenths / 10;
};

const rankTimes = (all: readonly Numbers[], measure: Measure) => {
  const texts = all.flatMap((numbers) => numbers[measure] ?? []);
  const sorted = Float64Array.from(
    texts.flatMap((text) => text.split(',')),
    Number,
  ).sort();
  return {
    p10: nearestRank(sorted, 10),
    p25: nearestRank(sorted, 25),
    median: nearestRank(sorted, 50),
    p75: nearestRank(sorted, 75),
    p90: nearestRank(sorted, 90),
  };
};

/** The totals, with the ranks of their times in minutes. */
export const summarize = (all: readonly Numbers[]) => {
  const counts = Object.fromEntries(counted.map((name) => [name, 0])) as Counts;
  for (const numbers of all) for (const name of counted) counts[name] += numbers[name];
  return {
    ...counts,
    lead: rankTimes(all, 'lead'),
    waiting: rankTimes(all, 'waiting'),
    visit: rankTimes(all, 'visit'),
  };
};

/** A schedule of a doctor in service, whose session is offered. */
interface OfferedSchedule extends Schedule {
  doctorId: string;
}

/** The clinic's clock, with the length of its days. */
interface DayClock extends WallClock {
  startOf(date: string): number;
}

const hourOf = (minuteOfDay: number): number => Math.floor(minuteOfDay / 60);

type SeatsByHour = ReadonlyMap<number, number>;

const countSeats = (minutes: readonly number[], capacity: number): SeatsByHour => {
  const seats = new Map<number, number>();
  for (const minute of minutes) seats.set(hourOf(minute), (seats.get(hourOf(minute)) ?? 0) + capacity);
  return seats;
};

/** The seats of a day on which nothing is closed and no clock is changed: the same on each of them. */
const usualSeats = (schedule: Schedule): SeatsByHour => {
  const { slotMinutes, capacity } = schedule;
  const minutes: number[] = [];
  for (const [start, end] of spansOf(schedule))
    for (let minute = start; minute + slotMinutes <= end; minute += slotMinutes) minutes.push(minute);
  return countSeats(minutes, capacity);
};

/** By what seats can be told apart: they have no booking, and so no time before it. */
type SeatGrouping = Exclude<Grouping, 'lead'>;

export const mondayOf = (date: string, clock: Pick<DayClock, 'addDays' | 'weekdayOf'>): string =>
  clock.addDays(date, 1 - clock.weekdayOf(date));

const buildKey = (
  by: SeatGrouping,
  { doctorId, sessionId, weekday }: OfferedSchedule,
  date: string,
  hourOfDay: number,
  clock: DayClock,
): string => {
  const hour = String(hourOfDay).padStart(2, '0');
  if (by === 'week') return mondayOf(date, clock);
  return {
    ...{ day: date, month: date.slice(0, 7), doctor: doctorId, session: sessionId },
    ...{ hour, weekday_hour: `${weekday} ${hour}` },
  }[by];
};

/**
 * The seats that the schedules offer on these dates, by group: by today's schedules, for past dates too, without slots
 * that a leave or a holiday closes and those that the clock skips. Booked seats count as well.
 */
export const offeredSeats = (
  by: SeatGrouping,
  dates: readonly string[],
  schedules: readonly OfferedSchedule[],
  closures: readonly Closure[],
  clock: DayClock,
): Map<string, number> => {
  const seats = new Map<string, number>();
  const planned = schedules.map((schedule) => ({
    schedule,
    usual: usualSeats(schedule),
    closures: closures.filter(({ doctorId }) => doctorId === null || doctorId === schedule.doctorId),
  }));
  const byWeekday = Map.groupBy(planned, ({ schedule }) => schedule.weekday);
  for (const date of dates) {
    const isUsualDay = clock.startOf(clock.addDays(date, 1)) - clock.startOf(date) === dayMs;
    for (const { schedule, usual, closures: own } of byWeekday.get(clock.weekdayOf(date)) ?? []) {
      if (!isValidOn(schedule, date)) continue;
      const closing = own.filter(({ startDate, endDate }) => startDate <= date && date <= endDate);
      const open =
        isUsualDay && closing.length === 0
          ? usual
          : countSeats(
              slotsOfSchedule(schedule, date, clock)
                .filter((slot) => !closing.some((closure) => covers(closure, slot)))
                .map(({ minuteOfDay }) => minuteOfDay),
              schedule.capacity,
            );
      for (const [hour, count] of open) {
        const key = buildKey(by, schedule, date, hour, clock);
        seats.set(key, (seats.get(key) ?? 0) + count);
      }
    }
  }
  return seats;
};
