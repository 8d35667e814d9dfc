import { hourMs } from '../../core/clinic/durations.ts';
import { run } from '../../core/db/db.ts';
import type { Deps } from '../../core/deps.ts';
import { Failure, findCause, Unavailable } from '../../core/endpoint/errors.ts';
import { toIso } from '../../core/endpoint/instants.ts';
import { findClinic } from '../catalog/slots/queries.ts';
import type { Mount } from '../handler.ts';
import * as contract from './contract.ts';
import { judgeBackups } from './rules.ts';

/** Why the database cannot serve; null when it can. */
const databaseProblem = async (deps: Deps): Promise<string | null> => {
  try {
    await deps.assertDatabaseUsable?.();
    const rows = await run(deps.db, findClinic(deps.db, {}));
    return rows.length === 1 ? null : 'the database has no clinic';
  } catch (error) {
    // Only what the database's own client says: drizzle's message quotes the statement.
    return findCause(error, Unavailable)?.message ?? 'the database refused to be read';
  }
};

export const mountHealth = (mount: Mount): void => {
  mount(contract.GetHealth, { answer: () => ({ status: 200, data: { name: 'janji' } }) });
  mount(contract.GetReady, {
    answer: async ({ deps, requestId }) => {
      const cause = await databaseProblem(deps);
      if (cause !== null) {
        deps.log.warn('not ready', { request_id: requestId, cause });
        throw new Failure('unavailable');
      }
      return { status: 200, data: { database: 'ready' } };
    },
  });
  mount(contract.GetService, {
    answer: ({ deps, now }) => {
      const state = deps.backupState?.() ?? null;
      const backups =
        state === null
          ? null
          : {
              state: judgeBackups(state, now),
              last_good_at: state.lastGoodAt === null ? null : toIso(state.lastGoodAt),
              every_hours: state.everyMs / hourMs,
            };
      return { status: 200, data: { backups } };
    },
  });
};
