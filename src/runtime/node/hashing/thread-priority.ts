import { setPriority } from 'node:os';

/** The priority of hashing: under full load it still gets about a tenth of a core. */
export const hashingPriority = 10;

/**
 * Lowers the priority of the calling thread. Only on Linux does each thread have its own priority; elsewhere it would
 * change the whole process, so nothing is done. A refusal by the system is ignored.
 */
export const giveWay = (
  platform: string = process.platform,
  set: typeof setPriority = setPriority,
): boolean => {
  if (platform !== 'linux') return false;
  try {
    set(0, hashingPriority);
    return true;
  } catch {
    return false;
  }
};
