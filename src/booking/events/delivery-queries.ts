import { and, asc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import { columnsInOrder } from '../../db/insert-select.ts';
import { type Named, rowStatement, statement } from '../../db/statement.ts';
import { bookingEvents, webhookDeliveries, webhookEndpoints } from './tables.ts';

const mostEventsAtOnce = 500;

const fromRow = (row: SQL) => sql`(with ${row} select * from r) r`;

/** The end of the stretch of events that is made into deliveries next; an endpoint is `e`. */
const stretchEnd = sql`(select max(s.sequence) from (select n.sequence from booking_events n
  where n.sequence > e.last_sequence order by n.sequence limit ${sql.raw(String(mostEventsAtOnce))}) s)`;

const isActive = sql`e.paused_at is null and e.retired_at is null`;

/** Whether an endpoint wants an event's type. */
const wants = sql`(e.event_types = '[]' or exists (select 1 from json_each(e.event_types) t where t.value = v.type))`;

// Random ids made by the database, since the number of rows is known to it alone.
const randomId = sql.raw(
  "lower(hex(randomblob(4))||'-'||hex(randomblob(2))||'-4'||substr(hex(randomblob(2)),2)||'-8'||substr(hex(randomblob(2)),2)||'-'||hex(randomblob(6)))",
);

const newDelivery = (now: SQL) =>
  columnsInOrder(webhookDeliveries, {
    id: randomId,
    endpointId: sql`e.id`,
    sequence: sql`v.sequence`,
    bookingId: sql`v.booking_id`,
    state: sql`'pending'`,
    attempts: sql`0`,
    firstAttemptAt: sql`null`,
    lastAttemptAt: sql`null`,
    nextAttemptAt: now,
    leaseId: sql`null`,
    leaseUntil: sql`null`,
    lastStatus: sql`null`,
    lastError: sql`null`,
    createdAt: now,
    settledAt: sql`null`,
  });

/** Whether there are events that no active endpoint has been given yet, or deliveries that wait. */
export const findWork = statement((db) =>
  db
    .select({
      fresh: sql<number>`exists (select 1 from webhook_endpoints e where ${isActive} and e.last_sequence <
        (select coalesce(max(v.sequence), 0) from booking_events v))`.as('fresh'),
      pending: sql<number>`exists (select 1 from webhook_endpoints e join webhook_deliveries d
        on d.endpoint_id = e.id and d.state = 'pending' where ${isActive})`.as('pending'),
    })
    .from(sql`(select 1 as one) r`),
);

/** Makes the next stretch of events into deliveries, for every active endpoint at once. */
export const fanOut = rowStatement(['now'], (db, row) =>
  db
    .insert(webhookDeliveries)
    .select(
      sql`with ${row} select ${newDelivery(sql`r.now`)} from r join webhook_endpoints e on ${isActive}
        join booking_events v on v.sequence > e.last_sequence and v.sequence <= ${stretchEnd} where ${wants}`,
    )
    .onConflictDoNothing(),
);

/** Goes with `fanOut`, after it in the same batch: the cursor steps over the stretch. */
export const stepCursors = statement((db) =>
  db
    .update(webhookEndpoints)
    .set({
      lastSequence: sql`(select ${stretchEnd} from webhook_endpoints e where e.id = ${sql.raw('webhook_endpoints.id')})`,
    })
    .where(
      sql`${webhookEndpoints.pausedAt} is null and ${webhookEndpoints.retiredAt} is null and
        ${webhookEndpoints.lastSequence} < (select coalesce(max(v.sequence), 0) from booking_events v)`,
    ),
);

/** Active endpoints that have something to be sent now. */
export const findDueEndpoints = rowStatement(['now', 'limit'], (db, row) =>
  db
    .select({
      id: sql<string>`e.id`.as('id'),
      url: sql<string>`e.url`.as('url'),
      secret: sql<string>`e.secret`.as('secret'),
      previousSecret: sql<string | null>`e.previous_secret`.as('previous_secret'),
      previousSecretUntil: sql<number | null>`e.previous_secret_until`.as('previous_secret_until'),
      failingSince: sql<number | null>`e.failing_since`.as('failing_since'),
    })
    .from(
      sql`(with ${row} select e.* from r join webhook_endpoints e on ${isActive}
        and (e.hold_until is null or e.hold_until <= r.now)
        and exists (select 1 from webhook_deliveries d where d.endpoint_id = e.id and d.state = 'pending'
          and d.next_attempt_at <= r.now) order by e.id limit (select "limit" from r)) e`,
    ),
);

/**
 * Takes due deliveries for one process: the oldest of each booking alone, and none that another process holds. The
 * conditions are the update's own, so that each attempt is given out once.
 */
const claimAtMost = (most: number) =>
  rowStatement(['endpoint_id', 'lease_id', 'now', 'lease_until'], (db, row) =>
    db
      .update(webhookDeliveries)
      .set({
        leaseId: sql`r.lease_id`,
        leaseUntil: sql`r.lease_until`,
        attempts: sql`${webhookDeliveries.attempts} + 1`,
        firstAttemptAt: sql`coalesce(${webhookDeliveries.firstAttemptAt}, r.now)`,
        lastAttemptAt: sql`r.now`,
      })
      .from(fromRow(row))
      .where(
        sql`${webhookDeliveries.id} in (select d.id from webhook_deliveries d join webhook_endpoints e
        on e.id = d.endpoint_id and ${isActive} and (e.hold_until is null or e.hold_until <= r.now)
        where d.endpoint_id = r.endpoint_id and d.state = 'pending' and d.next_attempt_at <= r.now
        and (d.lease_until is null or d.lease_until <= r.now)
        and not exists (select 1 from webhook_deliveries p where p.endpoint_id = d.endpoint_id
          and p.booking_id = d.booking_id and p.state = 'pending' and p.sequence < d.sequence)
        order by d.next_attempt_at, d.sequence limit ${sql.raw(String(most))})`,
      ),
  );

export const claimDue = claimAtMost(10);
/** For an endpoint that fails: one event asks whether it is back. */
export const claimProbe = claimAtMost(1);

/** What a process has claimed, with the events to be sent. */
export const findClaimed = statement((db, named: Named<'leaseId'>) =>
  db
    .select({
      id: webhookDeliveries.id,
      attempts: webhookDeliveries.attempts,
      firstAttemptAt: sql<number>`${webhookDeliveries.firstAttemptAt}`.as('first_attempt_at'),
      sequence: bookingEvents.sequence,
      writeId: bookingEvents.writeId,
      type: bookingEvents.type,
      occurredAt: bookingEvents.occurredAt,
      requestId: bookingEvents.requestId,
      payload: bookingEvents.payload,
    })
    .from(webhookDeliveries)
    .innerJoin(bookingEvents, eq(bookingEvents.sequence, webhookDeliveries.sequence))
    .where(eq(webhookDeliveries.leaseId, named('leaseId')))
    .orderBy(asc(bookingEvents.sequence)),
);

/** Writes down what became of an attempt, unless its lease was lost to another process. */
export const settleAttempt = rowStatement(
  ['id', 'lease_id', 'state', 'next_attempt_at', 'settled_at', 'status', 'error'],
  (db, row) =>
    db
      .update(webhookDeliveries)
      .set({
        state: sql`r.state`,
        nextAttemptAt: sql`coalesce(r.next_attempt_at, ${webhookDeliveries.nextAttemptAt})`,
        settledAt: sql`r.settled_at`,
        lastStatus: sql`r.status`,
        lastError: sql`r.error`,
        leaseId: sql`null`,
        leaseUntil: sql`null`,
      })
      .from(fromRow(row))
      .where(sql`${webhookDeliveries.id} = r.id and ${webhookDeliveries.leaseId} = r.lease_id`),
);

/** A receipt after failures wakes what waits for a later attempt: the receiver is back. */
export const wakeWaiting = rowStatement(['endpoint_id', 'now'], (db, row) =>
  db
    .update(webhookDeliveries)
    .set({ nextAttemptAt: sql`r.now` })
    .from(fromRow(row))
    .where(
      sql`${webhookDeliveries.endpointId} = r.endpoint_id and ${webhookDeliveries.state} = 'pending'
        and ${webhookDeliveries.nextAttemptAt} > r.now and exists (select 1 from webhook_endpoints e
        where e.id = r.endpoint_id and e.hold_until is not null)`,
    ),
);

/** After a receipt the endpoint counts as well. */
export const endpointWell = statement((db, named: Named<'id'>) =>
  db
    .update(webhookEndpoints)
    .set({ failures: 0, failingSince: null, holdUntil: null })
    .where(and(eq(webhookEndpoints.id, named('id')), gt(webhookEndpoints.failures, 0))),
);

/** Counts a failure and says how the endpoint stands after it. */
export const endpointFailed = statement((db, named: Named<'id' | 'now'>) =>
  db
    .update(webhookEndpoints)
    .set({
      failures: sql`${webhookEndpoints.failures} + 1`,
      failingSince: sql`coalesce(${webhookEndpoints.failingSince}, ${named('now')})`,
    })
    .where(eq(webhookEndpoints.id, named('id')))
    .returning({ failures: webhookEndpoints.failures, failingSince: webhookEndpoints.failingSince }),
);

/** Leaves a failing endpoint in peace for a while. */
export const holdEndpoint = statement((db, named: Named<'id' | 'holdUntil'>) =>
  db
    .update(webhookEndpoints)
    .set({ holdUntil: sql`${named('holdUntil')}` })
    .where(eq(webhookEndpoints.id, named('id'))),
);

/** Pauses an endpoint until an admin resumes it. */
export const pauseEndpoint = statement((db, named: Named<'id' | 'now' | 'reason'>) =>
  db
    .update(webhookEndpoints)
    .set({
      pausedAt: sql`${named('now')}`,
      pausedReason: sql`${named('reason')}`,
      updatedAt: sql`${named('now')}`,
    })
    .where(and(eq(webhookEndpoints.id, named('id')), isNull(webhookEndpoints.pausedAt))),
);

/** How much waits to be delivered, and since when the oldest does. */
export const findBacklog = statement((db) =>
  db
    .select({
      pending: sql<number>`count(d.id)`.as('pending'),
      oldestAt: sql<number | null>`min(d.created_at)`.as('oldest_at'),
      paused: sql<number>`(select count(*) from webhook_endpoints p where p.paused_at is not null
        and p.retired_at is null)`.as('paused'),
    })
    .from(
      sql`(select d.id, d.created_at from webhook_endpoints e join webhook_deliveries d
        on d.endpoint_id = e.id and d.state = 'pending' where e.retired_at is null) d`,
    ),
);

/** Endpoints whose secrets may have been sealed by a key that goes out of use. */
export const findSealed = statement((db) =>
  db
    .select({
      id: webhookEndpoints.id,
      secret: webhookEndpoints.secret,
      previousSecret: webhookEndpoints.previousSecret,
    })
    .from(webhookEndpoints)
    .where(isNull(webhookEndpoints.retiredAt)),
);

/** Puts newly sealed secrets in place, unless they were rotated meanwhile. */
export const resealEndpoint = rowStatement(['id', 'old_secret', 'secret', 'previous_secret'], (db, row) =>
  db
    .update(webhookEndpoints)
    .set({ secret: sql`r.secret`, previousSecret: sql`r.previous_secret` })
    .from(fromRow(row))
    .where(sql`${webhookEndpoints.id} = r.id and ${webhookEndpoints.secret} = r.old_secret`),
);

export { newDelivery, wants };
