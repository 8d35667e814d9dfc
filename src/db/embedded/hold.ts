/**
 * Whether work that takes long waits for another turn of the event loop, since each turn lets in one connection: while
 * `arrivals`, the count of those who came in, grows, and for `mostMs` at most. Ask once a turn: the answer counts.
 */
export const makeHold = (arrivals: () => number, maxMs: number): (() => boolean) => {
  let seen = 0;
  let heldSince: number | undefined;
  return () => {
    const came = arrivals();
    if (came === seen) heldSince = undefined;
    else heldSince ??= performance.now();
    seen = came;
    if (heldSince !== undefined && performance.now() - heldSince >= maxMs) heldSince = undefined;
    return heldSince !== undefined;
  };
};
