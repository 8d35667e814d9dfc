import { and, eq, gt } from 'drizzle-orm';
import { type Named, statement } from '../db/statement.ts';
import { replays } from '../tables/idempotency.ts';

/** The response stored under a person's idempotency key, unless it has expired. */
export const findReplay = statement((db, named: Named<'userId' | 'key' | 'now'>) =>
  db
    .select({ fingerprint: replays.fingerprint, status: replays.status, body: replays.body })
    .from(replays)
    .where(
      and(
        eq(replays.userId, named('userId')),
        eq(replays.key, named('key')),
        gt(replays.expiresAt, named('now')),
      ),
    ),
);
