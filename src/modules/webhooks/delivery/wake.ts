/**
 * Wakes the deliverer by starting a run a little later. That run also handles changes made before it begins. Only a
 * time is stored, no promise: on Workers a request must not wait for another one, and an aborted request must not
 * prevent the next wake.
 */
export const createWake = (clock: () => number, pauseMs: number, start: () => void) => {
  let plannedAt = Number.NEGATIVE_INFINITY;
  return (): void => {
    const now = clock();
    if (plannedAt > now) return;
    plannedAt = now + pauseMs;
    start();
  };
};
