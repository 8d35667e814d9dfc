import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { dayMs } from '../core/clinic/durations.ts';
import { type Named, statement } from '../core/db/statement.ts';
import {
  deviceLogins,
  emailCodes,
  loginCodes,
  passwordResets,
  refreshTokens,
  securityEvents,
} from '../core/tables/accounts.ts';
import { auditBlocks } from '../core/tables/audit.ts';
import { doctorPages, doctorPhotos, doctorSlugs } from '../core/tables/catalog.ts';
import { exchangeLookups, exchanges } from '../core/tables/exchanges.ts';
import { emailChanges } from '../core/tables/factors.ts';
import { replays } from '../core/tables/idempotency.ts';
import { patientImportRows, patientImports } from '../core/tables/imports.ts';
import { mailOutbox, notices } from '../core/tables/mail.ts';
import { isOpenMatch, recordMatches } from '../core/tables/matches.ts';
import { claimCodes } from '../core/tables/patients.ts';
import { doctorNotices, holds, waitlistEntries } from '../core/tables/queues.ts';
import { knownNetworks, throttles } from '../core/tables/throttle.ts';
import { webhookDeliveries } from '../core/tables/webhooks.ts';
import { retainedMs as trailRetainedMs } from '../modules/auth/audit/rules.ts';
import { oldestLoginMs } from '../modules/auth/rules.ts';
import { exchangeRetainedMs } from '../modules/webhooks/delivery/rules.ts';

/** How many logins a step checks, from either end of their ids. */
const loginsAStep = 500;

const swept = { swept: sql<number>`1`.as('swept') };

/** The oldest instant of a table, from the end of its index. */
const selectOldest = (table: SQLiteTable, instant: string, when: SQL = sql`true`): SQL =>
  sql`select min(x.${sql.identifier(instant)}) from ${table} x where ${when}`;

/** Deletes at most `max` rows whose instant is not after `until`, using its index; returns one row for each. */
const buildSweep = (table: SQLiteTable, instant: string, when: SQL = sql`true`, key = 'rowid') =>
  statement((db, named: Named<'until' | 'max'>) =>
    db
      .delete(table)
      .where(
        sql`(${sql.raw(key)}) in (select ${sql.raw(key)} from ${table} x where x.${sql.identifier(instant)} <= ${named('until')}
        and ${when} limit ${named('max')})`,
      )
      .returning(swept),
  );

/** The notices of past dates, by their key. */
const sweepNotices = statement((db, named: Named<'until' | 'max'>) =>
  db
    .delete(doctorNotices)
    .where(
      sql`rowid in (select x.rowid from ${doctorNotices} x
        where x.date < date(${named('until')} / 1000, 'unixepoch') limit ${named('max')})`,
    )
    .returning(swept),
);

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

/** Blocks of the audit trail without lines, except the last of them: the chain continues from its seal. */
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

/** When the first block with lines was made, unless it is the last of all. */
const oldestLines = sql`select b.newest_at from audit_blocks b
  where b.last_sequence >= (select min(l.sequence) from security_events l)
  and b.number < (select max(m.number) from audit_blocks m) order by b.last_sequence limit 1`;

/** When the first block was made that has no lines any more, unless it is the last of these. */
const oldestBlock = sql`select b.newest_at from audit_blocks b where b.number > 0 and b.number <
  (select max(g.number) from audit_blocks g where g.last_sequence < (select min(l.sequence) from security_events l))
  order by b.number limit 1`;

/** The end of the first date with a notice. */
const oldestNotice = sql`select unixepoch(min(x.date), '+1 day') * 1000 from doctor_notices x`;

/** When a login can no longer be used, whatever happens. */
const lastEnd = sql`max(x.expires_at, coalesce(x.ends_at, x.created_at + ${sql.raw(String(oldestLoginMs))}))`;

/** The first and the last login by id: new ids contain their time, and older ids sort beyond them. */
const endsOfIds = ['asc', 'desc'].map((order) => sql.raw(`where x.id > '' order by x.id ${order} limit`));

/** When the login at one end of the ids has ended. */
const oldestOfEnd = (end: SQL): SQL => sql`(select ${lastEnd} from device_logins x ${end} 1)`;

const oldestLogin = sql`select min(${sql.join(
  endsOfIds.map((end) => sql`coalesce(${oldestOfEnd(end)}, ${sql.raw(String(Number.MAX_SAFE_INTEGER))})`),
  sql`, `,
)})`;

/** Ended logins, of those next to an end of the ids whose outermost has ended: there is no index of times for them. */
const endedLogins = (until: unknown): SQL =>
  sql`(${sql.join(
    endsOfIds.map(
      (
        end,
      ) => sql`select w.id from (select x.id, ${lastEnd} as ended from device_logins x ${end} ${sql.raw(String(loginsAStep))}) w
        where w.ended <= ${until} and ${oldestOfEnd(end)} <= ${until}`,
    ),
    sql` union all `,
  )})`;

/** The stored requests to receivers and their answers, of old attempts; the log itself stays. */
const hasExchange = sql`x.exchange is not null`;
const forgetExchanges = statement((db, named: Named<'until' | 'max'>) =>
  db
    .update(webhookDeliveries)
    .set({ exchange: null })
    .where(
      sql`rowid in (select x.rowid from ${webhookDeliveries} x where x.last_attempt_at <= ${named('until')}
        and ${hasExchange} limit ${named('max')})`,
    )
    .returning(swept),
);

/** The tokens of logins that are over. */
const sweepTokens = statement((db, named: Named<'until' | 'max'>) =>
  db
    .delete(refreshTokens)
    .where(
      sql`hash in (select t.hash from ${endedLogins(named('until'))} d
        cross join refresh_tokens t on t.device_login_id = d.id limit ${named('max')})`,
    )
    .returning(swept),
);

/** Logins that are over, once their tokens are gone. */
const sweepLogins = statement((db, named: Named<'until' | 'max'>) =>
  db
    .delete(deviceLogins)
    .where(
      sql`id in (select d.id from ${endedLogins(named('until'))} d
        where not exists (select 1 from refresh_tokens t where t.device_login_id = d.id) limit ${named('max')})`,
    )
    .returning(swept),
);

const ofRetired = sql`${doctorPages} page cross join doctors d on d.id = page.doctor_id`;

/** The pages of doctors who retired: few, so that they need no index. */
const sweepPages = statement((db, named: Named<'until' | 'max'>) =>
  db
    .delete(doctorPages)
    .where(
      sql`doctor_id in (select page.doctor_id from ${ofRetired} where d.retired_at <= ${named('until')} limit ${named('max')})`,
    )
    .returning(swept),
);
const oldestPage = sql`select min(d.retired_at) from ${ofRetired}`;

/** What belonged to a page that is gone. */
const leftOver = (table: SQLiteTable, ofPage: SQL) => {
  const rows = sql`${table} lone where not exists (select 1 from doctor_pages page where ${ofPage})`;
  return {
    sweep: statement((db, named: Named<'until' | 'max'>) =>
      db
        .delete(table)
        .where(sql`rowid in (select lone.rowid from ${rows} and ${named('until')} > 0 limit ${named('max')})`)
        .returning(swept),
    ),
    oldest: sql`select 0 from ${rows} limit 1`,
    retainedMs: 0,
  };
};

/**
 * A table whose rows are deleted a time after one of their instants, unless `when` is true. A table without row ids is
 * swept by its `key`.
 */
const expiring = (table: SQLiteTable, instant: string, retainedMs: number, when?: SQL, key?: string) => ({
  sweep: buildSweep(table, instant, when, key),
  oldest: selectOldest(table, instant, when),
  retainedMs,
});

/**
 * How long each kind of row is retained after it expired or was settled, and the oldest that is there. Child tables come
 * before their parents.
 */
export const sweeps = [
  expiring(replays, 'expires_at', 0, undefined, 'user_id, key'),
  { sweep: sweepTokens, oldest: oldestLogin, retainedMs: dayMs },
  { sweep: sweepLogins, oldest: oldestLogin, retainedMs: dayMs },
  expiring(throttles, 'expires_at', 0, undefined, 'key'),
  expiring(knownNetworks, 'expires_at', 0, undefined, 'account, network'),
  expiring(passwordResets, 'expires_at', dayMs, undefined, 'hash'),
  expiring(emailCodes, 'expires_at', dayMs, undefined, 'user_id'),
  expiring(loginCodes, 'expires_at', dayMs, undefined, 'address'),
  expiring(holds, 'expires_at', 0),
  expiring(emailChanges, 'expires_at', dayMs),
  expiring(claimCodes, 'expires_at', dayMs),
  // What the desk declined stays declined.
  expiring(recordMatches, 'created_at', 365 * dayMs, isOpenMatch),
  expiring(patientImportRows, 'created_at', 30 * dayMs, undefined, 'import_id, row'),
  expiring(
    patientImports,
    'updated_at',
    30 * dayMs,
    sql`not exists (select 1 from patient_import_rows o where o.import_id = x.id)`,
  ),
  expiring(mailOutbox, 'expires_at', 30 * dayMs, undefined, 'id'),
  // An address that was not told in time.
  expiring(mailOutbox, 'expires_at', 0, sql`x.address is not null`, 'id'),
  expiring(notices, 'created_at', 90 * dayMs),
  { sweep: sweepTrail, oldest: oldestLines, retainedMs: trailRetainedMs },
  { sweep: sweepBlocks, oldest: oldestBlock, retainedMs: trailRetainedMs },
  expiring(waitlistEntries, 'ended_at', 30 * dayMs),
  { sweep: sweepNotices, oldest: oldestNotice, retainedMs: 30 * dayMs },
  {
    sweep: forgetExchanges,
    oldest: selectOldest(webhookDeliveries, 'last_attempt_at', hasExchange),
    retainedMs: exchangeRetainedMs,
  },
  expiring(webhookDeliveries, 'settled_at', 30 * dayMs),
  // What waits or is parked for a month: few, so that neither needs an index.
  expiring(exchanges, 'occurred_at', 30 * dayMs),
  expiring(exchangeLookups, 'asked_at', dayMs),
  { sweep: sweepPages, oldest: oldestPage, retainedMs: 90 * dayMs },
  leftOver(doctorPhotos, sql`page.photo_tag = lone.tag`),
  leftOver(doctorSlugs, sql`page.doctor_id = lone.doctor_id`),
] as const;
