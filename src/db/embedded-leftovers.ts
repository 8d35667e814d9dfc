import { accessSync, constants } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const shortestPauseMs = 1000;
/** The collection, and then the driver, take some turns of the event loop. */
const settlingMs = 100;

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

/**
 * Lets go of connections that were thrown away while the file could only be read; false if they cannot be the reason.
 * The driver keeps each open until its statements are collected, and SQLite gives what one of a process may do with
 * the index of the log to all that come after it. It stops the event loop for a full collection, once a second at most.
 */
export const makeLeftoversRelease = (path: string): (() => boolean) => {
  let releasedAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    const agoMs = performance.now() - releasedAtMs;
    if (agoMs < shortestPauseMs) return agoMs < settlingMs;
    if (!['', '-wal', '-shm'].every((end) => mayBeWritten(path + end))) return false;
    setImmediate(collectGarbage);
    releasedAtMs = performance.now();
    return true;
  };
};
