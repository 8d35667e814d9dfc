interface RetryOptions {
  /** Without a limit, `isWorthRetrying` alone decides. */
  maxTries?: number;
  /** Whether another try after this error is safe and can succeed. */
  isWorthRetrying: (error: unknown) => boolean;
  /** How long to wait after try number `tried`, counted from 0. */
  pauseMs: (tried: number) => number;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Repeats work while it fails for a temporary reason; throws the last error. */
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

/** A random number of milliseconds between two bounds, so that two processes do not retry in step. */
export const jitter = (fromMs: number, toMs: number): number => fromMs + Math.random() * (toMs - fromMs);
