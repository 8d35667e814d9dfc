import { describe, expect, it } from 'vitest';
import { decideAgain, overtaken } from '../../src/core/db/decide-again.ts';
import { retry } from '../../src/core/db/retry.ts';

describe('a decision that others overtake', () => {
  it('is made again until it is written', async () => {
    let tries = 0;
    expect(await decideAgain(async () => (++tries < 5 ? overtaken : `after ${tries}`))).toBe('after 5');
  });

  it('is given up as unavailable after twelve times', async () => {
    let tries = 0;
    const never = decideAgain(async () => {
      tries += 1;
      return overtaken;
    });
    await expect(never).rejects.toMatchObject({ code: 'unavailable' });
    expect(tries).toBe(12);
  });
});

describe('work that fails', () => {
  const failing = (failures: readonly string[]) => {
    const left = [...failures];
    return async () => {
      const message = left.shift();
      if (message !== undefined) throw new Error(message);
      return 'done';
    };
  };
  const isWorthRetrying = (error: unknown) => (error as Error).message === 'passing';

  it('is done again after a pause that knows how often it was tried', async () => {
    const pauses: number[] = [];
    const pauseMs = (tried: number) => {
      pauses.push(tried);
      return 0;
    };
    const work = failing(['passing', 'passing']);
    expect(await retry(work, { maxTries: 3, isWorthRetrying, pauseMs })).toBe('done');
    expect(pauses).toEqual([0, 1]);
  });

  it('is given up after the last try, and at once for any other reason', async () => {
    const pauseMs = () => 0;
    const tooOften = retry(failing(['passing', 'passing']), { maxTries: 2, isWorthRetrying, pauseMs });
    await expect(tooOften).rejects.toThrow('passing');
    const odd = retry(failing(['odd']), { maxTries: 2, isWorthRetrying, pauseMs });
    await expect(odd).rejects.toThrow('odd');
  });
});
