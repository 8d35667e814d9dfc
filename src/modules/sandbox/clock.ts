import { type Db, run } from '../../core/db/db.ts';
import { findAhead, putAhead } from './queries.ts';

interface SandboxClock {
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
