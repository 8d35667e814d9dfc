import { run } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { countUnguardedAdmins } from './queries.ts';

/** Logs a warning at the start if an admin's account has no second factor. */
export const warnOfUnguarded = async ({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> => {
  const [row] = await run(db, countUnguardedAdmins(db, {}));
  if (row === undefined || row.count === 0) return;
  log.warn(
    'An admin has no second factor: have each set one up, and set REQUIRE_SECOND_FACTOR=admin,staff.',
    {
      admins: row.count,
    },
  );
};
