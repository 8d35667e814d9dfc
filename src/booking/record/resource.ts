import type { Deps } from '../../deps.ts';
import { findBooking } from './queries.ts';
import { maySee } from './rules.ts';

/** The booking that a path names, for those who may know that it exists. */
export const namedBooking = {
  read: ({ deps, params }: { deps: Deps; params: { id: string } }) => findBooking(deps.db, params),
  visible: maySee,
};
