import { run } from '../../db/db.ts';
import type { Deps } from '../../deps.ts';
import { countUnguardedAdmins } from './queries.ts';

/** Says at the start that an admin's password stands alone. */
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
