import { run, runAll } from '../../db/db.ts';
import type { Deps } from '../../deps.ts';
import { findDueEndpoints } from './attempt-queries.ts';
import { fanOut, findWork, stepCursors } from './fan-out-queries.ts';
import { type Allowance, deliverTo } from './lane.ts';

const maxFanOuts = 20;

/** What one run may use. */
export interface RunLimits {
  attemptsAtOnce: number;
  statements: number;
  ms: number;
}

const ownLimits: RunLimits = { attemptsAtOnce: 100, statements: 1_000, ms: Number.POSITIVE_INFINITY };

/**
 * For an invocation of a Worker, which has six connections at once, a thousand queries for all that it does, and
 * thirty seconds after its answer. What is left over waits for the next change or the next minute.
 */
export const workerLimits: RunLimits = { attemptsAtOnce: 6, statements: 180, ms: 15_000 };

/** Makes new events into deliveries; `pending` says whether any delivery waits. */
export const fanOutEvents = async ({ db, clock }: Deps): Promise<{ pending: boolean }> => {
  for (let stretch = 0; stretch < maxFanOuts; stretch++) {
    const [work] = await run(db, findWork(db, {}));
    if (work === undefined || !(work.fresh || work.pending)) return { pending: false };
    if (!work.fresh) break;
    await runAll(db, [fanOut(db, { now: clock() }), stepCursors(db, {})]);
  }
  return { pending: true };
};

/** Endpoints to which something may be sent now, those that answered lately before those that fail. */
export const dueEndpoints = ({ db, clock }: Deps, limit: number) =>
  run(db, findDueEndpoints(db, { now: clock(), limit }));

/**
 * Makes new events into deliveries and sends those that are due, each endpoint by itself, within the limits. Any
 * number of processes may do so at once. `pending` says whether something is left to come back for.
 */
export const deliverWebhooks = async (deps: Deps, limits = ownLimits): Promise<{ pending: boolean }> => {
  const until = deps.clock() + limits.ms;
  if (!(await fanOutEvents(deps)).pending) return { pending: false };
  const waiting = await dueEndpoints(deps, 100);
  const lanes = Math.min(waiting.length, limits.attemptsAtOnce);
  const allowance: Allowance = {
    spareAttempts: limits.attemptsAtOnce - lanes,
    statements: limits.statements,
    mayClaim: () => deps.clock() < until,
  };
  const errors: unknown[] = [];
  const lane = async (): Promise<void> => {
    for (let endpoint = waiting.shift(); endpoint !== undefined; endpoint = waiting.shift())
      await deliverTo(deps, endpoint, allowance).catch((error: unknown) => errors.push(error));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  if (errors.length > 0) throw errors[0];
  return { pending: true };
};
