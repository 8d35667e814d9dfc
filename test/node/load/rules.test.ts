import { describe, expect, it } from 'vitest';
import { calm, judge, type Load, type Look } from '../../../src/runtime/node/load/rules.ts';

const targetMs = 25;
const everyMs = 5;

/** Looks again and again for so long; `arrivals` come between two looks. */
const watched = (
  load: Load,
  ms: number,
  { arrivals = 20, from = 0, ...look }: Partial<Look> & { arrivals?: number; from?: number },
): Load => {
  let judged = load;
  for (let at = 0; at * everyMs <= ms; at++)
    judged = judge(
      judged,
      {
        now: from + at * everyMs,
        delayMs: 0,
        inFlight: 200,
        arrived: at * arrivals,
        hasRefused: false,
        ...look,
      },
      targetMs,
    );
  return judged;
};

const overloaded = watched(calm, 400, { delayMs: 100 });

describe('too much', () => {
  it('is what keeps coming while work waits too long', () => {
    expect(overloaded.limit).not.toBeNull();
  });

  it('is no work that waits for less than the target, however much comes', () => {
    expect(watched(calm, 60_000, { delayMs: targetMs - 1, arrivals: 1000 }).limit).toBeNull();
  });

  it('is no single late turn, as a garbage collection makes it', () => {
    const late = watched(calm, 0, { delayMs: 80 });
    expect(late.delayMs).toBeLessThan(targetMs);
    expect(watched(late, 60_000, { delayMs: 5 }).limit).toBeNull();
  });

  it('is no crowd of 500 at once, however long its last one waits', () => {
    const came = watched(calm, 250, { delayMs: 3000, arrivals: 10 });
    expect(watched(came, 60_000, { delayMs: 3000, from: 255, arrived: 500 }).limit).toBeNull();
    expect(watched(came, 60_000, { delayMs: 3000, from: 255, arrived: 1000 }).limit).not.toBeNull();
  });

  it('is no handful, however slow the machine is', () => {
    expect(watched(calm, 60_000, { delayMs: 300, inFlight: 64 }).limit).toBeNull();
  });

  it('is no queue that empties within a tenth of a second', () => {
    const full = watched(calm, 90, { delayMs: 100, arrivals: 500 });
    expect(full.limit).toBeNull();
    const emptied = watched(full, 100, { delayMs: 0, from: 95 });
    expect([emptied.limit, emptied.standing]).toEqual([null, null]);
  });
});

describe('how many may be under way', () => {
  it('begins where the wait would be the target', () => {
    const first = watched(calm, 5_000, { delayMs: 100, inFlight: 800, arrivals: 0 });
    const tooMuch = judge(
      first,
      { now: 5_005, delayMs: 100, inFlight: 800, arrived: 600, hasRefused: false },
      targetMs,
    );
    expect(tooMuch.limit).toBeCloseTo(800 / 4);
  });

  it('falls while work waits too long, and never below what shares a commit', () => {
    const [soon, later] = [200, 60_000].map(
      (ms) => watched(overloaded, ms, { delayMs: 100, from: 500 }).limit,
    );
    expect(soon).toBeLessThanOrEqual(overloaded.limit ?? 0);
    expect(later).toBe(64);
  });

  it('rises while requests are refused and nothing waits', () => {
    const rested = watched(overloaded, 200, { from: 500 });
    const risen = watched(rested, 1000, { from: 800, hasRefused: true });
    expect(risen.limit).toBeGreaterThan((rested.limit ?? 0) * 2);
  });

  it('is unlimited again once nothing was refused for ten seconds', () => {
    expect(watched(overloaded, 9_000, { from: 500 }).limit).not.toBeNull();
    expect(watched(overloaded, 11_000, { from: 500 })).toMatchObject({ limit: null, standing: null });
  });

  it('stays limited while requests are refused, or work waits too long', () => {
    expect(watched(overloaded, 60_000, { from: 500, hasRefused: true }).limit).not.toBeNull();
    expect(watched(overloaded, 60_000, { from: 500, delayMs: 100 }).limit).not.toBeNull();
  });
});
