import { expect, it } from 'vitest';
import { brokenBounds } from '../../../bench/page-bounds.ts';

const page = 'screen';

it('a page that costs more than it may, or scores less than it must, is named with its bound', () => {
  const slow = { page, name: 'LCP offline, ms', measured: 1_501, max: 1_500 };
  const unclear = { page, name: 'accessibility', measured: 99, min: 100 };
  expect(brokenBounds([slow, unclear])).toEqual([
    'screen: LCP offline, ms 1501, at most 1500',
    'screen: accessibility 99, at least 100',
  ]);
});

it('a page that is at its bound is within it', () => {
  const atBound = { page, name: 'requests before first content', measured: 4, max: 4 };
  expect(brokenBounds([atBound, { page, name: 'accessibility', measured: 100, min: 100 }])).toEqual([]);
});

it('what could not be measured is within no bound', () => {
  const missing = { page, name: 'LCP offline, ms', measured: Number.NaN, max: 1_500 };
  expect(brokenBounds([missing])).toHaveLength(1);
});
