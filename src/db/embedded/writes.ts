import { LibsqlError } from '@libsql/client/sqlite3';
import type { Connection } from './connection.ts';
import { DatabaseUnavailableError, isBusy } from './errors.ts';
import { pauseMs, type Session } from './session.ts';
import type { Outcome, Work } from './work.ts';

/** `group`: in a commit shared with other writes; `alone`: in a transaction of its own. */
export type WriteKind = 'group' | 'alone';

type Write = {
  work: Work;
  kind: WriteKind;
  deadline: number;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};

/** The whole group was rolled back because one of its writes failed. */
class GroupUndone extends Error {}

/** How writes of a group are isolated from each other: not at all at first, because few fail. */
type Apart = 'not' | 'savepoints' | 'commits';

const nextApart: Record<Apart, Apart> = { not: 'savepoints', savepoints: 'commits', commits: 'commits' };

const groupBudgetMs = 10;

const rollback = (connection: Connection): void => {
  if (connection.inTransaction()) connection.exec('ROLLBACK');
  connection.forget();
};

const attempt = (connection: Connection, work: Work, apart: Apart): Outcome => {
  if (apart === 'savepoints') connection.exec('SAVEPOINT operation');
  try {
    const value = work(connection);
    if (apart === 'savepoints') connection.exec('RELEASE operation');
    return { done: true, value };
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error;
    // OR ROLLBACK and RAISE(ROLLBACK) end the shared transaction of the other writes too.
    if (apart === 'not' || !connection.inTransaction()) {
      rollback(connection);
      throw new GroupUndone('rolled back', { cause: error });
    }
    if (apart === 'savepoints') {
      connection.exec('ROLLBACK TO operation');
      connection.exec('RELEASE operation');
    }
    return { done: false, error };
  }
};

const commit = (connection: Connection, group: readonly Write[], apart: Apart): Outcome[] => {
  connection.exec('BEGIN IMMEDIATE');
  const outcomes: Outcome[] = [];
  const startedAt = performance.now();
  for (const { work } of group) {
    outcomes.push(attempt(connection, work, apart));
    if (performance.now() - startedAt > groupBudgetMs) break;
  }
  if (!outcomes.some((outcome) => outcome.done)) {
    rollback(connection);
    return outcomes;
  }
  try {
    connection.exec('COMMIT');
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error;
    rollback(connection);
    throw new GroupUndone('not committed', { cause: error });
  }
  return outcomes;
};

export type WriteQueue = {
  add: <T>(kind: WriteKind, work: Work<T>) => Promise<T>;
  drain: () => Promise<void>;
  close: () => void;
  counts: () => { queuedWrites: number; commitCount: number };
  /** How long the first of those that wait has done so; 0 while it waits for the lock of another process. */
  waitedMs: () => number;
};

export type WriteQueueOptions = {
  deadlineMs: number;
  groupSize: number;
  maxQueued: number;
  gatherMs: number;
  holdForArrivals: () => boolean;
  /** Answers the waiting reads first, so that none of them waits for a commit; false if there were none. */
  readsFirst: () => boolean;
};

/** Runs work after all reactions to the promises that were just resolved. */
const afterAnswers = (work: () => void): void => queueMicrotask(() => process.nextTick(work));

/** Runs writes in order; writes that wait at the same moment share one commit. */
export const makeWriteQueue = (
  session: Session,
  { deadlineMs, groupSize, maxQueued, gatherMs, holdForArrivals, readsFirst }: WriteQueueOptions,
): WriteQueue => {
  const queue: Write[] = [];
  const idle: (() => void)[] = [];
  let pending: NodeJS.Timeout | NodeJS.Immediate | undefined;
  let attempts = 0;
  let apart: Apart = 'not';
  /** How many of the first waiting writes must run separately. */
  let keptApart = 0;
  /** How many writes shared the last commit: clients that were just answered tend to write again soon. */
  let lastGroupSize = 1;
  let gathering = false;
  let commitCount = 0;

  const reject = (count: number, error: unknown): void => {
    for (const write of queue.splice(0, count)) write.reject(error);
  };
  const takeGroup = (): Write[] => {
    const group = queue.slice(0, apart === 'commits' ? 1 : apart === 'savepoints' ? keptApart : groupSize);
    const alone = group.findIndex((write) => write.kind === 'alone');
    return alone === -1 ? group : group.slice(0, Math.max(alone, 1));
  };
  const run = (group: Write[]): Outcome[] =>
    session.write((connection) => {
      if (group[0]?.kind === 'alone') return [{ done: true, value: group[0].work(connection) }];
      const outcomes = commit(connection, group, group.length === 1 ? 'commits' : apart);
      if (outcomes.some((outcome) => outcome.done)) commitCount++;
      return outcomes;
    });

  const settle = (outcomes: Outcome[]): void => {
    attempts = 0;
    lastGroupSize = outcomes.length;
    keptApart = Math.max(0, keptApart - outcomes.length);
    if (keptApart === 0) apart = 'not';
    const writes = queue.splice(0, outcomes.length);
    outcomes.forEach((outcome, i) => {
      if (outcome.done) writes[i]?.resolve(outcome.value);
      else writes[i]?.reject(outcome.error);
    });
  };
  const waitForLock = (error: unknown): void => {
    const now = performance.now();
    const expired = queue.findIndex((write) => write.deadline > now);
    reject(expired === -1 ? queue.length : expired, error);
    if (queue.length > 0) pending = setTimeout(flush, pauseMs(attempts++));
  };
  const flushOnce = (): void => {
    const group = takeGroup();
    try {
      settle(run(group));
    } catch (error) {
      if (isBusy(error)) waitForLock(error);
      else if (!(error instanceof GroupUndone)) settle(group.map(() => ({ done: false, error })));
      else if (group.length === 1) settle([{ done: false, error: error.cause }]);
      else {
        apart = nextApart[apart];
        keptApart = group.length;
      }
    }
  };
  const flushWrites = (): void => {
    pending = undefined;
    if (queue.length > 0) flushOnce();
    if (queue.length > 0) pending ??= setImmediate(flush);
    else for (const resolve of idle.splice(0)) resolve();
  };
  const flush = (): void => {
    gathering = false;
    if (holdForArrivals()) pending = setImmediate(flush);
    else if (readsFirst()) afterAnswers(flushWrites);
    else flushWrites();
  };
  const schedule = (): void => {
    const isEnough = queue.length >= lastGroupSize;
    if (pending === undefined) {
      gathering = !isEnough;
      pending = isEnough ? setImmediate(flush) : setTimeout(flush, gatherMs);
    } else if (gathering && isEnough) {
      gathering = false;
      clearTimeout(pending as NodeJS.Timeout);
      pending = setImmediate(flush);
    }
  };

  return {
    add: <T>(kind: WriteKind, work: Work<T>) =>
      new Promise<T>((resolve, reject) => {
        if (queue.length >= maxQueued)
          return reject(new DatabaseUnavailableError('busy', `${maxQueued} writes are waiting already`));
        const deadline = performance.now() + deadlineMs;
        queue.push({ work, kind, deadline, resolve: resolve as (value: unknown) => void, reject });
        schedule();
      }),
    drain: async () => {
      if (queue.length > 0) await new Promise<void>((resolve) => idle.push(resolve));
    },
    close: () => {
      clearImmediate(pending as NodeJS.Immediate);
      clearTimeout(pending as NodeJS.Timeout);
      pending = undefined;
      while (queue.length > 0 && !pending) flushOnce();
      clearTimeout(pending);
      reject(queue.length, new LibsqlError('The client is closed', 'CLIENT_CLOSED'));
      for (const resolve of idle.splice(0)) resolve();
    },
    counts: () => ({ queuedWrites: queue.length, commitCount }),
    waitedMs: () => {
      const [first] = queue;
      return first === undefined || attempts > 0 ? 0 : performance.now() - (first.deadline - deadlineMs);
    },
  };
};
