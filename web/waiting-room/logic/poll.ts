import type { Clock } from './clock.ts';
import { answerWithin, everyMs, jittered, retryAfter } from './loss.ts';

interface Parts {
  clock: Clock;
  random: () => number;
  /** Sends one request; fails if no answer comes. The given signal cancels it. */
  ask: (signal: AbortSignal) => Promise<void>;
}

/** Polls: every three seconds, after a failure by the retry schedule, and at once on demand. */
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
