import { type SQL, sql } from 'drizzle-orm';
import { insertFromRow } from '../../../core/db/from-row.ts';
import { randomUuid } from '../../../core/db/ids.ts';
import { rowStatement, statement } from '../../../core/db/statement.ts';
import { webhookDeliveries, webhookEndpoints } from '../../../core/tables/webhooks.ts';

const maxEventsAtOnce = 500;

/** The sequence of the last event that becomes a delivery in the next step, for the endpoint `e`. */
const stretchEnd = sql`(select max(s.sequence) from (select n.sequence from booking_events n
  where n.sequence > e.last_sequence order by n.sequence limit ${sql.raw(String(maxEventsAtOnce))}) s)`;

/** Condition: the endpoint `e` is in service and not paused. */
export const isActive = sql`e.paused_at is null and e.retired_at is null`;

/** Condition: the endpoint `e` has chosen the type of the event `v`. */
export const wants = sql`(e.event_types = '[]' or exists (select 1 from json_each(e.event_types) t where t.value = v.type))`;

/** A new delivery of the event `v` to the endpoint `e`, still without an attempt. */
export const newDelivery = (now: SQL) => ({
  id: randomUuid,
  endpointId: sql`e.id`,
  sequence: sql`v.sequence`,
  bookingId: sql`v.booking_id`,
  state: sql`'pending'`,
  attempts: sql`0`,
  nextAttemptAt: now,
  createdAt: now,
});

/** Whether there are events without deliveries, or deliveries that wait. */
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

/** Makes deliveries of the next events, for all active endpoints at once. */
export const fanOut = rowStatement(['now'], (db, row) =>
  insertFromRow(
    db,
    webhookDeliveries,
    row,
    sql`from r join webhook_endpoints e on ${isActive}
        join booking_events v on v.sequence > e.last_sequence and v.sequence <= ${stretchEnd} where ${wants}`,
    newDelivery(sql`r.now`),
  ).onConflictDoNothing(),
);

/** Follows `fanOut` in the same batch: moves each endpoint's cursor past those events. */
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

/** The number of waiting deliveries and the time of the oldest. */
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
