interface RetryOptions {
  /** Without it, whether another try is worth it decides alone. */
  maxTries?: number;
  /** Whether the error is one after which another try can succeed, and is safe. */
  isWorthRetrying: (error: unknown) => boolean;
  /** How long to wait after the try of this number, the first being 0. */
  pauseMs: (tried: number) => number;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Does work again while it fails for a reason that may pass; throws the last error. */
export const retry = async <T>(
  work: () => Promise<T>,
  { maxTries = Number.POSITIVE_INFINITY, isWorthRetrying, pauseMs }: RetryOptions,
): Promise<T> => {
  for (let tried = 0; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (tried + 1 >= maxTries || !isWorthRetrying(error)) throw error;
    }
    await sleep(pauseMs(tried));
  }
};

/** A number of milliseconds between two bounds, at random, so that two processes do not keep step. */
export const jitter = (fromMs: number, toMs: number): number => fromMs + Math.random() * (toMs - fromMs);
