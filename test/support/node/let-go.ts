import { setImmediate } from 'node:timers/promises';
import { collectGarbage } from '../../../src/core/db/embedded/garbage.ts';

/**
 * Has the driver let go of the files that this process closed: it does when their statements are collected, in the immediate that
 * follows. A command that wants a file for itself would find it in use otherwise.
 */
export const letGoOfClosed = async (): Promise<void> => {
  collectGarbage();
  await setImmediate();
};
