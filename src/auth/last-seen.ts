import { run } from '../db/db.ts';
import type { Deps } from '../deps.ts';
import { touchLogin } from './account/queries.ts';
import { lastSeenAgeMs } from './rules.ts';

/** Notes after the answer that a device was seen, at most every few minutes. */
export const noteSeen = (deps: Deps, id: string, lastSeenAt: number, now: number): void => {
  if (now - lastSeenAt < lastSeenAgeMs) return;
  deps.background(run(deps.db, touchLogin(deps.db, { id, now, before: now - lastSeenAgeMs })));
};
