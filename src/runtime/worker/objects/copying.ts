import type { Reader } from '../../../core/db/copies/dump.ts';
import { Unavailable } from '../../../core/endpoint/errors.ts';

/** A copy that is being made: nothing is written until it has ended. */
export interface Copying extends Reader {
  ended: Promise<void>;
}

/**
 * Begins a copy, during which writes wait. It ends by itself when its time is over, and is not whole then: the clinic's
 * people wait no longer for somebody who reads slowly.
 */
export const beginCopying = (longestMs: number, letGo: () => void): Copying => {
  let isOver = false;
  let isDone = false;
  let resolve = (): void => {};
  const ended = new Promise<void>((done) => {
    resolve = done;
  });
  const end = (): void => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    letGo();
    resolve();
  };
  const timer = setTimeout(() => {
    isOver = true;
    end();
  }, longestMs);
  return {
    ended,
    end,
    assertGoing: () => {
      if (isOver) throw new Unavailable('the copy took too long, and what is written could not wait');
    },
  };
};
