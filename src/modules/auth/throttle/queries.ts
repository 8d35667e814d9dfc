import { and, eq, sql } from 'drizzle-orm';
import { insertFromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { isRecorded, rowIsRecorded } from '../../../core/tables/accounts.ts';
import { knownNetworks, throttles } from '../../../core/tables/throttle.ts';

const networkIsKnown = sql`exists (select 1 from known_networks n where n.account = r.account
  and n.network = r.network and n.expires_at > r.now)`;

/** Used instead of a network: this row stores the expiry up to which the account's device tokens are void. */
const voidDevices = sql`''`;

const deviceIsKnown = sql`(r.device_until is not null and not exists (select 1 from known_networks v
  where v.account = r.account and v.network = ${voidDevices} and v.expires_at >= r.device_until))`;

// The counters that apply. The account's own counter applies only to networks and devices that never logged in to it.
const binding = sql`k as (select j.value ->> 'key' as key, j.value -> 'waits' as waits, j.value ->> 'drain' as drain,
  cast(r.now as integer) as now from r, json_each(r.counters) j
  where j.value ->> 'scope' <> 'account' or not (${networkIsKnown} or ${deviceIsKnown}))`;

const fullFrom = sql`max(coalesce(t.empty_at, 0), k.now)`;
const attempt = sql`((${fullFrom} - k.now + k.drain + k.drain - 1) / k.drain)`;
const wait = sql`json_extract(k.waits, '$[' || (min(${attempt}, json_array_length(k.waits)) - 1) || ']')`;

const attemptRow = ['counters', 'account', 'network', 'deviceUntil', 'now'] as const;

/**
 * Counts an attempt in every counter that applies, if none of them is blocked. A single statement, so that parallel
 * attempts cannot exceed the limit. Returns the counters that counted it, or nothing.
 */
export const countAttempt = rowStatement(attemptRow, (db, row) =>
  insertFromRow(
    db,
    throttles,
    sql`${row}, ${binding}`,
    sql`from k left join throttles t on t.key = k.key
      where not exists (select 1 from k o join throttles c on c.key = o.key where c.blocked_until > o.now)`,
    {
      key: sql`k.key`,
      emptyAt: sql`${fullFrom} + k.drain`,
      blockedUntil: sql`k.now + ${wait}`,
      expiresAt: sql`max(${fullFrom} + k.drain, k.now + ${wait})`,
    },
  )
    .onConflictDoUpdate({
      target: throttles.key,
      set: {
        emptyAt: sql`excluded.empty_at`,
        blockedUntil: sql`excluded.blocked_until`,
        expiresAt: sql`excluded.expires_at`,
      },
    })
    .returning({ key: throttles.key }),
);

/** The current state of the counters that apply. */
export const findCounters = rowStatement(attemptRow, (db, row) =>
  db
    .select({
      key: sql<string>`t.key`.as('key'),
      emptyAt: sql<number>`t.empty_at`.as('empty_at'),
      blockedUntil: sql<number>`t.blocked_until`.as('blocked_until'),
    })
    .from(sql`(with ${row}, ${binding} select c.* from k join throttles c on c.key = k.key) t`),
);

export const clearCounter = statement((db, named: Named<'key'>) =>
  db.delete(throttles).where(eq(throttles.key, named('key'))),
);

/** Forgets counters, given as JSON, if the event of this write was recorded. */
export const forgetCounter = statement((db, named: Named<'keys' | 'writeId'>) =>
  db
    .delete(throttles)
    .where(
      sql`${throttles.key} in (select value from json_each(${named('keys')})) and ${isRecorded(named('writeId'))}`,
    ),
);

/** Stores that somebody logged in to the account from this network. */
export const rememberNetwork = statement((db, named: Named<'account' | 'network' | 'expiresAt'>) =>
  db
    .insert(knownNetworks)
    .values({ account: named('account'), network: named('network'), expiresAt: named('expiresAt') })
    .onConflictDoUpdate({
      target: [knownNetworks.account, knownNetworks.network],
      set: { expiresAt: sql`excluded.expires_at` },
    }),
);

/** Forgets the networks from which the account was opened, if the event of this write was recorded. */
export const forgetNetworks = statement((db, named: Named<'account' | 'writeId'>) =>
  db
    .delete(knownNetworks)
    .where(and(eq(knownNetworks.account, named('account')), isRecorded(named('writeId')))),
);

/** Makes the account's device tokens void that expire at `expiresAt` or before, if the event was recorded. */
export const forgetDevices = rowStatement(['account', 'expiresAt', 'writeId'], (db, row) =>
  insertFromRow(db, knownNetworks, row, sql`from r where ${rowIsRecorded}`, {
    network: voidDevices,
  }).onConflictDoUpdate({
    target: [knownNetworks.account, knownNetworks.network],
    set: { expiresAt: sql`excluded.expires_at` },
  }),
);
