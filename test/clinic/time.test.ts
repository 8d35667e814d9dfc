import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClinicTime } from '../../src/core/clinic/time.ts';
import { runs, zones } from '../support/zones.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** The wall clock as Intl shows it, the other library to compare with. */
const shownBy = (zone: string) => {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (instant: number): string => {
    const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}`;
  };
};

const text = (date: string, minute: number) =>
  `${date} ${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** Every instant of the three days around a date at which the clock shows this minute: by search, minute by minute. */
const instantsShowing = (shown: (instant: number) => string, date: string, minute: number): number[] => {
  const wall = Date.parse(`${date}T00:00:00Z`) + minute * minuteMs;
  const found: number[] = [];
  // Offsets lie within 14 hours of UTC, on multiples of 15 minutes in all of these zones today.
  for (let offset = -14 * 60; offset <= 14 * 60; offset += 15)
    if (shown(wall + offset * minuteMs) === text(date, minute)) found.push(wall + offset * minuteMs);
  return found;
};

const dates = fc
  .integer({ min: Date.parse('2024-01-01') / dayMs, max: Date.parse('2028-12-31') / dayMs })
  .map((day) => new Date(day * dayMs).toISOString().slice(0, 10));
const minutes = fc.integer({ min: 0, max: 1_439 });

/** Some dates of a zone's year on which the clock changes: random dates seldom include them. */
const changesOf = (zone: string): string[] => {
  const shown = shownBy(zone);
  const found = new Set<string>();
  for (let day = Date.parse('2026-01-01'); day < Date.parse('2028-01-01'); day += dayMs)
    if (shown(day).slice(11) !== shown(day + dayMs).slice(11))
      for (const near of [day - dayMs, day, day + dayMs])
        found.add(new Date(near).toISOString().slice(0, 10));
  return [...found];
};

describe.each(zones)('the clock of %s', (zone) => {
  const time = createClinicTime(zone);
  const shown = shownBy(zone);
  const changes = changesOf(zone);
  const anyDate = changes.length === 0 ? dates : fc.oneof(dates, fc.constantFrom(...changes));

  it('gives the first instant that shows a minute, and none where it is skipped', () => {
    fc.assert(
      fc.property(anyDate, minutes, (date, minute) => {
        expect(time.instantOf(date, minute)).toBe(instantsShowing(shown, date, minute)[0] ?? null);
      }),
      { numRuns: runs(80) },
    );
  });

  it('agrees at every quarter of the days on which it changes', () => {
    for (const date of changes.slice(0, 9))
      for (let minute = 0; minute < 1_440; minute += 15)
        expect([date, minute, time.instantOf(date, minute)]).toEqual([
          date,
          minute,
          instantsShowing(shown, date, minute)[0] ?? null,
        ]);
  });

  it('begins a day at the first instant that shows its date', () => {
    fc.assert(
      fc.property(anyDate, (date) => {
        const start = time.startOf(date);
        expect(shown(start).slice(0, 10)).toBe(date);
        expect(shown(start - minuteMs).slice(0, 10) < date).toBe(true);
        expect(time.dateOf(start)).toBe(date);
        expect(time.dateOf(start - 1) < date).toBe(true);
      }),
      { numRuns: runs(60) },
    );
  });

  it('says the date and the time of an instant as Intl does, and counts days by the calendar', () => {
    const instants = fc.integer({ min: Date.parse('2024-01-01'), max: Date.parse('2028-12-31') });
    fc.assert(
      fc.property(instants, anyDate, fc.integer({ min: -400, max: 400 }), (instant, date, days) => {
        expect(text(time.dateOf(instant), time.minuteOf(instant))).toBe(shown(instant));
        const later = time.addDays(date, days);
        expect(Date.parse(later) - Date.parse(date)).toBe(days * dayMs);
        expect(time.weekdayOf(later)).toBe(((((time.weekdayOf(date) - 1 + days) % 7) + 7) % 7) + 1);
      }),
      { numRuns: runs(60) },
    );
  });
});

describe('midnight', () => {
  it('at the end of a day is the start of the next, also where it is skipped or comes twice', () => {
    for (const zone of zones) {
      const time = createClinicTime(zone);
      for (const date of changesOf(zone)) {
        const end = time.instantOf(date, 1_440);
        if (end !== null)
          expect([zone, date, end]).toEqual([zone, date, time.startOf(time.addDays(date, 1))]);
      }
    }
  });

  it('that the clock skips is no time, and the day begins after it', () => {
    const cairo = createClinicTime('Africa/Cairo');
    // Last Friday of April: 00:00 becomes 01:00.
    expect(cairo.instantOf('2026-04-24', 0)).toBeNull();
    expect(cairo.instantOf('2026-04-24', 59)).toBeNull();
    expect(new Date(cairo.startOf('2026-04-24')).toISOString()).toBe('2026-04-23T22:00:00.000Z');
    expect(cairo.instantOf('2026-04-24', 60)).toBe(cairo.startOf('2026-04-24'));
  });
});
