import { deliverWebhooks } from '../booking/events/deliver.ts';
import type { Deps } from '../deps.ts';

const afterWriteMs = 50;
const whilePendingMs = 5_000;

/**
 * Delivers webhooks soon after a change, and every few seconds while something is pending; the jobs by the minute
 * see to the rest. One run at a time; any number of changes make one.
 */
export const startWebhookTicker = (deps: Deps) => {
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;
  let isWanted = false;
  let stopped = false;

  const schedule = (ms: number): void => {
    if (stopped) return;
    clearTimeout(timer);
    timer = setTimeout(turn, ms);
    timer.unref();
  };
  const work = async (): Promise<void> => {
    let pending = true;
    try {
      ({ pending } = await deliverWebhooks(deps));
    } catch (error) {
      deps.log.error('webhooks', { cause: error instanceof Error ? error.name : 'unknown' });
    }
    round = undefined;
    if (isWanted) schedule(afterWriteMs);
    else if (pending) schedule(whilePendingMs);
  };
  const turn = (): void => {
    isWanted = false;
    round = work();
  };
  const kick = (): void => {
    if (round === undefined && !isWanted) schedule(afterWriteMs);
    isWanted = true;
  };
  const stop = async (): Promise<void> => {
    stopped = true;
    clearTimeout(timer);
    await round;
  };
  return { kick, stop };
};
