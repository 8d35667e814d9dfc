import type { Deps } from '../../../core/deps.ts';
import { withinLimit } from '../../../core/time-limit.ts';
import { type ChangeMark, createRounds } from '../../../jobs/rounds.ts';

const everyMs = 60_000;
const stopLimitMs = 5_000;

/**
 * Runs due work soon (`firstInMs`, now unless given) and every minute, never two rounds at once. The returned function stops it,
 * after a short wait.
 */
export const startJobTimer = (
  deps: Deps,
  changeMark?: ChangeMark,
  { firstInMs = 0 } = {},
): (() => Promise<void>) => {
  const runRound = createRounds(deps, changeMark);
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();
  const turn = (): void => {
    const began = performance.now();
    round = runRound(stopping.signal).then(() => {
      if (stopping.signal.aborted) return;
      timer = setTimeout(turn, Math.max(0, everyMs - (performance.now() - began)));
    });
  };
  if (firstInMs > 0) timer = setTimeout(turn, firstInMs);
  else turn();
  return async () => {
    stopping.abort();
    clearTimeout(timer);
    await withinLimit(stopLimitMs, round);
  };
};
