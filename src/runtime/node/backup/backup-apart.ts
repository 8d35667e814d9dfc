import { fork } from 'node:child_process';
import { once } from 'node:events';
import { programBeside } from '../../../core/db/embedded/program-beside.ts';
import type { BackupOrder, BackupResult } from './backup-process.ts';

/**
 * Makes and verifies a backup in a separate process, since the driver blocks while it reads a whole file. When aborted,
 * the process ends and removes its unfinished file.
 */
export const backUpApart = async (order: BackupOrder, signal: AbortSignal): Promise<BackupResult> => {
  const child = fork(programBeside(import.meta.url, 'backup-process'));
  const stop = () => child.kill();
  signal.addEventListener('abort', stop, { once: true });
  let result: BackupResult = { failure: 'The process that makes the backup ended early.' };
  child.on('message', (message) => {
    result = message as BackupResult;
  });
  try {
    const ended = once(child, 'exit');
    // As with a live copy: of one that was not started there is only an error.
    child.send?.(order);
    await ended;
    return result;
  } finally {
    signal.removeEventListener('abort', stop);
  }
};
