import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs work and cleans up afterwards, also when a signal ends the process. */
export const thenClear = async <T>(clear: () => void, work: () => Promise<T>): Promise<T> => {
  const stop = () => process.exit(130);
  // On exit, so that what is nested is cleared as well, whichever of them hears the signal first.
  process.once('SIGINT', stop).once('SIGTERM', stop).once('exit', clear);
  try {
    return await work();
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop).off('exit', clear);
    clear();
  }
};

/** A folder of this user alone, for as long as the work takes. */
export const withFolder = <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-'));
  return thenClear(
    () => rmSync(folder, { recursive: true, force: true }),
    () => work(folder),
  );
};
