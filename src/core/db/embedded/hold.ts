/**
 * True while connections are still arriving (`arrivals` counts them), for at most `maxMs`: libuv accepts one connection
 * per turn of the event loop, so long work waits. Call it once per turn: each call counts.
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
