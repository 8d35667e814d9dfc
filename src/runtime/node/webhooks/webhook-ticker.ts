import type { Deps } from '../../../core/deps.ts';
import { errorName } from '../../../core/log.ts';
import { overdue, withinLimit } from '../../../core/time-limit.ts';
import type { Endpoint } from '../../../modules/webhooks/delivery/attempt.ts';
import { dueEndpoints, fanOutEvents } from '../../../modules/webhooks/delivery/deliver.ts';
import { type Allowance, deliverTo } from '../../../modules/webhooks/delivery/deliver-endpoint.ts';

const afterWriteMs = 50;
const whilePendingMs = 5_000;
/** How long the database may take to find due deliveries. */
const lookLimitMs = 30_000;
/** How long a stop waits for receivers to answer, and then for their outcomes to be stored. */
const stopGraceMs = 2_000;

const maxDeliveries = 100;
const spareAttempts = 28;

/**
 * Delivers webhooks soon after a change and every few seconds while deliveries wait; the jobs wake it for what others wrote. Each endpoint has
 * its own delivery, so that none waits for another; all of them together make up to 128 attempts at once.
 */
export const startWebhookTicker = (deps: Deps, { looksAtStart = true } = {}) => {
  const cut = new AbortController();
  let isStopping = false;
  const allowance: Allowance = {
    spareAttempts,
    statements: Number.POSITIVE_INFINITY,
    mayClaim: () => !isStopping,
    cut: cut.signal,
  };
  const deliveries = new Map<string, Promise<void>>();
  /** Whether there is more work for a delivery since its last query, or an endpoint found all attempts in use. */
  const passedOver = new Set<string>();
  let isCrowded = false;
  let timer: NodeJS.Timeout | undefined;
  let look: Promise<void> | undefined;
  let isWanted = false;

  const schedule = (ms: number): void => {
    if (isStopping) return;
    clearTimeout(timer);
    timer = setTimeout(turn, ms);
    timer.unref();
  };
  const failed = (error: unknown): void => deps.log.error('webhooks', { cause: errorName(error) });
  const startDelivery = (endpoint: Endpoint): void => {
    const { id } = endpoint;
    const delivery = deliverTo(deps, endpoint, allowance)
      .catch(failed)
      .then(() => {
        deliveries.delete(id);
        if (passedOver.delete(id) || isCrowded) kick();
      });
    deliveries.set(id, delivery);
  };
  /** Starts the deliveries to due endpoints without waiting for them, and returns the pause until the next look, if there is to be one. */
  const lookAround = async (): Promise<number | null> => {
    if (!(await fanOutEvents(deps)).pending) return null;
    isCrowded = false;
    for (const endpoint of await dueEndpoints(deps, maxDeliveries + deliveries.size + 1)) {
      if (deliveries.has(endpoint.id)) passedOver.add(endpoint.id);
      else if (deliveries.size < maxDeliveries) startDelivery(endpoint);
      else isCrowded = true;
    }
    return whilePendingMs;
  };
  const work = async (): Promise<void> => {
    let pauseMs: number | null = whilePendingMs;
    try {
      const found = await withinLimit(lookLimitMs, lookAround());
      if (found === overdue) deps.log.error('webhooks', { cause: 'overdue' });
      else pauseMs = found;
    } catch (error) {
      failed(error);
    }
    look = undefined;
    if (isWanted) schedule(afterWriteMs);
    else if (pauseMs !== null) schedule(pauseMs);
  };
  const turn = (): void => {
    isWanted = false;
    look = work();
  };
  const kick = (): void => {
    if (look === undefined && !isWanted) schedule(afterWriteMs);
    isWanted = true;
  };
  /** Claims nothing more; attempts without a quick answer are aborted and due again at once. */
  const stop = async (): Promise<void> => {
    isStopping = true;
    clearTimeout(timer);
    await withinLimit(stopGraceMs, Promise.resolve(look));
    const all = Promise.all(deliveries.values());
    if ((await withinLimit(stopGraceMs, all)) !== overdue) return;
    cut.abort();
    await withinLimit(stopGraceMs, all);
  };
  if (looksAtStart) kick();
  /** Whether deliveries are under way, or are looked for in a moment. */
  const isBusy = (): boolean => isWanted || look !== undefined || deliveries.size > 0;
  return { kick, stop, isBusy };
};
