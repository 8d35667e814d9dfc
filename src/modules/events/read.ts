import { type Reading, read, reading } from '../../core/db/db.ts';
import type { Deps } from '../../core/deps.ts';
import type { QueryOf } from '../../core/endpoint/endpoint.ts';
import { toIso } from '../../core/endpoint/instants.ts';
import { feedPosition } from '../../core/events/feed.ts';
import { findSpan } from '../../core/events/feed-queries.ts';
import { eventData } from '../../core/events/message.ts';
import { defaultLimit } from '../../core/http/page.ts';
import type { ListEvents } from './contract.ts';
import { findEvents } from './queries.ts';

type Query = QueryOf<typeof ListEvents>;
type Span = ReturnType<typeof findSpan>['_']['result'][number];
interface Read {
  span: Span | undefined;
  rows: ReturnType<typeof findEvents>['_']['result'];
}

/** The numbers of events lie below this one. */
const beyondAll = Number.MAX_SAFE_INTEGER;

/** The events since a position, in one round trip. */
export const eventsRead = (
  { db }: Deps,
  { after = beyondAll, limit = defaultLimit, type }: Query,
): Reading<Read> =>
  reading(
    // The span comes first: an event that is committed in between is only answered twice.
    {
      span: findSpan(db, { after }),
      rows: findEvents(db, { after, limit, types: type === undefined ? null : JSON.stringify(type) }),
    },
    ({ span: [span], rows }) => ({ span, rows }),
  );

/** How long to wait before the database is asked for what another process wrote. */
const lookAgainMs = 1_000;

/**
 * Waits where there is nothing yet: until there is, the time is over, the caller is gone, or the service stops. The wait
 * begins before each reading, so that no event is missed between the two.
 */
export const awaitEvents = async (
  { deps, gone }: { deps: Deps; gone: () => AbortSignal },
  query: Query,
  first: Read,
): Promise<Read> => {
  const { wait = 0, after } = query;
  if (wait === 0 || after === undefined || first.rows.length > 0) return first;
  // Refused before it waits, not after.
  feedPosition({ ...query, after }, first);
  const until = performance.now() + wait * 1_000;
  const ended = gone();
  let latest = first;
  for (let left = wait * 1_000; left > 0 && !ended.aborted; left = until - performance.now()) {
    const found = new AbortController();
    const waited = deps.awaitEvents(Math.min(left, lookAgainMs), AbortSignal.any([ended, found.signal]));
    latest = await read(deps.db, eventsRead(deps, query));
    if (latest.rows.length > 0) found.abort();
    if (!(await waited) || latest.rows.length > 0) break;
  }
  return latest;
};

export const eventsAnswer = ({ after, ...query }: Query, { span, rows }: Read) => ({
  status: 200 as const,
  data: rows.map((row) => ({
    sequence: row.sequence,
    id: row.writeId,
    type: row.type,
    timestamp: toIso(row.occurredAt),
    data: eventData(row),
  })),
  meta:
    after === undefined
      ? { sequence: span?.newest ?? 0, more: false }
      : feedPosition({ ...query, after }, { span, rows }),
});
