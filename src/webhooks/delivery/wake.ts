/**
 * Wakes by starting a run a little later. Changes that come before it begins are seen by it and start no other. It
 * keeps an instant and no promise: on Workers one request must not wait for another, and one that was broken off must
 * not keep the next from waking.
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
