import { Unavailable } from '../../endpoint/errors.ts';

/** How hashing jobs are admitted: all at once (Workers) or a few at a time (Node). The limits count jobs. */
export interface Gate {
  run<T>(job: () => Promise<T>): Promise<T>;
  /** Lets a whole request in that will hash, or rejects it before it has cost anything. */
  admit<T>(request: () => Promise<T>): Promise<T>;
  stats(): GateStats;
}

export type GateStats = { running: number; waiting: number; refused: number };

/** All places and the queue are full: the client gets 503 with `Retry-After`. */
export class HashingQueueFullError extends Unavailable {
  override readonly name = 'HashingQueueFullError';
  /** A full queue drains in well under a second, and one second is the least that the header can say. */
  readonly retryAfterSeconds = 1;

  constructor() {
    super('Too many passwords are being hashed at once.');
  }
}

export interface Bounds {
  concurrency: number;
  queue: number;
  /** Waited for before a request is refused: clients that ask again at once would take the time of all others. */
  beforeRefusal?: () => Promise<unknown>;
}

/**
 * Lets `concurrency` jobs run at once and `queue` more wait, first come first served; rejects others at once.
 * For Node only: in a Worker one request may not wait for a promise of another.
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
