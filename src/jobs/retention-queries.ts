import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { type Named, statement } from '../db/statement.ts';
import {
  deviceLogins,
  emailCodes,
  passwordResets,
  refreshTokens,
  securityEvents,
} from '../tables/accounts.ts';
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
  { sweep: sweepOf(securityEvents, 'occurred_at'), retainedMs: 730 * day },
  { sweep: sweepNotices, retainedMs: 30 * day },
  { sweep: sweepOf(webhookDeliveries, 'settled_at'), retainedMs: 30 * day },
] as const;
