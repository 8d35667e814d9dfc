import type { Deps } from '../../../core/deps.ts';
import { errorName, type Logger } from '../../../core/log.ts';
import { withinLimit } from '../../../core/time-limit.ts';

/** How long a stop waits for background work after answers: none is lost, since the next start finds it again. */
const maxMsInBackground = 5_000;

interface Background {
  /** Lets work continue after the answer, and logs failed work by its name. */
  add: Deps['background'];
  /** Resolves when all of it has ended, and after the limit in any case. */
  settled: () => Promise<void>;
}

export const trackBackground = (log: Logger): Background => {
  const running = new Set<Promise<unknown>>();
  return {
    add: (work) => {
      const tracked = work.catch((error: unknown) => log.error('background', { cause: errorName(error) }));
      running.add(tracked);
      void tracked.finally(() => running.delete(tracked));
    },
    settled: async () => void (await withinLimit(maxMsInBackground, Promise.allSettled(running))),
  };
};
