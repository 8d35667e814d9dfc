import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { insertFromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { deviceLogins, refreshTokens, rowIsRecorded, users } from '../../../core/tables/accounts.ts';
import { securityEventWhen } from '../audit/queries.ts';
import { proofColumns, proofHolds } from '../factors/queries.ts';
import { mailWhen } from '../mail/queries.ts';

type NewDeviceLogin = typeof deviceLogins.$inferInsert;
type NewRefreshToken = typeof refreshTokens.$inferInsert;

export const insertDeviceLogin = (db: Db, login: NewDeviceLogin, token: NewRefreshToken) =>
  [db.insert(deviceLogins).values(login), db.insert(refreshTokens).values(token)] as const;

export const findUserByEmail = statement((db, named: Named<'email'>) =>
  db
    .select()
    .from(users)
    .where(eq(users.email, named('email'))),
);

export const findUserById = statement((db, named: Named<'id'>) =>
  db
    .select()
    .from(users)
    .where(eq(users.id, named('id'))),
);

const login = ['id', 'userId', 'deviceId', 'userAgent', 'now', 'expiresAt', 'idleMs', 'endsAt'] as const;

/** Makes a statement that opens a device login, once, if `guard` is true: a condition on its row `r`. */
const openWhen = <const K extends string>(guard: SQL, more: readonly K[]) =>
  rowStatement([...login, ...more], (db, row) =>
    insertFromRow(
      db,
      deviceLogins,
      row,
      sql`from r where ${guard} and not exists (select 1 from device_logins l where l.id = r.id)`,
      {
        createdAt: sql`r.now`,
        lastSeenAt: sql`r.now`,
        usedGeneration: sql`0`,
      },
    ),
  );

/** The account is open, the verified password is still its own, and the condition `more` is true for it. */
const mayOpen = (more = sql``) => sql`exists (select 1 from users u where u.id = r.user_id
  and u.password_hash = r.password_hash and u.deactivated_at is null${more})`;

const phoneIsItsOwn = sql` and (r.login_phone is null or u.login_phone = r.login_phone)`;

/** Opens a device login by one proof alone, for an account without a second factor; by a phone, if that is still its own. */
export const openDeviceLogin = openWhen(mayOpen(sql` and u.second_factor_at is null${phoneIsItsOwn}`), [
  'passwordHash',
  'loginPhone',
]);

/** Comes first in the batch of a login with a second factor: the other statements follow from this event. */
export const recordProvedLogin = securityEventWhen(
  sql`${mayOpen(phoneIsItsOwn)} and ${proofHolds} and not exists (select 1 from device_logins l where l.id = r.device_login_id)`,
  ['passwordHash', 'loginPhone', ...proofColumns],
);

/** Opens a device login whose proof was recorded in the same batch. */
export const openProvedLogin = openWhen(rowIsRecorded, ['writeId']);

/** The first refresh token of a device login, if that was opened. */
export const insertFirstToken = rowStatement(['hash', 'loginId', 'now', 'expiresAt'], (db, row) =>
  insertFromRow(
    db,
    refreshTokens,
    row,
    sql`from r where exists (select 1 from device_logins l where l.id = r.login_id)`,
    {
      deviceLoginId: sql`r.login_id`,
      generation: sql`0`,
      issuedAt: sql`r.now`,
    },
  ).onConflictDoNothing(),
);

/**
 * Queues a mail about a login on a device and from a network that the account does not know; not for its first login.
 */
export const mailNewDevice = mailWhen(
  sql`exists (select 1 from device_logins l where l.id = r.login_id)
    and exists (select 1 from device_logins l where l.user_id = r.user_id and l.id <> r.login_id)
    and not exists (select 1 from known_networks n where n.account = r.account and n.network = r.network
      and n.expires_at > r.now)`,
  ['loginId', 'account', 'network'],
);

/** Records a login if it was opened. */
export const recordLogin = securityEventWhen(
  sql`exists (select 1 from device_logins l where l.id = r.device_login_id)`,
);

export const findDeviceLogin = statement((db, named: Named<'id'>) =>
  db
    .select({
      id: deviceLogins.id,
      userId: deviceLogins.userId,
      expiresAt: deviceLogins.expiresAt,
      revokedAt: deviceLogins.revokedAt,
    })
    .from(deviceLogins)
    .where(eq(deviceLogins.id, named('id'))),
);

/** Replaces a weak hash by a hash of the same password with the current parameters. */
export const strengthenHash = statement((db, named: Named<'userId' | 'old' | 'new'>) =>
  db
    .update(users)
    .set({ passwordHash: sql`${named('new')}` })
    .where(and(eq(users.id, named('userId')), eq(users.passwordHash, named('old')))),
);

type RevokedReason = NonNullable<NewDeviceLogin['revokedReason']>;

/** Ends one device login of a person, for good. */
const revokeDeviceLogin = statement((db, named: Named<'id' | 'userId' | 'now' | 'reason'>) =>
  db
    .update(deviceLogins)
    .set({ revokedAt: sql`${named('now')}`, revokedReason: sql`${named('reason')}` })
    .where(
      and(
        eq(deviceLogins.id, named('id')),
        eq(deviceLogins.userId, named('userId')),
        isNull(deviceLogins.revokedAt),
      ),
    ),
);

/** Runs before the device login is ended, so that only the request that ends it records the event. */
const recordEndOfLogin = securityEventWhen(
  sql`exists (select 1 from device_logins l where l.id = r.device_login_id and l.user_id = r.user_id
    and l.revoked_at is null)`,
);

/** The statements that end one device login, in their order. */
export const endDeviceLogin = (
  db: Db,
  event: Parameters<typeof recordEndOfLogin>[1],
  reason: RevokedReason,
) =>
  [
    recordEndOfLogin(db, event),
    revokeDeviceLogin(db, {
      id: event.deviceLoginId,
      userId: event.userId,
      now: event.now,
      reason,
    }),
  ] as const;
