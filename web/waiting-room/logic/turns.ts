import { oldest } from './announcer.ts';
import type { Clock } from './clock.ts';
import type { Call } from './queue.ts';

/** A call without a voice is shown at least this long before the next one. */
export const shortestMs = 6_000;
/** The pause between two announcements. */
const pauseMs = 800;
/** The next call is not delayed longer than this, also if the sound never ends. */
export const longestMs = 40_000;

interface Parts {
  clock: Clock;
  /** The service's clock. */
  time: () => number;
  /** Speaks it, and settles at the end. */
  say: (call: Call) => Promise<void>;
  /** Called with the call that is being spoken; null: none. */
  show: (call: Call | null) => void;
}

/** Announcements wait for each other: never two at once, in the order in which they were called. */
export const createTurns = ({ clock, time, say, show }: Parts) => {
  let line: Call[] = [];
  let isBusy = false;

  const next = (): void => {
    // A call that had to wait until it was old is shown in its row, and no longer said.
    line = line.filter(({ calledAt }) => time() - calledAt <= oldest);
    const call = line.shift();
    isBusy = call !== undefined;
    show(call ?? null);
    if (call === undefined) return;
    let open = 2;
    let isOver = false;
    const finish = (): void => {
      if (isOver) return;
      isOver = true;
      stop();
      clock.after(pauseMs, next);
    };
    const part = (): void => {
      open -= 1;
      if (open === 0) finish();
    };
    const stop = clock.after(longestMs, finish);
    clock.after(shortestMs, part);
    say(call).then(part, part);
  };

  return {
    add: (calls: readonly Call[]): void => {
      line.push(...calls);
      if (!isBusy && line.length > 0) next();
    },
    isBusy: (): boolean => isBusy,
  };
};
