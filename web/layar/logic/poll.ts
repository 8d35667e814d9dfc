import type { Clock } from './clock.ts';
import { answerWithin, everyMs, jittered, retryAfter } from './loss.ts';

interface Parts {
  clock: Clock;
  random: () => number;
  /** Asks once; fails where no answer came. What it was given tells it to give up. */
  ask: (signal: AbortSignal) => Promise<void>;
}

/** Asks again and again: every three seconds, after a failure by the schedule of retries, and at once when told to. */
export const createPoll = ({ clock, random, ask }: Parts) => {
  let failures = 0;
  let isAsking = false;
  let cancel = (): void => {};

  const later = (ms: number): void => {
    cancel();
    cancel = clock.after(jittered(ms, random()), () => void look());
  };

  const look = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    cancel();
    const giveUp = new AbortController();
    const stop = clock.after(answerWithin, () => giveUp.abort());
    try {
      await ask(giveUp.signal);
      failures = 0;
    } catch {
      failures += 1;
    }
    stop();
    isAsking = false;
    later(failures === 0 ? everyMs : retryAfter(failures));
  };

  return { look };
};
