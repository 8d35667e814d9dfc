import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Does some work and clears up after it, also where a signal ends it. */
export const thenClear = async <T>(clear: () => void, work: () => Promise<T>): Promise<T> => {
  const stop = () => {
    clear();
    process.exit(130);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    return await work();
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
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
