import type { Deps } from '../../../core/deps.ts';
import { findBooking } from './queries.ts';
import { maySee } from './rules.ts';

/** The booking that a path names, for those who may know that it exists. */
export const namedBooking = {
  read: ({ deps, params, caller }: { deps: Deps; params: { id: string }; caller: { userId: string } }) =>
    findBooking(deps.db, { ...params, accountId: caller.userId }),
  visible: maySee,
};
