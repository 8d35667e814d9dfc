import { accessSync, constants } from 'node:fs';
import { jitter } from '../retry.ts';
import { type Connection, openConnection, type Place } from './connection.ts';
import { DatabaseUnavailableError, isBusy } from './errors.ts';

/** A connection: opened on first use and replaced after every failure of the file. */
export type Session = {
  read: <T>(work: (connection: Connection) => T) => T;
  write: <T>(work: (connection: Connection) => T) => T;
  /** Closes a file that was moved away from the path; the next operation opens the file that is there now. */
  leaveMovedFile: () => void;
  drop: () => void;
  counts: () => { busyCount: number; reconnectCount: number };
};

type SessionOptions = Place & {
  clock: () => number;
  onBusy?: (() => void) | undefined;
  /** Whether the first opening may create the file; true unless given. */
  mayCreate?: boolean;
};

/** For a read, how long ago it may have been checked that the open file is the one at the path. */
const longestUnseenMs = 1000;

const mayWrite = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
};

/**
 * Makes the session; the file is opened at the first use.
 *
 * A read-only file is never reopened. The driver keeps each connection open until its statements are garbage-collected,
 * and while a read-only one is open, new connections of this process inherit its read-only WAL index. So the failed
 * connection continues to serve reads, and only reads, until the file is writable again.
 */
export const makeSession = ({ clock, onBusy, mayCreate = true, ...place }: SessionOptions): Session => {
  const { path } = place;
  let connection: Connection | undefined;
  let openedOnce = !mayCreate;
  let hasFailed = false;
  let busyCount = 0;
  let reconnectCount = 0;
  let seenInPlaceAt = Number.NEGATIVE_INFINITY;

  const drop = (): void => {
    connection?.discard();
    connection = undefined;
    hasFailed = false;
  };
  const leaveMovedFile = (): void => {
    seenInPlaceAt = clock();
    if (connection?.isSameFile() === false) drop();
  };
  const isWritable = (): boolean => ['', '-wal', '-shm'].every((end) => mayWrite(path + end));
  const refuseReadOnly = (): void => {
    if (!isWritable()) throw new DatabaseUnavailableError('readonly', `${path} may only be read`);
  };
  const connect = (): Connection => {
    if (connection !== undefined) return connection;
    if (openedOnce) refuseReadOnly();
    connection = openConnection(place, !openedOnce);
    openedOnce = true;
    return connection;
  };
  const use = <T>(work: (connection: Connection) => T): T => {
    try {
      return work(connect());
    } catch (error) {
      // After a BUSY the driver may leave a statement open: only this connection sees later writes, and they are lost.
      if (error instanceof DatabaseUnavailableError && connection !== undefined) {
        if (!hasFailed) reconnectCount++;
        hasFailed = true;
        connection.undo();
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
      if (hasFailed && isWritable()) drop();
      if (Math.abs(clock() - seenInPlaceAt) >= longestUnseenMs) leaveMovedFile();
      return use(work);
    },
    write: (work) => {
      if (hasFailed) {
        refuseReadOnly();
        drop();
      }
      // A commit to a deleted or replaced file would be acknowledged and then lost.
      leaveMovedFile();
      const value = use(work);
      // The file was moved between that check and the commit: do not report the write as done.
      if (connection?.isSameFile() === false) {
        drop();
        throw new DatabaseUnavailableError('cannot_open', `${path} was moved away during a write`);
      }
      return value;
    },
    leaveMovedFile,
    drop,
    counts: () => ({ busyCount, reconnectCount }),
  };
};

const longestPauseMs = 100;

/** How long to wait before try `attempt` + 1: growing, and jittered so that two processes do not keep step. */
export const pauseMs = (attempt: number): number => {
  const longest = Math.min(longestPauseMs, 5 * 2 ** attempt);
  return jitter(longest / 2, longest);
};
