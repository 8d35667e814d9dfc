import { and, asc, desc, eq, isNull, lt, or, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../core/db/db.ts';
import { insertFromRow } from '../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../core/db/statement.ts';
import { replays } from '../../core/tables/idempotency.ts';
import { bookingEvents, webhookDeliveries, webhookEndpoints } from '../../core/tables/webhooks.ts';
import { newDelivery, wants } from './delivery/fan-out-queries.ts';
import type { webhookFields } from './fields.ts';

export type EndpointRow = typeof webhookEndpoints.$inferSelect;
export const maxReplayed = 1_000;

export const findEndpoint = statement((db, named: Named<'id'>) =>
  db
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.id, named('id')), isNull(webhookEndpoints.retiredAt))),
);

/** One page of endpoints, the oldest first, after the position (after_at, after_id). */
export const findEndpoints = statement((db, named: Named<'afterAt' | 'afterId' | 'limit'>) =>
  db
    .select()
    .from(webhookEndpoints)
    .where(
      and(
        isNull(webhookEndpoints.retiredAt),
        sql`(${webhookEndpoints.createdAt}, ${webhookEndpoints.id}) > (${named('afterAt')}, ${named('afterId')})`,
      ),
    )
    .orderBy(asc(webhookEndpoints.createdAt), asc(webhookEndpoints.id))
    .limit(named('limit')),
);

/** Adds an endpoint that gets all later events. */
export const insertEndpoint = (
  db: Db,
  endpoint: Pick<
    EndpointRow,
    (typeof webhookFields.names)[number] | 'id' | 'secret' | 'createdAt' | 'updatedAt'
  >,
) =>
  db
    .insert(webhookEndpoints)
    .values({
      ...endpoint,
      failures: 0,
      lastSequence: sql`(select coalesce(max(sequence), 0) from booking_events)`,
    })
    .returning();

export const changeEndpoint = (
  db: Db,
  id: string,
  fields: Partial<Omit<EndpointRow, 'id' | 'lastSequence'>> & { updatedAt: number },
) =>
  db
    .update(webhookEndpoints)
    .set(fields)
    .where(and(eq(webhookEndpoints.id, id), isNull(webhookEndpoints.retiredAt)))
    .returning();

/** Replaces the secret; the old one becomes the previous secret in the same step. */
export const rotateSecret = statement((db, named: Named<'id' | 'secret' | 'until' | 'now'>) =>
  db
    .update(webhookEndpoints)
    .set({
      previousSecret: sql`${webhookEndpoints.secret}`,
      previousSecretUntil: sql`${named('until')}`,
      secret: sql`${named('secret')}`,
      updatedAt: sql`${named('now')}`,
    })
    .where(and(eq(webhookEndpoints.id, named('id')), isNull(webhookEndpoints.retiredAt)))
    .returning(),
);

const waitsFor = (endpointId: Placeholder) =>
  and(eq(webhookDeliveries.endpointId, endpointId), sql`${webhookDeliveries.state} = 'pending'`);

/** Makes an endpoint's waiting deliveries due at once, with a whole day of attempts again. */
export const renewPending = statement((db, named: Named<'endpointId' | 'now'>) =>
  db
    .update(webhookDeliveries)
    .set({ nextAttemptAt: sql`${named('now')}`, firstAttemptAt: null })
    .where(waitsFor(named('endpointId'))),
);

/** Forgets what waits for an endpoint that is removed: nothing else would settle it, and its bookings would never be archived. */
export const dropPending = statement((db, named: Named<'endpointId'>) =>
  db.delete(webhookDeliveries).where(waitsFor(named('endpointId'))),
);

const selectDeliveries = (db: Db) =>
  db
    .select({
      id: webhookDeliveries.id,
      sequence: webhookDeliveries.sequence,
      writeId: bookingEvents.writeId,
      type: bookingEvents.type,
      bookingId: webhookDeliveries.bookingId,
      occurredAt: bookingEvents.occurredAt,
      state: webhookDeliveries.state,
      attempts: webhookDeliveries.attempts,
      lastAttemptAt: webhookDeliveries.lastAttemptAt,
      nextAttemptAt: webhookDeliveries.nextAttemptAt,
      holdUntil: webhookEndpoints.holdUntil,
      pausedAt: webhookEndpoints.pausedAt,
      dueBefore: sql<
        number | null
      >`(select max(p.next_attempt_at) from webhook_deliveries p where p.endpoint_id = ${webhookDeliveries.endpointId}
          and p.booking_id = ${webhookDeliveries.bookingId} and p.state = 'pending' and p.sequence < ${webhookDeliveries.sequence})`.as(
        'due_before',
      ),
      lastStatus: webhookDeliveries.lastStatus,
      lastError: webhookDeliveries.lastError,
      exchange: webhookDeliveries.exchange,
    })
    .from(webhookDeliveries)
    .innerJoin(bookingEvents, eq(bookingEvents.sequence, webhookDeliveries.sequence))
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId));

/** One page of an endpoint's deliveries before a sequence number, the newest event first. */
export const findDeliveries = statement((db, named: Named<'endpointId' | 'before' | 'status' | 'limit'>) =>
  selectDeliveries(db)
    .where(
      and(
        eq(webhookDeliveries.endpointId, named('endpointId')),
        lt(webhookDeliveries.sequence, named('before')),
        or(sql`${named('status')} is null`, eq(webhookDeliveries.state, named('status'))),
      ),
    )
    .orderBy(desc(webhookDeliveries.sequence))
    .limit(named('limit')),
);

export const findDelivery = statement((db, named: Named<'endpointId' | 'id'>) =>
  selectDeliveries(db).where(
    and(eq(webhookDeliveries.id, named('id')), eq(webhookDeliveries.endpointId, named('endpointId'))),
  ),
);

// A delivery in progress keeps its lease: the process that sends it may still store its outcome.
const dueAgain = (now: SQL) => ({
  nextAttemptAt: now,
  state: sql`'pending'`,
  firstAttemptAt: sql`null`,
  settledAt: sql`null`,
});

export const replayOne = statement((db, named: Named<'id' | 'endpointId' | 'now'>) =>
  db
    .update(webhookDeliveries)
    .set(dueAgain(sql`${named('now')}`))
    .where(and(eq(webhookDeliveries.id, named('id')), eq(webhookDeliveries.endpointId, named('endpointId'))))
    .returning({ id: webhookDeliveries.id }),
);

const inRange = sql`from r join webhook_endpoints e on e.id = r.endpoint_id
  join booking_events v on v.occurred_at >= r."from" and v.occurred_at < r."to" and v.sequence > r.after
  where ${wants} and v.sequence <= e.last_sequence order by v.sequence`;

/** Makes the first events of a time range after a sequence number due at an endpoint. */
export const replayRange = rowStatement(['endpointId', 'from', 'to', 'after', 'now', 'limit'], (db, row) =>
  insertFromRow(
    db,
    webhookDeliveries,
    row,
    sql`${inRange} limit (select "limit" from r)`,
    newDelivery(sql`r.now`),
  )
    .onConflictDoUpdate({
      target: [webhookDeliveries.endpointId, webhookDeliveries.sequence],
      set: dueAgain(sql`excluded.next_attempt_at`),
    })
    .returning({ sequence: webhookDeliveries.sequence }),
);

const replayed = sql`(select count(*) as n, max(sequence) as last
  from (select v.sequence ${inRange} limit (select "limit" from r)))`;

/** Puts into the stored response, in the same batch, how many events were made due, and after which to go on. */
export const countReplayed = rowStatement(
  ['endpointId', 'from', 'to', 'after', 'limit', 'userId', 'key'],
  (db, row) =>
    db
      .update(replays)
      .set({
        body: sql`(with ${row} select json_set(${replays.body}, '$.data.events', c.n, '$.data.continue_after',
          case when c.n < (select "limit" from r) then null else c.last end) from ${replayed} c)`,
      })
      .where(sql`(${replays.userId}, ${replays.key}) = (with ${row} select r.user_id, r.key from r)`),
);
