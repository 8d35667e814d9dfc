import { reading } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { QueryOf } from '../../../core/endpoint/endpoint.ts';
import { toIso } from '../../../core/endpoint/instants.ts';
import { feedPosition } from '../../../core/events/feed.ts';
import { findSpan } from '../../../core/events/feed-queries.ts';
import { defaultLimit } from '../../../core/http/page.ts';
import type { JudgingContext } from '../record/context.ts';
import { findChanges } from './change-queries.ts';
import type { ListBookingChanges } from './contract.ts';
import { clinicBookingView } from './views.ts';

type Query = QueryOf<typeof ListBookingChanges>;

/** The changes since a position that the caller's present role may see, in one round trip. */
export const changesRead = ({ db }: Deps, callerId: string, { after, limit = defaultLimit }: Query) =>
  // The span comes first: an event that is committed in between is only answered twice.
  reading({ spans: findSpan(db, { after }), rows: findChanges(db, { after, callerId, limit }) });

type Read = ReturnType<ReturnType<typeof changesRead>['toResult']>;

export const changesAnswer = (context: JudgingContext, query: Query, read: Read) => {
  const meta = feedPosition(query, read);
  const data = read.rows.map((row) => ({
    sequence: row.sequence,
    type: row.type,
    at: toIso(row.at),
    by: row.by,
    booking_id: row.bookingId,
    gone: row.isGone === 1,
    booking: row.isGone === 1 ? null : clinicBookingView(context, row),
    previous: row.previous === null ? null : JSON.parse(row.previous),
  }));
  return { status: 200 as const, data, meta };
};
