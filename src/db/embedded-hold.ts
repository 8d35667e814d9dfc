/**
 * Whether work that takes long waits for another turn of the event loop, since each turn lets in one connection: while
 * `arrivals`, the count of those who came in, grows, and for `mostMs` at most. Ask once a turn: the answer counts.
 */
export const makeHold = (arrivals: () => number, mostMs: number): (() => boolean) => {
  let seen = 0;
  let heldSince: number | undefined;
  return () => {
    const now = arrivals();
    const areArriving = now !== seen;
    seen = now;
    if (areArriving) heldSince ??= performance.now();
    const holds = areArriving && heldSince !== undefined && performance.now() - heldSince < mostMs;
    if (!holds) heldSince = undefined;
    return holds;
  };
};
