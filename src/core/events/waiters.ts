/** Requests that wait for an event that this process, or another one, has yet to write. */
export interface EventWaiters {
  /**
   * Waits until an event may have been written, or for so many milliseconds; false at once if no request should wait:
   * the service stops, or too many wait already.
   */
  wait: (ms: number, ended: AbortSignal) => Promise<boolean>;
  wake: () => void;
  /** Ends all waits, and every later one at once. */
  end: () => void;
  count: () => number;
}

/** With more waiting requests than this, the process would lack memory for answers. */
const maxWaiters = 1_000;

export const createEventWaiters = (): EventWaiters => {
  const waiting = new Set<() => void>();
  let isOver = false;
  const wake = (): void => {
    for (const go of [...waiting]) go();
  };
  return {
    wait: (ms, ended) =>
      new Promise((resolve) => {
        if (isOver || ended.aborted || waiting.size >= maxWaiters) return resolve(false);
        const go = (): void => {
          clearTimeout(timer);
          ended.removeEventListener('abort', go);
          waiting.delete(go);
          resolve(!isOver);
        };
        const timer = setTimeout(go, ms);
        ended.addEventListener('abort', go);
        waiting.add(go);
      }),
    wake,
    end: () => {
      isOver = true;
      wake();
    },
    count: () => waiting.size,
  };
};
