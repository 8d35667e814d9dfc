import { type Connection, openConnection } from './connection.ts';
import { DatabaseUnavailableError, isBusy } from './errors.ts';
import { leftoversOf } from './leftovers.ts';

/** The one connection, opened when it is needed and thrown away after every failure of the file. */
export type Session = {
  read: <T>(work: (connection: Connection) => T) => T;
  write: <T>(work: (connection: Connection) => T) => T;
  /** Lets go of a file that no longer lies at the path; what comes next opens the one that does. */
  leaveMovedFile: () => void;
  drop: () => void;
  counts: () => { busyCount: number; reconnectCount: number };
};

export type SessionOptions = {
  path: string;
  driverTimeoutMs: number;
  clock: () => number;
  onBusy?: (() => void) | undefined;
};

/** How old the knowledge may be, for a read, that the open file is the one at the path. */
const longestUnseenMs = 1000;

const isReadonlyError = (error: unknown): boolean =>
  error instanceof DatabaseUnavailableError && error.code === 'readonly';

/** Makes the session; nothing is opened before the first use. */
export const makeSession = ({ path, driverTimeoutMs, clock, onBusy }: SessionOptions): Session => {
  let connection: Connection | undefined;
  let openedOnce = false;
  let isReadOnly = false;
  let busyCount = 0;
  let reconnectCount = 0;
  let seenInPlaceAt = Number.NEGATIVE_INFINITY;
  const leftovers = leftoversOf(path);

  const drop = (): void => {
    connection?.discard();
    connection = undefined;
  };
  const leaveMovedFile = (): void => {
    seenInPlaceAt = clock();
    if (connection?.isSameFile() === false) drop();
  };
  const connect = (): Connection => {
    connection ??= openConnection(path, driverTimeoutMs, !openedOnce);
    openedOnce = true;
    return connection;
  };
  const use = <T>(work: (connection: Connection) => T): T => {
    try {
      return work(connect());
    } catch (error) {
      isReadOnly ||= isReadonlyError(error);
      // After a BUSY the driver may leave a statement open, and later writes are seen only by it and vanish.
      if (error instanceof DatabaseUnavailableError) {
        if (connection) reconnectCount++;
        drop();
      }
      if (isBusy(error)) {
        busyCount++;
        onBusy?.();
      }
      throw error;
    }
  };

  return {
    read: (work) => {
      // Its statements would be the next that hold the file. A write that is refused has made none.
      if (connection === undefined && leftovers.isUnderWay())
        throw new DatabaseUnavailableError('busy', 'connections are let go of');
      if (Math.abs(clock() - seenInPlaceAt) >= longestUnseenMs) leaveMovedFile();
      return use(work);
    },
    write: (work) => {
      // What is committed to a file that was deleted or replaced would be acknowledged and lost.
      // And what was opened for reading alone stays so, whatever the file allows by now.
      if (isReadOnly) drop();
      leaveMovedFile();
      const wasReadOnly = isReadOnly;
      try {
        const value = use(work);
        // Moved between that look and the commit: nobody may be told that it is written.
        if (connection?.isSameFile() === false) {
          drop();
          throw new DatabaseUnavailableError('cannot_open', `${path} was moved away during a write`);
        }
        if (wasReadOnly) leftovers.areGone();
        isReadOnly = false;
        return value;
      } catch (error) {
        // They are gone some turns of the event loop later: then it can succeed.
        if (wasReadOnly && isReadonlyError(error) && leftovers.letGo())
          throw new DatabaseUnavailableError('busy', 'the file may be written again', error);
        throw error;
      }
    },
    leaveMovedFile,
    drop,
    counts: () => ({ busyCount, reconnectCount }),
  };
};

const longestPauseMs = 100;

/** How long to wait before try `attempt` + 1: growing, and jittered so that two processes do not keep step. */
export const pauseMs = (attempt: number): number =>
  Math.min(longestPauseMs, 5 * 2 ** attempt) * (0.5 + Math.random() / 2);
