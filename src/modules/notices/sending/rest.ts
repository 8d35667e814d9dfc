// Pure: when a channel pauses, because its receiver asks for a pause or does not answer at all.

import type { Rest } from '../../../core/deps.ts';
import type { Heard } from '../../../core/mailer.ts';

const shortestMs = 30_000;
const longestMs = 15 * 60_000;
/** After this many attempts in a row without any answer, the receiver counts as unreachable. */
const silentLimit = 10;

const fresh: Rest = { until: 0, silent: 0, rests: 0 };

/** The state of a channel after an attempt on it. */
export const afterAttempt = (
  before: Rest | undefined,
  heard: Heard | undefined,
  begunAt: number,
  now: number,
): Rest => {
  const rest = before ?? fresh;
  if (typeof heard === 'number')
    return { ...fresh, until: Math.max(rest.until, now + (heard || shortestMs)) };
  if (heard === 'answer') return { ...fresh, until: rest.until };
  // Attempts that had started before the pause began add no information.
  if (heard === undefined || begunAt < rest.until) return rest;
  if (rest.silent + 1 < silentLimit) return { ...rest, silent: rest.silent + 1 };
  return {
    until: now + Math.min(longestMs, shortestMs * 2 ** rest.rests),
    silent: 0,
    rests: rest.rests + 1,
  };
};

/** Whether an attempt failed because of its channel, and not because of the notice. */
export const isHeldBack = (heard: Heard | undefined, { until }: Rest, now: number): boolean =>
  until > now && (typeof heard === 'number' || heard === 'silence');
