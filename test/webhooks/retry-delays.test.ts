import { describe, expect, it } from 'vitest';
import {
  attemptTimeoutMs,
  holdAfter,
  leaseMs,
  nextAttempt,
  patienceMs,
  pauseReason,
} from '../../src/modules/webhooks/delivery/rules.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The pause after the nth failed attempt, where nothing else bounds it. */
const pause = (attempts: number, random: number, requested = 0) =>
  (nextAttempt({ attempts, firstAttemptAt: 0 }, 1, random, requested) ?? 0) - 1;

describe('the pause before a failed delivery is tried again', () => {
  it('grows from 5 seconds to 6 hours, as documented for receivers, and stays there', () => {
    const grown = [5, 30, 120, 300, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 21_600, 21_600];
    expect(grown.map((_, at) => pause(at + 1, 0.5) / second)).toEqual(grown);
  });

  it('is spread by a tenth either way, and no further', () => {
    for (const [attempts, middle] of [
      [1, 5 * second],
      [5, 15 * minute],
      [10, 6 * hour],
    ] as const) {
      expect(pause(attempts, 0)).toBeCloseTo(0.9 * middle);
      expect(pause(attempts, 1)).toBeCloseTo(1.1 * middle);
      expect(pause(attempts, 0.25)).toBeCloseTo(0.95 * middle);
    }
  });

  it('is the one that the receiver requested for where that is longer, and is not spread then', () => {
    for (const random of [0, 1]) expect(pause(1, random, 20 * minute)).toBe(20 * minute);
    expect(pause(5, 0.5, minute)).toBe(15 * minute);
  });

  it('ends with the last attempt, a day after the first one, and none comes after that', () => {
    const tried = { attempts: 12, firstAttemptAt: 5_000 };
    const end = 5_000 + 24 * hour;
    expect(patienceMs).toBe(24 * hour);
    expect(nextAttempt(tried, end - 6 * hour, 0.5)).toBe(end);
    expect(nextAttempt(tried, end - 6 * hour - 1, 0.5)).toBe(end - 1);
    expect(nextAttempt(tried, end - 1, 0.5, 2 * hour)).toBe(end);
    expect(nextAttempt(tried, end, 0.5)).toBeNull();
  });
});

describe('an endpoint that keeps failing', () => {
  it('waits 5, 15 and 30 seconds, then longer, five minutes at most: by how long it has failed', () => {
    const since = 7;
    let now = since;
    const holds: number[] = [];
    for (let nth = 0; nth < 8; nth++) {
      const until = holdAfter(since, now);
      holds.push((until - now) / second);
      now = until;
    }
    expect(holds).toEqual([5, 15, 30, 60, 120, 300, 300, 300]);
  });

  it('waits as long for one failure as for a thousand within four seconds', () => {
    for (let ms = 0; ms <= 4_000; ms += 4) expect(holdAfter(0, ms)).toBe(ms + 5 * second);
  });

  it('counts as dead a day after its first failure, to the millisecond, and at once when it is gone', () => {
    for (const outcome of [{ status: 500 }, { failure: 'timeout' }] as const) {
      expect(pauseReason(outcome, 3, 3 + 24 * hour - 1)).toBeNull();
      expect(pauseReason(outcome, 3, 3 + 24 * hour)).toBe('failing');
    }
    expect(pauseReason({ status: 410 }, 3, 3)).toBe('gone');
  });
});

it('an attempt ends after 10 seconds, long before another process may take it over', () => {
  expect(attemptTimeoutMs).toBe(10 * second);
  expect(leaseMs).toBeGreaterThanOrEqual(5 * attemptTimeoutMs);
});
