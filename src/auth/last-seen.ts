import type { Claims } from '../crypto/token-keys.ts';
import { run } from '../db/db.ts';
import type { Deps } from '../deps.ts';
import { touchLogin } from './queries.ts';
import { lastSeenAgeMs } from './rules.ts';

/** How much is known of a device login's use. */
interface Known {
  lastSeenAt: number;
  usedGeneration: number;
}

/**
 * Notes after the answer that a device was seen, at most every few minutes, and that its newest tokens have arrived: from
 * then on the refresh token before them is a stolen one.
 */
export const noteSeen = (deps: Deps, caller: Claims, known: Known, now: number): void => {
  const { deviceLoginId: id, generation = 0 } = caller;
  const before = now - lastSeenAgeMs;
  if (known.lastSeenAt > before && known.usedGeneration >= generation) return;
  deps.background(run(deps.db, touchLogin(deps.db, { id, now, before, generation })));
};
