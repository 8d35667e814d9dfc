import { setPriority } from 'node:os';

/** How far hashing stands back: about a tenth of a core is left to it where everything else wants all of them. */
export const hashingPriority = 10;

/**
 * Lets the thread that asks give way to all others. On Linux a priority is a thread's own; elsewhere it is the whole
 * process's, which is left alone. Where it is refused, everything goes on as before.
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
