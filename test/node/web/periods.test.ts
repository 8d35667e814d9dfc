import { describe, expect, it } from 'vitest';
import { monthsUntil, rangeBefore, rangeOfMonth } from '../../../web/console/statistics/periods.ts';

describe('the range before', () => {
  it.each([
    ['day', '2026-11-22', '2026-11-28', '2026-11-15', '2026-11-21'],
    ['doctor', '2026-11-28', '2026-11-28', '2026-11-27', '2026-11-27'],
    // Whole weeks earlier, so that weeks in part are beside weeks of the same part.
    ['week', '2026-11-04', '2026-11-13', '2026-10-21', '2026-10-30'],
    ['month', '2026-11-01', '2026-11-30', '2026-10-01', '2026-10-31'],
    ['month', '2026-02-01', '2026-03-31', '2025-12-01', '2026-01-31'],
    ['month', '2026-03-05', '2026-03-30', '2026-02-05', '2026-02-28'],
  ])('by %s of %s to %s is as long, and in the same weeks or months', (by, from, to, earlier, until) => {
    expect(rangeBefore(by, { from, to })).toEqual({ from: earlier, to: until });
  });
});

it('a month ends on its last day, in a leap year too', () => {
  expect(rangeOfMonth('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
  expect(rangeOfMonth('2026-12')).toEqual({ from: '2026-12-01', to: '2026-12-31' });
});

it('the months up to a date are in a row, over the turn of a year', () => {
  expect(monthsUntil('2026-02-14', 4)).toEqual(['2026-02-01', '2026-01-01', '2025-12-01', '2025-11-01']);
});
