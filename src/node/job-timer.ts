import type { Deps } from '../deps.ts';
import { runJobs } from '../jobs.ts';

const pauseMs = 60_000;

/** Runs the jobs now and by the minute, never two rounds at once; the returned function ends it after the round. */
export const startJobTimer = (deps: Deps): (() => Promise<void>) => {
  let timer: NodeJS.Timeout;
  let round: Promise<void> = Promise.resolve();
  let stopped = false;
  const turn = (): void => {
    round = runJobs(deps).then(() => {
      if (!stopped) timer = setTimeout(turn, pauseMs);
    });
  };
  turn();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await round;
  };
};
