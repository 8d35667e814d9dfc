import { setTimeout as sleep } from 'node:timers/promises';
import { retry } from '../retry.ts';
import type { Connection } from './connection.ts';
import { DatabaseUnavailableError, isBusy } from './errors.ts';
import { pauseMs, type Session } from './session.ts';
import { type Outcome, type Work, within } from './work.ts';

type Read = {
  work: Work;
  /** Several statements that must see the same state of the database. */
  several: boolean;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};

const groupBudgetMs = 10;

const attempt = (connection: Connection, work: Work): Outcome => {
  try {
    return { done: true, value: work(connection) };
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error;
    return { done: false, error };
  }
};

const attemptAll = (connection: Connection, group: readonly Read[]): Outcome[] => {
  const outcomes: Outcome[] = [];
  const startedAt = performance.now();
  for (const { work } of group) {
    outcomes.push(attempt(connection, work));
    if (performance.now() - startedAt > groupBudgetMs) break;
  }
  return outcomes;
};

type ReadQueueOptions = {
  deadlineMs: number;
  holdForArrivals: () => boolean;
  refuseClosed: () => void;
};

type ReadQueue = {
  add: <T>(work: Work<T>, several: boolean) => Promise<T>;
  /** Answers the reads that wait now; false if there were none. */
  flush: () => boolean;
  /** How long the first of them has waited. */
  waitedMs: () => number;
};

/**
 * Runs reads. Reads that wait at the same moment share one read transaction, because a transaction costs as much as
 * a read; they are answered one after another.
 */
export const makeReadQueue = (
  session: Session,
  { deadlineMs, holdForArrivals, refuseClosed }: ReadQueueOptions,
): ReadQueue => {
  let waiting: Read[] = [];
  let isScheduled = false;
  /** When the first of them came, or the first of those that were answered before. */
  let waitingSince = 0;

  const run = (group: readonly Read[]): Outcome[] =>
    session.read((connection) => {
      if (group.length === 1 && group[0]?.several === false) return attemptAll(connection, group);
      return within(connection, 'BEGIN', () => attemptAll(connection, group));
    });
  const settle = (group: readonly Read[], outcomes: readonly Outcome[]): void =>
    outcomes.forEach((outcome, at) => {
      if (outcome.done) group[at]?.resolve(outcome.value);
      else group[at]?.reject(outcome.error);
    });
  const tryAgain = async (read: Read): Promise<void> => {
    const attempt = async () => {
      refuseClosed();
      settle([read], run([read]));
    };
    const deadline = performance.now() + deadlineMs;
    const isWorthRetrying = (error: unknown) => isBusy(error) && performance.now() < deadline;
    await sleep(pauseMs(0));
    await retry(attempt, { isWorthRetrying, pauseMs: (tried) => pauseMs(tried + 1) }).catch(read.reject);
  };
  const failed = (group: readonly Read[], error: unknown): void => {
    // Perhaps only one of them caused the error: none has been answered yet, so each is tried separately.
    if (isBusy(error) || group.length > 1) for (const read of group) void tryAgain(read);
    else group[0]?.reject(error);
  };
  const flush = (): boolean => {
    if (waiting.length === 0) return false;
    const group = waiting;
    waiting = [];
    try {
      const outcomes = run(group);
      settle(group, outcomes);
      waiting = group.slice(outcomes.length);
      if (waiting.length > 0) schedule();
    } catch (error) {
      failed(group, error);
    }
    return true;
  };

  const schedule = (): void => {
    if (!isScheduled) setImmediate(flushUnlessHeld);
    isScheduled = true;
  };
  const flushUnlessHeld = (): void => {
    isScheduled = false;
    if (waiting.length > 0 && holdForArrivals()) schedule();
    else flush();
  };

  return {
    add: <T>(work: Work<T>, several: boolean) =>
      new Promise<T>((resolve, reject) => {
        schedule();
        if (waiting.length === 0) waitingSince = performance.now();
        waiting.push({ work, several, resolve: resolve as (value: unknown) => void, reject });
      }),
    flush,
    waitedMs: () => (waiting.length === 0 ? 0 : performance.now() - waitingSince),
  };
};
