import { vi } from 'vitest';

/** Waits for what writes: a write that lets others share its commit waits by a timer, which is the test's as well. */
export const written = async (work: Promise<void>): Promise<void> => {
  let isWritten = false;
  const writing = work.finally(() => {
    isWritten = true;
  });
  for (let turns = 1; !isWritten; turns++) {
    await new Promise(setImmediate);
    if (turns % 1_000 === 0) vi.advanceTimersByTime(2);
  }
  return writing;
};

/** Lets the event loop turn until something holds; for the ticker less passes than until its next look by the clock. */
export const turnUntil = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  pass: (ms: number) => void,
): Promise<void> => {
  let passed = 0;
  for (let turns = 1; !(await holds()); turns++) {
    if (turns > 2_000_000) throw new Error(`It never came to this: ${what}`);
    await new Promise(setImmediate);
    if (turns % 1_000 !== 0 || passed >= 4_500) continue;
    pass(50);
    passed += 50;
  }
};
