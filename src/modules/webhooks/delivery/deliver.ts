import { run, runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { findDueEndpoints } from './attempt-queries.ts';
import { type Allowance, deliverTo } from './deliver-endpoint.ts';
import { fanOut, findWork, stepCursors } from './fan-out-queries.ts';

const maxFanOuts = 20;

interface RunLimits {
  attemptsAtOnce: number;
  statements: number;
  ms: number;
}

const ownLimits: RunLimits = { attemptsAtOnce: 100, statements: 1_000, ms: Number.POSITIVE_INFINITY };

/**
 * For one Worker invocation, which has six connections at once, a thousand queries in all, and thirty seconds after
 * its answer. The rest waits for the next change or the next minute.
 */
export const workerLimits: RunLimits = { attemptsAtOnce: 6, statements: 180, ms: 15_000 };

/** Makes deliveries of new events; `pending` says whether any delivery waits. */
export const fanOutEvents = async ({ db, clock }: Deps): Promise<{ pending: boolean }> => {
  for (let stretch = 0; stretch < maxFanOuts; stretch++) {
    const [work] = await run(db, findWork(db, {}));
    if (work === undefined || !(work.fresh || work.pending)) return { pending: false };
    if (!work.fresh) break;
    await runAll(db, [fanOut(db, { now: clock() }), stepCursors(db, {})]);
  }
  return { pending: true };
};

/** Endpoints with due deliveries, working ones before failing ones. */
export const dueEndpoints = ({ db, clock }: Deps, limit: number) =>
  run(db, findDueEndpoints(db, { now: clock(), limit }));

/**
 * Makes deliveries of new events and sends what is due within the limits, each endpoint independently. Any number of
 * processes may do so at once. `pending` says whether deliveries are left for a later run.
 */
export const deliverWebhooks = async (deps: Deps, limits = ownLimits): Promise<{ pending: boolean }> => {
  const until = deps.clock() + limits.ms;
  if (!(await fanOutEvents(deps)).pending) return { pending: false };
  const waiting = await dueEndpoints(deps, 100);
  const workers = Math.min(waiting.length, limits.attemptsAtOnce);
  const allowance: Allowance = {
    spareAttempts: limits.attemptsAtOnce - workers,
    statements: limits.statements,
    mayClaim: () => deps.clock() < until,
  };
  const errors: unknown[] = [];
  const deliverNext = async (): Promise<void> => {
    for (let endpoint = waiting.shift(); endpoint !== undefined; endpoint = waiting.shift())
      await deliverTo(deps, endpoint, allowance).catch((error: unknown) => errors.push(error));
  };
  await Promise.all(Array.from({ length: workers }, deliverNext));
  if (errors.length > 0) throw errors[0];
  return { pending: true };
};
