import { fork } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { programBeside } from '../../../core/db/embedded/program-beside.ts';
import { assertFile } from '../database/database-file.ts';
import { type FileKey, keyFor } from '../database/file-key.ts';
import type { CopyOrder } from './live-copy-process.ts';

/** Shows a line to the person who waits. */
export type Progress = (line: string) => void;

const everyMs = 2_000;

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Copies a database as of one moment, even while it is written to; the copy is a single file without a write-ahead log.
 * It is encrypted with `toKey`, whatever key the source has; null makes a plain one. It runs in its own process,
 * because the driver blocks until all is copied: no progress, no way to stop.
 */
export const copyLive = async (
  from: string,
  to: string,
  progress: Progress,
  key?: FileKey,
  toKey: FileKey | null = key,
): Promise<void> => {
  assertFile(from);
  const child = fork(programBeside(import.meta.url, 'live-copy-process'));
  const order: CopyOrder = { from, to, key: keyFor(from, key), toKey: toKey ?? undefined };
  const ended = once(child, 'exit');
  // Where the process may open no more files none was started, and an error comes: there is nobody to send it to.
  child.send?.(order);
  let failure = 'The copying process ended early.';
  child.on('message', (message) => {
    failure = String(message);
  });
  const tell = () =>
    progress(`${Math.round(sizeOf(to) / 1e6)} of at most ${Math.round(sizeOf(from) / 1e6)} MB`);
  const timer = setInterval(tell, everyMs);
  const stop = () => child.kill('SIGKILL');
  process.once('exit', stop);
  try {
    const [code] = await ended;
    if (code !== 0) throw new Error(`${from} could not be copied: ${failure}`);
  } finally {
    clearInterval(timer);
    process.off('exit', stop);
  }
};
