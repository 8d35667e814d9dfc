import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { collectGarbage } from '../../../core/db/embedded/garbage.ts';

// V8 keeps the memory that a time of load needed until 100 s after its last collection, since it judges the load by
// its last collections, and a service at rest makes none.

const everyMs = 15_000;
/** Parts of the time in which the main thread computes. */
const [busyFrom, restingTo] = [0.2, 0.05];

/** Calls `collect` once when the main thread rests after it was busy: for each part of the time in which it computed. */
export const createRestWatch = (collect: () => void): ((utilization: number) => void) => {
  let wasBusy = false;
  return (utilization) => {
    if (utilization >= busyFrom) wasBusy = true;
    else if (wasBusy && utilization <= restingTo) {
      wasBusy = false;
      collect();
    }
  };
};

/** Gives back the memory that load took once the service rests, within half a minute. Keeps no process alive. */
export const collectAtRest = (): void => {
  const note = createRestWatch(collectGarbage);
  let last: EventLoopUtilization = performance.eventLoopUtilization();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    note(performance.eventLoopUtilization(now, last).utilization);
    last = now;
  }, everyMs).unref();
};
