import { type SQL, sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';

const queueNames = ['mails', 'notices', 'webhooks', 'bookings', 'audit'] as const;
export type QueueName = (typeof queueNames)[number];

/** The work that waits for each job of the service, by when it is due. */
const waiting = (named: Named<'now'>): Record<QueueName, SQL> => ({
  mails: sql`select o.due_at as due from mail_outbox o where o.sent_at is null and o.failed_at is null
    and o.expires_at > ${named('now')}`,
  notices: sql`select n.due_at as due from notices n where n.state = 'pending'`,
  webhooks: sql`select d.next_attempt_at as due from webhook_endpoints e join webhook_deliveries d
    on d.endpoint_id = e.id and d.state = 'pending' where e.retired_at is null and e.paused_at is null`,
  // Bookings that were not approved before their time: they expire.
  bookings: sql`select b.ends_at as due from bookings b where b.status = 'waiting' and b.ends_at <= ${named('now')}`,
  audit: sql`select l.occurred_at as due from security_events l
    where l.sequence > coalesce((select max(a.last_sequence) from audit_blocks a), 0)`,
});

/** How much waits in each queue, and when the oldest of it was due. */
export const findQueues = statement((db, named: Named<'now'>) =>
  db
    .select({
      name: sql<QueueName>`q.name`.as('name'),
      count: sql<number>`q.waiting`.as('waiting'),
      oldest: sql<number | null>`q.oldest`.as('oldest'),
    })
    .from(
      sql`(${sql.join(
        Object.entries(waiting(named)).map(
          ([name, rows]) =>
            sql`select ${sql.raw(`'${name}'`)} as name, count(*) as waiting, min(w.due) as oldest from (${rows}) w`,
        ),
        sql` union all `,
      )}) q`,
    ),
);

/** How many API keys open something, since when the oldest is, and when the next one ends. */
export const findKeyAges = statement((db, named: Named<'now'>) =>
  db
    .select({
      count: sql<number>`count(*)`.as('key_count'),
      oldest: sql<number | null>`min(k.created_at)`.as('oldest'),
      nextEnd: sql<number | null>`min(k.expires_at)`.as('next_end'),
    })
    .from(
      sql`api_keys k where k.revoked_at is null and (k.expires_at is null or k.expires_at > ${named('now')})`,
    ),
);

/** How many receivers of webhooks are paused. */
export const findPaused = statement((db) =>
  db
    .select({ count: sql<number>`count(*)`.as('paused') })
    .from(sql`webhook_endpoints e where e.retired_at is null and e.paused_at is not null`),
);
