import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFairShares } from '../../src/modules/clinics/fair-shares.ts';

const turns = async (): Promise<void> => {
  for (let at = 0; at < 20; at++) await Promise.resolve();
};

/** Jobs that end when they are ended, in the order in which they began. */
const opened = (bounds: Partial<Parameters<typeof createFairShares>[0]> = {}) => {
  const time = { now: 0 };
  const shares = createFairShares({
    atOnce: 4,
    besideOthers: 2,
    waitingOfOneClinic: 8,
    now: () => time.now,
    ...bounds,
  });
  const begun: { clinic: string; end: () => void }[] = [];
  const run = (clinic: string) =>
    shares.run(clinic, () => new Promise<void>((end) => begun.push({ clinic, end })));
  return { shares, run, begun, time, order: () => begun.map(({ clinic }) => clinic).join('') };
};

describe('shares of the service', () => {
  it('give all places to a clinic that is alone, and some to one beside others', async () => {
    const { run, order, time } = opened();
    for (let at = 0; at < 5; at++) void run('a');
    await turns();
    expect(order()).toBe('aaaa');
    const beside = opened();
    void beside.run('b');
    for (let at = 0; at < 5; at++) void beside.run('a');
    await turns();
    expect(beside.order()).toBe('baa');
    expect(time.now).toBe(0);
  });

  it('count what waits elsewhere for nobody, whosesoever it is, from when it does', async () => {
    const apart: Record<string, number> = { a: 2 };
    const { run, order } = opened({ atOnce: 2, elsewhere: (clinic) => apart[clinic] ?? 0 });
    for (const clinic of 'aab') void run(clinic);
    await turns();
    expect(order()).toBe('aab');
    const later = opened({ atOnce: 2, elsewhere: (clinic) => apart[clinic] ?? 0 });
    apart.a = 0;
    for (const clinic of 'aab') void later.run(clinic);
    await turns();
    expect(later.order()).toBe('aa');
    apart.a = 2;
    void later.run('c');
    await turns();
    expect([...later.order()].sort().join('')).toBe('aabc');
  });

  it('let clinics that wait begin in turn, however many of one wait', async () => {
    const { run, begun, order } = opened({ atOnce: 1 });
    for (const clinic of 'aaaaabbc') void run(clinic);
    for (let at = 0; at < 8; at++) {
      await turns();
      begun[at]?.end();
    }
    await turns();
    expect(order()).toBe('abcabaaa');
  });

  it('refuse what floods, and no other clinic', async () => {
    const { run, shares } = opened({ atOnce: 1 });
    for (let at = 0; at < 9; at++) void run('a');
    await expect(run('a')).rejects.toThrow('too many requests');
    void run('b');
    await turns();
    expect(shares.counts('b')).toEqual({ running: 0, waiting: 1 });
    expect(shares.stats()).toEqual({ running: 1, waiting: 9, refused: 1 });
  });

  it('never run more at once than there are places, and forget nothing that waits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'c', 'end'), { maxLength: 60 }), async (steps) => {
        const { run, begun, shares } = opened({ waitingOfOneClinic: 100 });
        let ended = 0;
        let asked = 0;
        for (const step of steps) {
          if (step === 'end') begun[ended]?.end();
          if (step === 'end' && ended < begun.length) ended += 1;
          if (step !== 'end') {
            asked += 1;
            void run(step);
          }
          await turns();
          expect(begun.length - ended).toBeLessThanOrEqual(4);
        }
        while (ended < begun.length) {
          begun[ended++]?.end();
          await turns();
        }
        expect(begun).toHaveLength(asked);
        expect(shares.stats()).toMatchObject({ running: 0, waiting: 0 });
      }),
      { numRuns: 50 },
    );
  });
});
