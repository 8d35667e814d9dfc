import { run } from '../db/db.ts';
import type { Deps } from '../deps.ts';
import { sweeps } from './retention-queries.ts';

/** How many rows a step takes at once: short enough to hold up nobody. */
export const rowsAStep = 500;
/** How long one round may go on. */
export const sweepMs = 10_000;
/** How many steps one round may take: an invocation on D1 has a thousand queries for all that it does. */
export const maxSteps = 100;

/**
 * Removes what nobody needs any more, step by step, the tables in turn, until nothing is due or the round has had its
 * time. What is left then goes in the next round.
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
