import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { retainedMs as trailRetainedMs } from '../auth/audit/rules.ts';
import { type Named, statement } from '../db/statement.ts';
import {
  deviceLogins,
  emailCodes,
  passwordResets,
  refreshTokens,
  securityEvents,
} from '../tables/accounts.ts';
import { auditBlocks } from '../tables/audit.ts';
import { emailChanges } from '../tables/factors.ts';
import { replays } from '../tables/idempotency.ts';
import { mailOutbox } from '../tables/mail.ts';
import { claimCodes } from '../tables/patients.ts';
import { doctorNotices } from '../tables/queues.ts';
import { knownNetworks, throttles } from '../tables/throttle.ts';
import { webhookDeliveries } from '../tables/webhooks.ts';

const day = 86_400_000;

/** Deletes at most `max` rows whose instant is not after `until`, using its index; returns one row for each. */
const sweepOf = (table: SQLiteTable, instant: string, when: SQL = sql`true`) =>
  statement((db, named: Named<'until' | 'max'>) =>
    db
      .delete(table)
      .where(
        sql`rowid in (select x.rowid from ${table} x where x.${sql.identifier(instant)} <= ${named('until')}
        and ${when} limit ${named('max')})`,
      )
      .returning({ swept: sql<number>`1`.as('swept') }),
  );

/** The notices of past dates, by their key. */
const sweepNotices = statement((db, named: Named<'until' | 'max'>) =>
  db
    .delete(doctorNotices)
    .where(
      sql`rowid in (select x.rowid from ${doctorNotices} x
        where x.date < date(${named('until')} / 1000, 'unixepoch') limit ${named('max')})`,
    )
    .returning({ swept: sql<number>`1`.as('swept') }),
);

const swept = { swept: sql<number>`1`.as('swept') };

/**
 * Whole blocks of the audit trail whose latest line is old enough, in their order: so many lines as fit, but one block at
 * least. Never the last block, so that the chain always has one that can be checked against its lines.
 */
const sweepTrail = statement((db, named: Named<'until' | 'max'>) => {
  const first = sql`(select min(e.sequence) from security_events e)`;
  // Blocks before the first that is not old enough, and before the last.
  const isOld = sql`b.number < coalesce((select k.number from audit_blocks k where k.number > 0 and k.newest_at > ${named('until')}
    order by k.number limit 1), b.number + 1) and b.number < (select max(m.number) from audit_blocks m)`;
  return db
    .delete(securityEvents)
    .where(
      sql`sequence <= coalesce(
        (select b.last_sequence from audit_blocks b where b.last_sequence >= ${first}
          and b.last_sequence < ${first} + ${named('max')} and ${isOld} order by b.last_sequence desc limit 1),
        (select b.last_sequence from audit_blocks b where b.last_sequence >= ${first} and ${isOld}
          order by b.last_sequence limit 1))`,
    )
    .returning(swept);
});

/** Blocks of the audit trail that have no lines any more, but for the last of them: the chain goes on from its seal. */
const sweepBlocks = statement((db, named: Named<'until' | 'max'>) =>
  db
    .delete(auditBlocks)
    .where(
      sql`number in (select b.number from audit_blocks b where b.newest_at <= ${named('until')}
        and b.number < (select max(g.number) from audit_blocks g
          where g.last_sequence < (select min(e.sequence) from security_events e))
        order by b.number limit ${named('max')})`,
    )
    .returning(swept),
);

/** How long each kind of row is kept after it expired or was settled; child tables come before their parents. */
export const sweeps = [
  { sweep: sweepOf(replays, 'expires_at'), retainedMs: 0 },
  { sweep: sweepOf(refreshTokens, 'expires_at'), retainedMs: day },
  {
    sweep: sweepOf(
      deviceLogins,
      'expires_at',
      sql`not exists (select 1 from refresh_tokens t where t.device_login_id = x.id)`,
    ),
    retainedMs: 30 * day,
  },
  { sweep: sweepOf(throttles, 'expires_at'), retainedMs: 0 },
  { sweep: sweepOf(knownNetworks, 'expires_at'), retainedMs: 0 },
  { sweep: sweepOf(passwordResets, 'expires_at'), retainedMs: day },
  { sweep: sweepOf(emailCodes, 'expires_at'), retainedMs: day },
  { sweep: sweepOf(emailChanges, 'expires_at'), retainedMs: day },
  { sweep: sweepOf(claimCodes, 'expires_at'), retainedMs: day },
  { sweep: sweepOf(mailOutbox, 'expires_at'), retainedMs: 30 * day },
  { sweep: sweepTrail, retainedMs: trailRetainedMs },
  { sweep: sweepBlocks, retainedMs: trailRetainedMs },
  { sweep: sweepNotices, retainedMs: 30 * day },
  { sweep: sweepOf(webhookDeliveries, 'settled_at'), retainedMs: 30 * day },
] as const;
