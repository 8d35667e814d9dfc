import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import type { Role } from '../../../core/endpoint/roles.ts';
import { deviceLogins, refreshTokens } from '../../../core/tables/accounts.ts';
import { securityEventWhen } from '../audit/queries.ts';
import { prolonged } from '../queries.ts';

// In SQL, `r` is the row of values, `p` the presented token, `l` its device login, `c` the next token (its child).

const isPresented = sql`p.hash in (r.hash, r.legacy_hash)`;

const loginOfToken = sql`(select p.device_login_id from refresh_tokens p where ${isPresented})`;

/** An access token that was issued with the child was accepted, so the answer has arrived. */
const childUsed = sql`exists (select 1 from device_logins u where u.id = p.device_login_id
  and u.used_generation > p.generation)`;

/** The child itself was already exchanged. */
const childPresented = sql`exists (select 1 from refresh_tokens g where g.device_login_id = p.device_login_id
  and g.generation > p.generation + 1)`;

/** The token was used before, and this is not its owner repeating a request whose answer was lost or delayed. */
const reused: SQL = sql`exists (select 1 from refresh_tokens p where ${isPresented} and p.rotated_at is not null
  and (${childPresented} or p.rotated_at + r.lost_ms < r.now
    or (p.rotated_at + r.grace_ms < r.now and ${childUsed})))`;

const liveLogin = (id: SQL): SQL =>
  sql`exists (select 1 from device_logins l where l.id = ${id} and l.revoked_at is null and l.expires_at > r.now)`;

/** Runs before the login is ended, so that only the reuse that ends it records the event. */
export const recordReuse = securityEventWhen(
  sql`${reused} and ${liveLogin(loginOfToken)}`,
  ['hash', 'legacyHash', 'graceMs', 'lostMs'],
  {
    userId: sql`(select l.user_id from device_logins l where l.id = ${loginOfToken})`,
    deviceLoginId: loginOfToken,
  },
);

/** Ends the device login of a reused token, and with it every token of that login. */
export const endReusedLogin = rowStatement(['hash', 'legacyHash', 'now', 'graceMs', 'lostMs'], (db, row) =>
  db
    .update(deviceLogins)
    .set({ revokedAt: sql`r.now`, revokedReason: 'token_reuse' })
    .from(fromRow(row))
    .where(and(sql`${deviceLogins.id} = ${loginOfToken}`, isNull(deviceLogins.revokedAt), reused)),
);

/** Marks the token as used, once. */
export const rotateToken = rowStatement(['hash', 'legacyHash', 'now'], (db, row) =>
  db
    .update(refreshTokens)
    .set({ rotatedAt: sql`r.now` })
    .from(fromRow(row))
    .where(
      and(
        sql`${refreshTokens.hash} in (r.hash, r.legacy_hash)`,
        isNull(refreshTokens.rotatedAt),
        sql`${refreshTokens.expiresAt} > r.now`,
        liveLogin(sql`${refreshTokens.deviceLoginId}`),
      ),
    ),
);

/** Inserts the next token after one was used; parallel requests with the same token find the same next token. */
export const insertChild = rowStatement(['hash', 'legacyHash', 'childHash', 'now', 'expiresAt'], (db, row) =>
  insertFromRow(
    db,
    refreshTokens,
    row,
    sql`from r join refresh_tokens p on ${isPresented}
      where p.rotated_at is not null and ${liveLogin(sql`p.device_login_id`)}
        and not exists (select 1 from refresh_tokens c
          where c.device_login_id = p.device_login_id and c.generation = p.generation + 1)`,
    {
      hash: sql`r.child_hash`,
      deviceLoginId: sql`p.device_login_id`,
      generation: sql`p.generation + 1`,
      issuedAt: sql`r.now`,
    },
  ).onConflictDoNothing(),
);

/** A refresh is a use of the device login, which lasts longer by it. */
export const extendLogin = rowStatement(['childHash', 'now'], (db, row) =>
  db
    .update(deviceLogins)
    .set({
      lastSeenAt: sql`max(last_seen_at, r.now)`,
      expiresAt: prolonged(sql`r.now`),
    })
    .from(fromRow(row))
    .where(
      and(
        sql`${deviceLogins.id} = (select c.device_login_id from refresh_tokens c
          where c.hash = r.child_hash and c.issued_at = r.now)`,
        isNull(deviceLogins.revokedAt),
      ),
    ),
);

/** Each refresh that takes one token more takes the oldest two of its login away, where they expired more than a day ago. */
export const removeExpired = rowStatement(['childHash', 'now'], (db, row) =>
  db.delete(refreshTokens).where(
    sql`hash in (with ${row} select o.hash from r join (select t.hash, t.expires_at from refresh_tokens t
        where t.device_login_id = (select c.device_login_id from r join refresh_tokens c on c.hash = r.child_hash
          and c.issued_at = r.now) order by t.generation limit 2) o on o.expires_at <= r.now - 86400000)`,
  ),
);

/** The token's device login if it is valid, with its person and the hash of the next token. */
export const findSuccessor = rowStatement(['hash', 'legacyHash', 'now'], (db, row) =>
  db
    .select({
      deviceLoginId: sql<string>`l.id`.as('device_login_id'),
      userId: sql<string>`u.id`.as('user_id'),
      role: sql<Role>`u.role`.as('role'),
      name: sql<string>`u.name`.as('name'),
      phoneNumber: sql<string>`u.phone_number`.as('phone_number'),
      phoneCountryCode: sql<string>`u.phone_country_code`.as('phone_country_code'),
      email: sql<string | null>`u.email`.as('email'),
      deviceId: sql<string>`u.device_id`.as('device_id'),
      emailProvedAt: sql<number | null>`u.email_proved_at`.as('email_proved_at'),
      childHash: sql<string>`c.hash`.as('child_hash'),
      generation: sql<number>`c.generation`.as('generation'),
    })
    .from(fromRow(row))
    .innerJoin(sql`refresh_tokens p`, isPresented)
    .innerJoin(
      sql`device_logins l`,
      sql`l.id = p.device_login_id and l.revoked_at is null and l.expires_at > r.now`,
    )
    .innerJoin(sql`users u`, sql`u.id = l.user_id`)
    .innerJoin(
      sql`refresh_tokens c`,
      sql`c.device_login_id = p.device_login_id and c.generation = p.generation + 1`,
    ),
);

/** The device login that a refresh token belongs to, whatever became of it. */
export const findLoginOfToken = statement((db, named: Named<'hash' | 'legacyHash'>) =>
  db
    .select({ deviceLoginId: deviceLogins.id, userId: deviceLogins.userId })
    .from(refreshTokens)
    .innerJoin(deviceLogins, eq(deviceLogins.id, refreshTokens.deviceLoginId))
    .where(inArray(refreshTokens.hash, [named('hash'), named('legacyHash')]))
    .limit(1),
);
