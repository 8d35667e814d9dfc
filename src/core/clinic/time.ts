import { tzOffset } from '@date-fns/tz';
import { dayMs, minuteMs } from './durations.ts';

const maxRememberedDays = 4_000;

/** Turns the clinic's wall clock into instants and back. Dates are YYYY-MM-DD, instants milliseconds since 1970. */
export interface ClinicTime {
  readonly zone: string;
  /**
   * The instant at which a wall clock shows this minute of this date. A time that the clock skips gives null, of
   * one that it shows twice the first counts; 1440 is the next midnight.
   */
  instantOf(date: string, minuteOfDay: number): number | null;
  /** The first instant of a date. */
  startOf(date: string): number;
  dateOf(instant: number): string;
  /** The minute since local midnight that a wall clock shows. */
  minuteOf(instant: number): number;
  /** ISO weekday, 1 Monday … 7 Sunday. */
  weekdayOf(date: string): number;
  /** Never past 9999-12-31. */
  addDays(date: string, days: number): string;
}

/** Asking Intl for the first time reads its data of all languages: a start does without where the answer is known. */
const surelyKnown: ReadonlySet<string> = new Set([
  'Asia/Jakarta',
  'Asia/Pontianak',
  'Asia/Makassar',
  'Asia/Jayapura',
]);

/** Whether the runtime knows this IANA zone. */
export const isTimeZone = (zone: string): boolean => {
  if (surelyKnown.has(zone)) return true;
  try {
    return (
      /^[A-Za-z]/.test(zone) &&
      Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
    );
  } catch {
    return false;
  }
};

/** The last date that four digits can say. */
const lastDayMs = Date.UTC(9999, 11, 31);
const dateText = (utc: number): string => new Date(utc).toISOString().slice(0, 10);
const utcMidnight = (date: string): number => Date.parse(`${date}T00:00:00Z`);

const remember = <K, V>(cache: Map<K, V>, key: K, value: V): V => {
  if (cache.size >= maxRememberedDays) {
    const oldest = cache.keys().next();
    if (!oldest.done) cache.delete(oldest.value);
  }
  cache.set(key, value);
  return value;
};

interface Day {
  start: number;
  /** On a day without a clock change minutes are evenly spaced, and one offset serves them all. */
  regular: boolean;
}

/** Caches the last answer: a listing needs the same one for every slot. */
const cacheLast = <A extends readonly (string | number)[], R>(compute: (...given: A) => R) => {
  let last: { given: A; answer: R } | undefined;
  return (...given: A): R => {
    if (!last?.given.every((value, at) => value === given[at])) last = { given, answer: compute(...given) };
    return last.answer;
  };
};

export const createClinicTime = (zone: string): ClinicTime => {
  const days = new Map<string, Day>();
  const offsetMs = (instant: number): number => tzOffset(zone, new Date(instant)) * minuteMs;

  /** ECMA-262 Temporal's GetPossibleEpochNanoseconds: the offsets a day before and after name every candidate. */
  const findFirstInstant = (wall: number): number | null => {
    const candidates = [wall - offsetMs(wall - dayMs), wall - offsetMs(wall + dayMs)];
    const shown = candidates.filter((instant) => instant + offsetMs(instant) === wall);
    return shown.length === 0 ? null : Math.min(...shown);
  };

  /** Where midnight is skipped, the day begins when the clock jumps past it. */
  const firstInstantFrom = (wall: number): number => {
    for (let minutes = 0; minutes < 1_440; minutes++) {
      const instant = findFirstInstant(wall + minutes * minuteMs);
      if (instant !== null) return instant;
    }
    return wall - offsetMs(wall);
  };

  const findDay = (date: string): Day => {
    const known = days.get(date);
    if (known !== undefined) return known;
    const midnight = utcMidnight(date);
    const start = firstInstantFrom(midnight);
    const next = firstInstantFrom(midnight + dayMs);
    const regular = next - start === dayMs && start + offsetMs(start) === midnight;
    return remember(days, date, { start, regular });
  };

  return {
    zone,
    instantOf: (date, minuteOfDay) => {
      const day = findDay(date);
      return day.regular
        ? day.start + minuteOfDay * minuteMs
        : findFirstInstant(utcMidnight(date) + minuteOfDay * minuteMs);
    },
    startOf: (date) => findDay(date).start,
    dateOf: cacheLast((instant: number) => dateText(instant + offsetMs(instant))),
    minuteOf: (instant) => Math.floor(((instant + offsetMs(instant)) % dayMs) / minuteMs),
    weekdayOf: (date) => new Date(utcMidnight(date)).getUTCDay() || 7,
    addDays: cacheLast((date: string, count: number) =>
      dateText(Math.min(utcMidnight(date) + count * dayMs, lastDayMs)),
    ),
  };
};
