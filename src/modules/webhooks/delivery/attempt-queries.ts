import { asc, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { fromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { bookingEvents, webhookDeliveries } from '../../../core/tables/webhooks.ts';
import { isActive } from './fan-out-queries.ts';
import { maxAttemptsOfEndpoint } from './rules.ts';

/**
 * Active endpoints with due deliveries, failing ones last. Equal ones come in random order, so that slow endpoints do
 * not always come first when there is no time for all.
 */
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
          and d.next_attempt_at <= r.now) order by e.failures, random() limit (select "limit" from r)) e`,
    ),
);

/**
 * Claims due deliveries for one process: only the oldest of each booking, and none that another process has claimed. The
 * update itself checks these conditions, so that each attempt is claimed once.
 */
const claimAtMost = (max: number) =>
  rowStatement(['endpointId', 'leaseId', 'now', 'leaseUntil'], (db, row) =>
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
        order by d.next_attempt_at, d.sequence limit ${sql.raw(String(max))})`,
      ),
  );

const claimOne = claimAtMost(1);
const claims = [
  claimOne,
  ...Array.from({ length: maxAttemptsOfEndpoint - 1 }, (_, at) => claimAtMost(at + 2)),
];

/** Claims at most `max` due deliveries. */
export const claimDue = (db: Db, lease: Parameters<typeof claimOne>[1], max: number) =>
  (claims[max - 1] ?? claimOne)(db, lease);

/** The deliveries of a claim, with their events. */
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
      actorRole: bookingEvents.actorRole,
    })
    .from(webhookDeliveries)
    .innerJoin(bookingEvents, eq(bookingEvents.sequence, webhookDeliveries.sequence))
    .where(eq(webhookDeliveries.leaseId, named('leaseId')))
    .orderBy(asc(bookingEvents.sequence)),
);

/** Stores the outcome of an attempt, unless another process has taken over its lease. */
export const settleAttempt = rowStatement(
  ['id', 'leaseId', 'state', 'nextAttemptAt', 'settledAt', 'status', 'error'],
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

/** After a success that follows failures, makes waiting deliveries due: the receiver works again. */
export const wakeWaiting = rowStatement(['endpointId', 'now'], (db, row) =>
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
