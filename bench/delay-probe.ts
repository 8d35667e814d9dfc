// Imported before the service by `node --import`: says over IPC how late the event loop was since it was last asked.

import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface Delay {
  p99Ms: number;
  maxMs: number;
}

const resolutionMs = 1;
const delays = monitorEventLoopDelay({ resolution: resolutionMs });
delays.enable();

const inMs = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolutionMs);

process.on('message', () => {
  const delay: Delay = { p99Ms: inMs(delays.percentile(99)), maxMs: inMs(delays.max) };
  delays.reset();
  process.send?.(delay);
});
// It must not keep the service from ending.
process.channel?.unref();
