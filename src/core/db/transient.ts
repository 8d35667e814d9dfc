import { findCause, Unavailable } from '../endpoint/errors.ts';
import { jitter, retry } from './retry.ts';

/** The remote database did not answer or reported a temporary failure; whether it wrote is unknown. */
export class TransientDatabaseError extends Unavailable {
  override readonly name: string = 'TransientDatabaseError';
}

/** The database answered that it is busy: nothing was written, so any work may be sent again. */
export class BusyDatabaseError extends TransientDatabaseError {
  override readonly name = 'BusyDatabaseError';
}

const firstPauseMs = 40;

/** Whether the failure is temporary. */
export const isTransient = (error: unknown): boolean => findCause(error, TransientDatabaseError) !== null;

const pauseMs = (tried: number): number => {
  const longest = firstPauseMs * 4 ** tried;
  return jitter(longest / 2, longest);
};

/** Retries work up to three times on temporary failures. Only for work that may safely happen twice. */
export const persist = <T>(work: () => Promise<T>): Promise<T> =>
  retry(work, { maxTries: 3, isWorthRetrying: isTransient, pauseMs });

/** Repeats any work that the database refused because it was busy; nothing of it was written. */
export const untilNotBusy = <T>(work: () => Promise<T>): Promise<T> =>
  retry(work, {
    maxTries: 20,
    isWorthRetrying: (error) => findCause(error, BusyDatabaseError) !== null,
    pauseMs: () => jitter(5, 25),
  });

/** Whether an SQL text only reads, so that it may be sent again. */
export const readsOnly = (sql: string): boolean =>
  /^\s*(select|with)\b/i.test(sql) && !/\b(insert|update|delete|replace)\b/i.test(sql);
