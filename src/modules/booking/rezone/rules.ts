// Pure: what happens to bookings when the clinic changes its time zone. Local times stay, instants move.

import { parseLocalTime } from '../../../core/clinic/local-time.ts';
import type { WallClock } from '../../catalog/slots/rules.ts';

/** The bookings that share a local date, a local time and an instant. */
export interface Group {
  date: string;
  time: string;
  startsAt: number;
  bookings: number;
  /** Bookings that hold a seat: not canceled. */
  live: number;
  /** Live bookings that are not over. */
  coming: number;
}

export interface Move extends Group {
  newStart: number;
}

const lastMinute = 1_440;

/** The instant of a local time; of one that the clock skips, the instant at which it jumps. */
const instantFrom = (clock: WallClock, date: string, minute: number): number => {
  for (let at = minute; at <= lastMinute; at++) {
    const instant = clock.instantOf(date, at);
    if (instant !== null) return instant;
  }
  throw new Error(`${date} has no midnight after it in this zone.`);
};

const inLocalOrder = (a: Group, b: Group): number =>
  a.date < b.date || (a.date === b.date && a.time < b.time) ? -1 : 1;

const toMove = (group: Group, clock: WallClock): Move => ({
  ...group,
  newStart: instantFrom(clock, group.date, parseLocalTime(group.time) ?? 0),
});

/**
 * The moves that are left, in an order in which no booking takes an instant that a later move still has to free:
 * first those to an earlier instant, in the order of time, then those to a later instant, in reverse. Local times have
 * the same order as their instants in every zone.
 */
export const movesTo = (groups: readonly Group[], clock: WallClock): Move[] => {
  const moves = groups.map((group) => toMove(group, clock)).sort(inLocalOrder);
  const earlier = moves.filter(({ startsAt, newStart }) => newStart < startsAt);
  const later = moves.filter(({ startsAt, newStart }) => newStart > startsAt);
  return [...earlier, ...later.reverse()];
};

/** Groups with live bookings at a local time that the zone's clock skips. */
export const skippedBy = (groups: readonly Group[], clock: WallClock): Group[] =>
  groups.filter(
    ({ date, time, live }) => live > 0 && clock.instantOf(date, parseLocalTime(time) ?? 0) === null,
  );

interface DateRange {
  from: string;
  to: string;
}

/**
 * Dates on which bookings may overlap in the zone that did not overlap before: two of them come closer only where the
 * later one moves farther back in time than the earlier one.
 */
export const narrowedDates = (groups: readonly Group[], clock: WallClock): DateRange[] => {
  const moves = groups.map((group) => toMove(group, clock)).sort(inLocalOrder);
  return moves.flatMap((later, at) => {
    const earlier = moves[at - 1];
    if (earlier === undefined || later.newStart - later.startsAt >= earlier.newStart - earlier.startsAt)
      return [];
    const isFar = clock.addDays(earlier.date, 3) < later.date;
    return isFar ? [] : [{ from: clock.addDays(earlier.date, -1), to: clock.addDays(later.date, 1) }];
  });
};

export interface Placed {
  id: string;
  bookingCode: string;
  doctorId: string;
  patientId: string;
  scheduleDate: string;
  scheduleTime: string;
  startsAt: number;
  endsAt: number;
}

const listOverlaps = (rows: readonly Placed[], sharesStart: boolean): [Placed, Placed][] => {
  const sorted = [...rows].sort((a, b) => a.startsAt - b.startsAt);
  return sorted.flatMap((earlier, at) =>
    sorted
      .slice(at + 1)
      .filter(({ startsAt }) => startsAt < earlier.endsAt && !(sharesStart && startsAt === earlier.startsAt))
      .map((later): [Placed, Placed] => [earlier, later]),
  );
};

/** Pairs of live bookings of one doctor, or of one patient, that would overlap in the zone. */
export const overlapsIn = (rows: readonly Placed[], clock: WallClock): [Placed, Placed][] => {
  const placed = rows.map((row) => {
    const startsAt = instantFrom(clock, row.scheduleDate, parseLocalTime(row.scheduleTime) ?? 0);
    return { ...row, startsAt, endsAt: startsAt + row.endsAt - row.startsAt };
  });
  const doctors = Map.groupBy(placed, ({ doctorId }) => doctorId);
  const patients = Map.groupBy(placed, ({ patientId }) => patientId);
  const pairs = [
    ...[...doctors.values()].flatMap((own) => listOverlaps(own, true)),
    ...[...patients.values()].flatMap((own) => listOverlaps(own, false)),
  ];
  return [...new Map(pairs.map((pair) => [pair.map(({ id }) => id).join(), pair])).values()];
};
