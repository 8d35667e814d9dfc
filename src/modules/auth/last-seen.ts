import type { Claims } from '../../core/crypto/token-keys.ts';
import { run } from '../../core/db/db.ts';
import type { Deps } from '../../core/deps.ts';
import { touchLogin } from './queries.ts';
import { lastSeenAgeMs } from './rules.ts';

/** The last use of a device login that the database has recorded. */
interface Known {
  lastSeenAt: number;
  usedGeneration: number;
}

/**
 * After the answer: stores that the device was seen (at most every few minutes) and that its newest tokens have arrived.
 * From then on, use of the previous refresh token counts as theft.
 */
export const noteSeen = (deps: Deps, caller: Claims, known: Known, now: number): void => {
  const { deviceLoginId: id, generation = 0 } = caller;
  const before = now - lastSeenAgeMs;
  if (known.lastSeenAt > before && known.usedGeneration >= generation) return;
  deps.background(run(deps.db, touchLogin(deps.db, { id, now, before, generation })));
};
