import type { GateStats } from '../../../core/deps.ts';
import { Unavailable } from '../../../core/endpoint/errors.ts';

/** Limits hashing jobs: no limit on Workers, a few at a time on Node. */
export interface Gate {
  run<T>(job: () => Promise<T>): Promise<T>;
  /** Runs a whole request that will hash, or rejects it before it does any work. */
  admit<T>(request: () => Promise<T>): Promise<T>;
  stats(): GateStats;
}

/** All places and the queue are full: the client gets 503 with `Retry-After`. */
export class HashingQueueFullError extends Unavailable {
  override readonly name = 'HashingQueueFullError';
  /** A full queue empties in well under a second; one second is the smallest value of the header. */
  readonly retryAfterSeconds = 1;

  constructor() {
    super('Too many passwords are being hashed at once.');
  }
}

interface Bounds {
  concurrency: number;
  queue: number;
  /** Delays a refusal, so that clients which retry at once do not slow down all others. */
  beforeRefusal?: () => Promise<unknown>;
}

/**
 * Runs `concurrency` jobs at once, lets `queue` more wait in order of arrival, and rejects all others at once.
 * For Node only: in a Worker, a request must not wait for a promise of another request.
 */
export function boundedBy({ concurrency, queue, beforeRefusal }: Bounds): Gate {
  const waiting: (() => void)[] = [];
  let running = 0;
  let admitted = 0;
  let refused = 0;

  async function takePlace(): Promise<void> {
    if (running < concurrency) {
      running += 1;
      return;
    }
    if (waiting.length >= queue) {
      refused += 1;
      throw new HashingQueueFullError();
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  // The place is handed directly to the next job in the queue: if it were freed first, a new job could also take it.
  function leavePlace(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  return {
    async run(job) {
      await takePlace();
      try {
        return await job();
      } finally {
        leavePlace();
      }
    },
    async admit(request) {
      if (admitted >= concurrency + queue) {
        refused += 1;
        await beforeRefusal?.();
        throw new HashingQueueFullError();
      }
      admitted += 1;
      try {
        return await request();
      } finally {
        admitted -= 1;
      }
    },
    stats: () => ({ running, waiting: waiting.length, refused }),
  };
}
