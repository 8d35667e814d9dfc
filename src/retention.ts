import type { Deps } from './deps.ts';
import { sweeps } from './retention.queries.ts';

/** How many rows a sweep takes at once: short enough to hold up nobody. */
export const rowsASweep = 500;

/** Removes what nobody needs any more, one bounded step a table. */
export const sweepExpired = async ({ db }: Deps, now: number): Promise<void> => {
  for (const { sweep, keptMs } of sweeps)
    await db.batch([sweep(db, { until: now - keptMs, most: rowsASweep })]);
};
