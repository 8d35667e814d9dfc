import { sql } from 'drizzle-orm';
import { type Db, run } from '../../core/db/db.ts';
import { type Named, statement } from '../../core/db/statement.ts';
import { clinic } from '../../core/tables/catalog.ts';

const findAhead = statement((db, _named: Named<never>) =>
  db.select({ aheadMs: clinic.clockAheadMs }).from(clinic),
);

/** Never less than before: the clock of a sandbox goes forward alone. */
const putAhead = statement((db, named: Named<'aheadMs'>) =>
  db
    .update(clinic)
    .set({ clockAheadMs: sql`${named('aheadMs')}` })
    .where(sql`${clinic.id} = 1 and ${clinic.clockAheadMs} <= ${named('aheadMs')}`)
    .returning({ aheadMs: clinic.clockAheadMs }),
);

export interface SandboxClock {
  now: () => number;
  /** Takes over what the database says: another process, or another isolate, may have set it. */
  read: () => Promise<void>;
  /** Lets it go on from an instant; false if that is past. */
  set: (instant: number) => Promise<boolean>;
}

/** A clock that is ahead of the real one by what its database says, and ticks as that does. */
export const createSandboxClock = (db: Db, real: () => number): SandboxClock => {
  let aheadMs = 0;
  return {
    now: () => real() + aheadMs,
    read: async () => {
      const [row] = await run(db, findAhead(db, {}));
      aheadMs = row?.aheadMs ?? 0;
    },
    set: async (instant) => {
      const [row] = await run(db, putAhead(db, { aheadMs: instant - real() }));
      if (row === undefined) return false;
      aheadMs = row.aheadMs;
      return true;
    },
  };
};
