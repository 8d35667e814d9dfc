import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { fromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { webhookEndpoints } from '../../../core/tables/webhooks.ts';

/** After a successful delivery, resets the endpoint's failures. */
export const endpointWell = statement((db, named: Named<'id'>) =>
  db
    .update(webhookEndpoints)
    .set({ failures: 0, failingSince: null, holdUntil: null })
    .where(and(eq(webhookEndpoints.id, named('id')), gt(webhookEndpoints.failures, 0))),
);

/** Counts a failure and returns the new state of the endpoint. */
export const endpointFailed = statement((db, named: Named<'id' | 'now'>) =>
  db
    .update(webhookEndpoints)
    .set({
      failures: sql`${webhookEndpoints.failures} + 1`,
      failingSince: sql`coalesce(${webhookEndpoints.failingSince}, ${named('now')})`,
    })
    .where(eq(webhookEndpoints.id, named('id')))
    .returning({ failingSince: webhookEndpoints.failingSince }),
);

/** Makes a failing endpoint wait for a while. */
export const holdEndpoint = statement((db, named: Named<'id' | 'holdUntil'>) =>
  db
    .update(webhookEndpoints)
    .set({ holdUntil: sql`${named('holdUntil')}` })
    .where(eq(webhookEndpoints.id, named('id'))),
);

/** Ends a failing endpoint's wait, because an admin requested an attempt now; it still counts as failing. */
export const endHold = statement((db, named: Named<'id' | 'now'>) =>
  db
    .update(webhookEndpoints)
    .set({ holdUntil: sql`${named('now')}` })
    .where(and(eq(webhookEndpoints.id, named('id')), gt(webhookEndpoints.holdUntil, named('now')))),
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

/** Endpoints whose secrets may be sealed with an old key. */
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

/** Stores newly sealed secrets, unless the secret was rotated in the meantime. */
export const resealEndpoint = rowStatement(['id', 'oldSecret', 'secret', 'previousSecret'], (db, row) =>
  db
    .update(webhookEndpoints)
    .set({ secret: sql`r.secret`, previousSecret: sql`r.previous_secret` })
    .from(fromRow(row))
    .where(sql`${webhookEndpoints.id} = r.id and ${webhookEndpoints.secret} = r.old_secret`),
);
