import { Unavailable } from '../../endpoint/errors.ts';
import { isTransient } from '../transient.ts';

interface RemoteWritesOptions {
  clock: () => number;
  /** How many writes may wait; any further write is refused at once. */
  maxQueued?: number;
  /** How long a write waits for earlier writes. */
  maxWaitMs?: number;
}

interface RemoteWrites {
  /** Sends a write after all earlier writes were answered. */
  add: <T>(work: () => Promise<T>) => Promise<T>;
  /** For how long no write has been answered although one was sent; 0 while writes are answered. */
  stalledForMs: () => number;
  /** How many writes wait or are in progress. */
  count: () => number;
}

/**
 * At most one write of this process is in progress at a time. The server allows only one writer anyway. If many wait
 * there, it refuses some as busy and, with its default settings, stops accepting writes at all.
 */
export const makeRemoteWrites = ({
  clock,
  maxQueued = 1_000,
  maxWaitMs = 15_000,
}: RemoteWritesOptions): RemoteWrites => {
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  let unansweredSince: number | undefined;

  const answered = (): void => {
    unansweredSince = count > 0 ? clock() : undefined;
  };
  const send = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const value = await work();
      count -= 1;
      answered();
      return value;
    } catch (error) {
      count -= 1;
      // A constraint error is an answer too: the server had the write lock when it sent it.
      if (!isTransient(error)) answered();
      throw error;
    }
  };

  return {
    add: <T>(work: () => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        if (count >= maxQueued) return reject(new Unavailable(`${maxQueued} writes are waiting already`));
        count += 1;
        unansweredSince ??= clock();
        let givenUp = false;
        const giveUp = () => {
          givenUp = true;
          count -= 1;
          reject(new Unavailable(`the write waited for ${maxWaitMs} ms for those before it`));
        };
        const timer = setTimeout(giveUp, maxWaitMs);
        last = last.then(async () => {
          clearTimeout(timer);
          if (!givenUp) await send(work).then(resolve, reject);
        });
      }),
    stalledForMs: () => (unansweredSince === undefined ? 0 : clock() - unansweredSince),
    count: () => count,
  };
};
