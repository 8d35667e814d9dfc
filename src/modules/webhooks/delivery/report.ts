import { run } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { Backlog } from '../../../core/metrics.ts';
import { findBacklog } from './fan-out-queries.ts';

/** The number of waiting deliveries, and the age of the oldest. */
export const readBacklog = async ({ db }: Pick<Deps, 'db'>, now: number): Promise<Backlog> => {
  const [row] = await run(db, findBacklog(db, {}));
  const oldestAt = row?.oldestAt ?? now;
  return {
    pending: row?.pending ?? 0,
    oldestAgeSeconds: Math.max(0, (now - oldestAt) / 1000),
    pausedEndpoints: row?.paused ?? 0,
  };
};

export const reportBacklog = async (deps: Deps, now: number): Promise<void> =>
  deps.metrics.webhookBacklog(await readBacklog(deps, now));
