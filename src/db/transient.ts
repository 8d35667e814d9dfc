import { Unavailable } from '../errors.ts';

/** The database behind the network did not answer, or said that it cannot now; whether it wrote is unknown. */
export class TransientDatabaseError extends Unavailable {
  override readonly name = 'TransientDatabaseError';
}

const mostTries = 3;
const firstPauseMs = 40;

const pause = (attempt: number) =>
  new Promise((resolve) => setTimeout(resolve, firstPauseMs * 4 ** attempt * (0.5 + Math.random() / 2)));

/** Does work up to three times while it fails for a moment's reason. Only for what may safely happen twice. */
export const persist = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt + 1 >= mostTries || !isTransient(error)) throw error;
    }
    await pause(attempt);
  }
};

const isTransient = (error: unknown): boolean => {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof TransientDatabaseError) return true;
  return false;
};

/** Whether a text only reads, so that it may be sent again. */
export const readsOnly = (sql: string): boolean =>
  /^\s*(select|with)\b/i.test(sql) && !/\b(insert|update|delete|replace)\b/i.test(sql);
