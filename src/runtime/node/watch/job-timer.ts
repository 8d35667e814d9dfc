import type { Deps } from '../../../core/deps.ts';
import { withinLimit } from '../../../core/time-limit.ts';
import { type ChangeMark, createRounds } from '../../../jobs/rounds.ts';

const everyMs = 60_000;
const stopLimitMs = 5_000;

/**
 * Runs a round soon (`firstInMs`, now unless given) and every minute, never two at once. The returned function stops it,
 * after a short wait.
 */
export const startRoundTimer = (
  runRound: (stopping: AbortSignal) => Promise<void>,
  { firstInMs = 0 } = {},
): (() => Promise<void>) => {
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

/** Runs due work by such a timer. */
export const startJobTimer = (
  deps: Deps,
  changeMark?: ChangeMark,
  options: Parameters<typeof startRoundTimer>[1] = {},
): (() => Promise<void>) => startRoundTimer(createRounds(deps, changeMark), options);
