/**
 * Asked before work that makes a turn of the event loop long, of which each lets in one connection: whether those who
 * are arriving get another turn first, at most `mostTurns` in a row. `arrivals` counts who came in so far.
 */
export const makeDoor = (arrivals: () => number, mostTurns: number): (() => boolean) => {
  let seen = 0;
  let turns = 0;
  return () => {
    const now = arrivals();
    const isHeld = now !== seen && turns < mostTurns;
    seen = now;
    turns = isHeld ? turns + 1 : 0;
    return isHeld;
  };
};
