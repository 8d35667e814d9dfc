import { read, reading } from '../../core/db/db.ts';
import type { Deps } from '../../core/deps.ts';
import type { QueryOf } from '../../core/endpoint/endpoint.ts';
import { toIso } from '../../core/endpoint/instants.ts';
import { feedPosition } from '../../core/events/feed.ts';
import { findSpan } from '../../core/events/feed-queries.ts';
import { eventData } from '../../core/events/message.ts';
import { defaultLimit } from '../../core/http/page.ts';
import type { AnyActor } from '../auth/context.ts';
import { assertStillAdmitted } from '../booking/seats/still-admitted.ts';
import type { ListEvents } from './contract.ts';
import { findEvents } from './queries.ts';

type Query = QueryOf<typeof ListEvents>;

/** The numbers of events lie below this one. */
const beyondAll = Number.MAX_SAFE_INTEGER;

/** The events since a position, in one round trip. */
export const eventsRead = ({ db }: Deps, { after = beyondAll, limit = defaultLimit, type }: Query) =>
  // The span comes first: an event that is committed in between is only answered twice.
  reading({
    spans: findSpan(db, { after }),
    rows: findEvents(db, { after, limit, types: type === undefined ? null : JSON.stringify(type) }),
  });

type Read = ReturnType<ReturnType<typeof eventsRead>['toResult']>;

/** How long to wait before the database is asked for what another process wrote. */
const lookAgainMs = 1_000;

/**
 * Waits where there is nothing yet: until there is, the time is over, the caller is gone, or the service stops. The wait
 * begins before each reading, so that no event is missed between the two.
 */
export const awaitEvents = async (
  { deps, actor, gone }: { deps: Deps; actor: AnyActor; gone: () => AbortSignal },
  query: Query,
  first: Read,
): Promise<Read> => {
  const { wait = 0, after } = query;
  if (wait === 0 || after === undefined) return first;
  // Events that were passed over for their type are no reason to wait: more may follow now.
  const hasNews = (found: Read): boolean =>
    feedPosition({ ...query, after }, found, true).more || found.rows.length > 0;
  const until = performance.now() + wait * 1_000;
  const ended = gone();
  let latest = first;
  for (let left = wait * 1_000; left > 0 && !ended.aborted; left = until - performance.now()) {
    // Before each wait, so that a position that is lost is refused at once.
    if (hasNews(latest)) break;
    const found = new AbortController();
    const waited = deps.awaitEvents(Math.min(left, lookAgainMs), AbortSignal.any([ended, found.signal]));
    latest = await read(deps.db, eventsRead(deps, query));
    if (hasNews(latest)) found.abort();
    else if (!(await waited)) break;
  }
  if (latest !== first) await assertStillAdmitted(deps, actor);
  return latest;
};

export const eventsAnswer = ({ after, ...query }: Query, found: Read) => ({
  status: 200 as const,
  data: found.rows.map((row) => ({
    sequence: row.sequence,
    id: row.writeId,
    type: row.type,
    timestamp: toIso(row.occurredAt),
    data: eventData(row),
  })),
  meta:
    after === undefined
      ? { sequence: found.spans[0]?.newest ?? 0, more: false }
      : feedPosition({ ...query, after }, found, true),
});
