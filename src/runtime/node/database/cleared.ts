import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs work and cleans up afterwards, even if a signal ends the process. */
export const thenClear = async <T>(clear: () => void, work: () => Promise<T>): Promise<T> => {
  const stop = () => process.exit(130);
  // On exit, so that nested calls clean up too, whichever of them gets the signal first.
  process.once('SIGINT', stop).once('SIGTERM', stop).once('exit', clear);
  try {
    return await work();
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop).off('exit', clear);
    clear();
  }
};

/** Runs work with a temporary folder that only this user can read. */
export const withFolder = <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-'));
  return thenClear(
    () => rmSync(folder, { recursive: true, force: true }),
    () => work(folder),
  );
};
