import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { AnyActor } from '../../auth/context.ts';
import { type ArchivedBooking, findInArchive } from './archived.ts';
import { findBooking, type SeenBooking } from './queries.ts';
import { maySee, toVisitStatus } from './rules.ts';
import { transitionSentences as sentences } from './sentences.ts';

interface Naming {
  deps: Deps;
  params: { id: string };
  caller: { userId: string };
}

/** The booking that a path names, for those who may know that it exists. */
export const namedBooking = {
  read: ({ deps, params, caller }: Naming) => findBooking(deps.db, { ...params, accountId: caller.userId }),
  visible: maySee,
};

type Found = SeenBooking | ArchivedBooking;

/** The same, also if it is archived. */
export const anyBooking = {
  ...namedBooking,
  elsewhere: ({ deps, params, caller }: Naming) => findInArchive(deps, params.id, caller.userId),
};

/** The booking that a path names to be changed: nothing changes in the archive. */
export const changedBooking = {
  ...anyBooking,
  visible: (row: Found, actor: AnyActor): boolean => {
    if (!maySee(row, actor)) return false;
    if (!isArchived(row)) return true;
    const visit = toVisitStatus(row);
    throw new Failure('invalid_transition', {
      sentence: sentences.archived,
      extras: { booking_status: row.status, ...(visit !== null && { visit }) },
    });
  },
};

/** Whether a booking was read from the archive. */
export const isArchived = (row: Found): row is ArchivedBooking => 'archived' in row;
