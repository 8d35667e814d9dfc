import type { Deps } from '../../deps.ts';
import { overdue, withinLimit } from '../../time-limit.ts';
import type { Endpoint } from '../../webhooks/delivery/attempt.ts';
import { dueEndpoints, fanOutEvents } from '../../webhooks/delivery/deliver.ts';
import { type Allowance, deliverTo } from '../../webhooks/delivery/lane.ts';

const afterWriteMs = 50;
const whilePendingMs = 5_000;
const idleMs = 60_000;
/** How long the database may take to say what is due. */
const lookLimitMs = 30_000;
/** How long a stop waits for the answers of receivers, and then for what is written down of them. */
const stopGraceMs = 2_000;

const maxLanes = 100;
const spareAttempts = 28;

/**
 * Delivers webhooks soon after a change, every few seconds while something is pending, and by the minute. Each
 * endpoint has a lane of its own, so that none waits for another; all of them together make 128 attempts at once.
 */
export const startWebhookTicker = (deps: Deps) => {
  const cut = new AbortController();
  let isStopping = false;
  const allowance: Allowance = {
    spareAttempts,
    statements: Number.POSITIVE_INFINITY,
    mayClaim: () => !isStopping,
    cut: cut.signal,
  };
  const lanes = new Map<string, Promise<void>>();
  /** Whether a lane has more to do than it knew when it looked, or an endpoint found no lane. */
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
  const failed = (error: unknown): void =>
    deps.log.error('webhooks', { cause: error instanceof Error ? error.name : 'unknown' });
  const startLane = (endpoint: Endpoint): void => {
    const { id } = endpoint;
    const lane = deliverTo(deps, endpoint, allowance)
      .catch(failed)
      .then(() => {
        lanes.delete(id);
        if (passedOver.delete(id) || isCrowded) kick();
      });
    lanes.set(id, lane);
  };
  /** Starts the lanes of the endpoints that are due, waits for none of them, and gives the pause until the next look. */
  const lookAround = async (): Promise<number> => {
    if (!(await fanOutEvents(deps)).pending) return idleMs;
    isCrowded = false;
    for (const endpoint of await dueEndpoints(deps, maxLanes + lanes.size + 1)) {
      if (lanes.has(endpoint.id)) passedOver.add(endpoint.id);
      else if (lanes.size < maxLanes) startLane(endpoint);
      else isCrowded = true;
    }
    return whilePendingMs;
  };
  const work = async (): Promise<void> => {
    let pauseMs = whilePendingMs;
    try {
      const found = await withinLimit(lookLimitMs, lookAround());
      if (found === overdue) deps.log.error('webhooks', { cause: 'overdue' });
      else pauseMs = found;
    } catch (error) {
      failed(error);
    }
    look = undefined;
    schedule(isWanted ? afterWriteMs : pauseMs);
  };
  const turn = (): void => {
    isWanted = false;
    look = work();
  };
  const kick = (): void => {
    if (look === undefined && !isWanted) schedule(afterWriteMs);
    isWanted = true;
  };
  /** Nothing more is claimed; attempts that are not answered soon are cut, and due again at once. */
  const stop = async (): Promise<void> => {
    isStopping = true;
    clearTimeout(timer);
    await withinLimit(stopGraceMs, Promise.resolve(look));
    const all = Promise.all(lanes.values());
    if ((await withinLimit(stopGraceMs, all)) !== overdue) return;
    cut.abort();
    await withinLimit(stopGraceMs, all);
  };
  kick();
  return { kick, stop };
};
