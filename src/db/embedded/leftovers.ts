import { accessSync, constants } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A full collection stops the event loop: not more often than this. */
const shortestPauseMs = 5000;
/** The collection, and then the driver, take some turns of the event loop, which are long where much is going on. */
const longestMs = 1000;

const mayBeWritten = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
};

// The inspector's collection leaves the driver's objects alone; this is the one that takes them.
const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
};

export interface Leftovers {
  /** Begins to let go of them; false if they cannot be the reason that a write was refused, or it was in vain. */
  letGo: () => boolean;
  /** Until a write succeeds, or it was in vain. */
  isUnderWay: () => boolean;
  areGone: () => void;
}

/**
 * Connections that were thrown away while the file could only be read. The driver keeps each open until its statements
 * are collected, and SQLite gives what one of a process may do with the index of the log to all that come after it.
 */
export const leftoversOf = (path: string): Leftovers => {
  let begunAtMs = Number.NEGATIVE_INFINITY;
  let endsAtMs = Number.NEGATIVE_INFINITY;
  const isUnderWay = () => performance.now() < endsAtMs;
  const collect = () => {
    collectGarbage();
    endsAtMs = performance.now() + longestMs;
  };
  return {
    isUnderWay,
    letGo: () => {
      if (isUnderWay()) return true;
      if (performance.now() - begunAtMs < shortestPauseMs) return false;
      if (!['', '-wal', '-shm'].every((end) => mayBeWritten(path + end))) return false;
      begunAtMs = performance.now();
      endsAtMs = Number.POSITIVE_INFINITY;
      setImmediate(collect);
      return true;
    },
    areGone: () => {
      endsAtMs = Number.NEGATIVE_INFINITY;
    },
  };
};
