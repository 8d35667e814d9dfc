// Imported before the service by `node --expose-gc --import`: says over IPC what the process holds, so that the
// service itself needs no route for it.

import { setImmediate as turn } from 'node:timers/promises';

export interface Holding {
  heapBytes: number;
  /** Memory outside the heap that the heap's objects hold. */
  externalBytes: number;
  rssBytes: number;
  /** Connections, those that the clients keep open included. */
  sockets: number;
  /** Whatever else keeps the event loop busy: timers, file handles, threads. */
  handles: number;
}

const measure = async (): Promise<Holding> => {
  // Memory that finalizers release is collected by the second round.
  for (let round = 0; round < 2; round++) {
    globalThis.gc?.();
    await turn();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const active = process.getActiveResourcesInfo();
  const sockets = active.filter((name) => name.startsWith('TCPSocket')).length;
  return {
    heapBytes: heapUsed,
    externalBytes: external,
    rssBytes: rss,
    sockets,
    handles: active.length - sockets,
  };
};

process.on('message', () => void measure().then((holding) => process.send?.(holding)));
// It must not keep the service from ending.
process.channel?.unref();
