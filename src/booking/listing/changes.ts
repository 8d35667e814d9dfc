import { reading } from '../../db/db.ts';
import type { Deps } from '../../deps.ts';
import type { QueryOf } from '../../endpoint/endpoint.ts';
import { Failure } from '../../endpoint/errors.ts';
import { isoOf } from '../../endpoint/instants.ts';
import { defaultLimit } from '../../http/page.ts';
import type { JudgingContext } from '../record/context.ts';
import { findChanges, findSpan } from './change-queries.ts';
import type { ListBookingChanges } from './contract.ts';
import { clinicBookingView } from './views.ts';

type Query = QueryOf<typeof ListBookingChanges>;

/** What happened since, as the caller's role at this moment may see it, in one round trip. */
export const changesRead = ({ db }: Deps, callerId: string, { after, limit = defaultLimit }: Query) =>
  reading(
    // The span comes first: an event that is committed in between is only answered twice.
    [findSpan(db, { after }), findChanges(db, { after, callerId, limit })] as const,
    ([[span], rows]) => ({ span, rows }),
  );

type Read = ReturnType<ReturnType<typeof changesRead>['resultOf']>;

/**
 * Throws `changes_gone` where events after `after` are no longer stored, and where `after` was given out by a database
 * that has been restored from a backup since: what it answered afterwards never happened here.
 */
export const changesAnswer = (
  context: JudgingContext,
  { after, limit = defaultLimit }: Query,
  read: Read,
) => {
  const { oldest = null, newest = null, lookedThrough = null } = read.span ?? {};
  if (after > (newest ?? 0) || after < (oldest ?? 0) - 1) throw new Failure('changes_gone');
  const { rows } = read;
  const shownTo = rows.at(-1)?.sequence ?? after;
  const sequence = rows.length === limit ? shownTo : Math.max(shownTo, lookedThrough ?? after);
  const data = rows.map((row) => ({
    sequence: row.sequence,
    type: row.type,
    at: isoOf(row.at),
    by: row.by,
    booking_id: row.bookingId,
    gone: row.isGone === 1,
    booking: row.isGone === 1 ? null : clinicBookingView(context, row),
  }));
  return { status: 200 as const, data, meta: { sequence, more: sequence < (newest ?? 0) } };
};
