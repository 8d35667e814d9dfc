import type { ResultSet } from '@libsql/client';
import { LibsqlError } from '@libsql/client/sqlite3';
import { DatabaseUnavailableError, isBusy } from './errors.ts';
import { type Apart, commitGroup, GroupUndone, type GroupWrite, nextApart } from './group.ts';
import { pauseMs, type Session } from './session.ts';
import type { Outcome, Work } from './work.ts';
import type { Writer } from './writer.ts';

type Settled = { deadline: number; resolve: (value: unknown) => void; reject: (error: unknown) => void };
type What = ({ group: GroupWrite } | { alone: Work }) & { changesSchema: boolean };
type Write = Settled & What;

type WriteQueue = {
  /** Writes in a commit shared with other writes; gives a result for each statement. */
  add: (group: GroupWrite, changesSchema: boolean) => Promise<ResultSet[]>;
  /** Does work that makes its own transaction, or needs none. */
  addAlone: <T>(work: Work<T>, changesSchema: boolean) => Promise<T>;
  drain: () => Promise<void>;
  close: () => void;
  counts: () => { queuedWrites: number; commitCount: number };
  /** How long the first of those that wait has done so; 0 while it waits for the lock of another process. */
  waitedMs: () => number;
};

type WriteQueueOptions = {
  deadlineMs: number;
  groupSize: number;
  maxQueued: number;
  gatherMs: number;
  groupBudgetMs: number;
  holdForArrivals: () => boolean;
  /** Answers the waiting reads first, so that none of them waits for a commit; false if there were none. */
  readsFirst: () => boolean;
  /** Commits groups in another thread; without one they are committed here. */
  writer?: Writer | undefined;
};

/** Runs work after all reactions to the promises that were just resolved. */
const afterAnswers = (work: () => void): void => queueMicrotask(() => process.nextTick(work));

/** Runs writes in order; writes that wait at the same moment share one commit. */
export const makeWriteQueue = (session: Session, options: WriteQueueOptions): WriteQueue => {
  const { deadlineMs, groupSize, maxQueued, gatherMs, groupBudgetMs, holdForArrivals, readsFirst } = options;
  let { writer } = options;
  const queue: Write[] = [];
  const idle: (() => void)[] = [];
  let pending: NodeJS.Timeout | NodeJS.Immediate | undefined;
  let attempts = 0;
  let apart: Apart = 'not';
  /** How many of the first waiting writes must run separately. */
  let leftToSeparate = 0;
  /** How many writes shared the last commit: clients that were just answered tend to write again soon. */
  let lastGroupSize = 1;
  let gathering = false;
  let isUnderWay = false;
  let commitCount = 0;

  const reject = (count: number, error: unknown): void => {
    for (const write of queue.splice(0, count)) write.reject(error);
  };
  const takeGroup = (): Write[] => {
    const group = queue.slice(
      0,
      apart === 'commits' ? 1 : apart === 'savepoints' ? leftToSeparate : groupSize,
    );
    const alone = group.findIndex((write) => 'alone' in write);
    return alone === -1 ? group : group.slice(0, Math.max(alone, 1));
  };

  const settle = (outcomes: readonly Outcome[]): void => {
    attempts = 0;
    lastGroupSize = outcomes.length;
    leftToSeparate = Math.max(0, leftToSeparate - outcomes.length);
    if (leftToSeparate === 0) apart = 'not';
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
  const failed = (count: number, error: unknown): void => {
    if (isBusy(error)) waitForLock(error);
    else if (!(error instanceof GroupUndone)) settle(Array(count).fill({ done: false, error }));
    else if (count === 1) settle([{ done: false, error: error.cause }]);
    else {
      apart = nextApart[apart];
      leftToSeparate = count;
    }
  };
  const committed = (outcomes: readonly Outcome[]): void => {
    if (outcomes.some((outcome) => outcome.done)) commitCount++;
    settle(outcomes);
  };
  const goOn = (): void => {
    if (isUnderWay) return;
    if (queue.length > 0) pending ??= setImmediate(flush);
    else for (const resolve of idle.splice(0)) resolve();
  };
  const inThread = (to: Writer, group: readonly GroupWrite[], howApart: Apart): void => {
    const done =
      <T>(settled: (of: T) => void) =>
      (of: T) => {
        isUnderWay = false;
        settled(of);
        // The thread gets its next group before those of this one are answered; one that closes gets no other.
        if (writer !== undefined && pending === undefined) flushWrites();
        else goOn();
      };
    isUnderWay = true;
    to.commit(group, howApart, {
      committed: done(committed),
      failed: done((error: unknown) => failed(group.length, error)),
    });
  };
  const flushOnce = (): void => {
    const taken = takeGroup();
    const group = taken.flatMap((write) => ('group' in write ? [write.group] : []));
    const howApart = group.length === 1 ? 'commits' : apart;
    const [first] = taken;
    const changesSchema = taken.some((write) => write.changesSchema);
    // A connection notices another connection's schema change only when it next runs a statement, which is too late to
    // describe it.
    if (changesSchema) writer?.reopen();
    try {
      if (first !== undefined && 'alone' in first)
        settle([{ done: true, value: session.write(first.alone) }]);
      else if (writer?.isReady() === true && !changesSchema) inThread(writer, group, howApart);
      else {
        const began = performance.now();
        committed(session.write((connection) => commitGroup(connection, group, howApart, groupBudgetMs)));
        writer?.committedHere(performance.now() - began);
      }
    } catch (error) {
      failed(taken.length, error);
    }
  };
  const flushWrites = (): void => {
    pending = undefined;
    if (queue.length > 0) flushOnce();
    goOn();
  };
  const flush = (): void => {
    gathering = false;
    // A commit in the thread delays nothing here.
    if (writer?.isReady() === true) flushWrites();
    else if (holdForArrivals()) pending = setImmediate(flush);
    else if (readsFirst()) afterAnswers(flushWrites);
    else flushWrites();
  };
  const schedule = (): void => {
    if (isUnderWay) return;
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

  const enqueue = <T>(what: What): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (queue.length >= maxQueued)
        return reject(new DatabaseUnavailableError('busy', `${maxQueued} writes are waiting already`));
      queue.push({
        ...what,
        deadline: performance.now() + deadlineMs,
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      schedule();
    });

  return {
    add: (group, changesSchema) => enqueue({ group, changesSchema }),
    addAlone: (alone, changesSchema) => enqueue({ alone, changesSchema }),
    drain: async () => {
      if (queue.length > 0) await new Promise<void>((resolve) => idle.push(resolve));
    },
    close: () => {
      clearImmediate(pending as NodeJS.Immediate);
      clearTimeout(pending as NodeJS.Timeout);
      pending = undefined;
      const closing = writer;
      writer = undefined;
      closing?.close();
      clearImmediate(pending);
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
