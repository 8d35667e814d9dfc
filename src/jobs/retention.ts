import { run } from '../core/db/db.ts';
import type { Deps } from '../core/deps.ts';
import { sweeps } from './retention-queries.ts';

/** How many rows one step deletes: few enough that no request has to wait. */
export const rowsAStep = 500;
/** How long one round may take. */
export const sweepMs = 10_000;
/** How many steps one round may take: an invocation on Workers may run only a thousand D1 queries in all. */
export const maxSteps = 100;

/**
 * Deletes expired rows step by step, one table after another, until nothing is due or the round's time is over. The
 * next round deletes the rest.
 */
export const sweepExpired = async (deps: Deps, now: number, signal?: AbortSignal): Promise<void> => {
  const { db, clock } = deps;
  const until = clock() + sweepMs;
  let steps = 0;
  let due: (typeof sweeps)[number][] = [...sweeps];
  while (due.length > 0) {
    const full: typeof due = [];
    for (const table of due) {
      if (steps >= maxSteps || clock() >= until || signal?.aborted) return;
      steps += 1;
      const values = { until: now - table.retainedMs, max: rowsAStep };
      if ((await run(db, table.sweep(db, values))).length === rowsAStep) full.push(table);
    }
    due = full;
  }
};
