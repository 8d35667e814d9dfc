import type { Backups } from '../backup/scheduled.ts';

const everyMs = 60_000;

/** Looks each minute whether a backup is due, never while one is made. The returned function stops it. */
export const startBackupTimer = (backups: Backups | null): (() => Promise<void>) => {
  if (backups === null) return async () => {};
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let turn: Promise<void> = Promise.resolve();
  const look = (): void => {
    turn = backups.look(stopping.signal).then(() => {
      if (!stopping.signal.aborted) timer = setTimeout(look, everyMs);
    });
  };
  look();
  return async () => {
    stopping.abort();
    clearTimeout(timer);
    await turn;
  };
};
