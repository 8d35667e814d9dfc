import { Temporal } from 'temporal-polyfill';

const maxRememberedDays = 4_000;
const minuteMs = 60_000;
const minutesADay = 1_440;

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
  /** ISO weekday, 1 Monday … 7 Sunday. */
  weekdayOf(date: string): number;
  addDays(date: string, days: number): string;
}

/** Whether the runtime knows this IANA zone. */
export const isTimeZone = (zone: string): boolean => {
  try {
    Temporal.Now.zonedDateTimeISO(zone);
    return /^[A-Za-z]/.test(zone);
  } catch {
    return false;
  }
};

/** Drops the oldest entry once a cache is full. */
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
  /** On a day without a clock change minutes are evenly spaced, and arithmetic replaces the zone's tables. */
  regular: boolean;
  weekday: number;
}

export const createClinicTime = (zone: string): ClinicTime => {
  const days = new Map<string, Day>();

  const dayOf = (date: string): Day => {
    const known = days.get(date);
    if (known !== undefined) return known;
    const plain = Temporal.PlainDate.from(date);
    const midnight = plain.toZonedDateTime(zone);
    const next = plain.add({ days: 1 }).toZonedDateTime(zone);
    const length = next.epochMilliseconds - midnight.epochMilliseconds;
    const regular = length === minutesADay * minuteMs && midnight.hour === 0 && midnight.minute === 0;
    return remember(days, date, { start: midnight.epochMilliseconds, regular, weekday: plain.dayOfWeek });
  };

  const irregularInstant = (date: string, minuteOfDay: number): number | null => {
    const wall = Temporal.PlainDateTime.from(date).add({ minutes: minuteOfDay });
    const first = wall.toZonedDateTime(zone, { disambiguation: 'earlier' });
    const shown = first.toPlainDateTime().equals(wall);
    return shown ? first.epochMilliseconds : null;
  };

  const zoned = (instant: number) => Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);

  return {
    zone,
    instantOf: (date, minuteOfDay) => {
      const day = dayOf(date);
      return day.regular ? day.start + minuteOfDay * minuteMs : irregularInstant(date, minuteOfDay);
    },
    startOf: (date) => dayOf(date).start,
    dateOf: (instant) => zoned(instant).toPlainDate().toString(),
    weekdayOf: (date) => dayOf(date).weekday,
    addDays: (date, count) => Temporal.PlainDate.from(date).add({ days: count }).toString(),
  };
};
