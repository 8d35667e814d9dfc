import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Db } from '../db/db.ts';
import { columnsInOrder } from '../db/insert-select.ts';
import { type Named, rowStatement, statement } from '../db/statement.ts';
import { deviceLogins, refreshTokens, users } from '../tables/accounts.ts';
import { patients } from '../tables/patients.ts';
import { securityEventWhen } from './audit/queries.ts';

/** The owner of a device login that is still valid. Read on every request, so that revocation takes effect at once. */
export const findLiveLogin = statement((db, named: Named<'deviceLoginId' | 'userId' | 'now'>) =>
  db
    .select({
      userId: users.id,
      name: users.name,
      phoneNumber: users.phoneNumber,
      phoneCountryCode: users.phoneCountryCode,
      email: users.email,
      deviceId: users.deviceId,
      role: users.role,
      doctorId: users.doctorId,
      emailProvedAt: users.emailProvedAt,
      lastSeenAt: deviceLogins.lastSeenAt,
      usedGeneration: deviceLogins.usedGeneration,
    })
    .from(deviceLogins)
    .innerJoin(users, eq(users.id, deviceLogins.userId))
    .where(
      and(
        eq(deviceLogins.id, named('deviceLoginId')),
        eq(deviceLogins.userId, named('userId')),
        isNull(deviceLogins.revokedAt),
        gt(deviceLogins.expiresAt, named('now')),
      ),
    )
    .limit(1),
);

export type NewUser = typeof users.$inferInsert;
export type NewDeviceLogin = typeof deviceLogins.$inferInsert;
export type NewRefreshToken = typeof refreshTokens.$inferInsert;

/** The record of the person whom an account belongs to: it has the account's id. */
const ownRecord = (user: NewUser): typeof patients.$inferInsert => ({
  id: user.id,
  name: user.name,
  phoneNumber: user.phoneNumber,
  phoneCountryCode: user.phoneCountryCode,
  staffNotes: '',
  createdBy: user.id,
  createdAt: user.createdAt,
  updatedAt: user.updatedAt,
});

/** An account and the patient record of its person. */
export const insertAccount = (db: Db, user: NewUser) =>
  [db.insert(users).values(user), db.insert(patients).values(ownRecord(user))] as const;

/** A device login and its first refresh token. */
export const insertDeviceLogin = (db: Db, login: NewDeviceLogin, token: NewRefreshToken) =>
  [db.insert(deviceLogins).values(login), db.insert(refreshTokens).values(token)] as const;

export const findUserByEmail = statement((db, named: Named<'email'>) =>
  db
    .select()
    .from(users)
    .where(eq(users.email, named('email'))),
);

/** Opens a device login if the password that was verified is still the account's. */
export const openDeviceLogin = rowStatement(
  ['id', 'user_id', 'password_hash', 'device_id', 'user_agent', 'now', 'expires_at'],
  (db, row) =>
    db.insert(deviceLogins).select(
      sql`with ${row} select ${columnsInOrder(deviceLogins, {
        id: sql`r.id`,
        userId: sql`r.user_id`,
        deviceId: sql`r.device_id`,
        userAgent: sql`r.user_agent`,
        createdAt: sql`r.now`,
        lastSeenAt: sql`r.now`,
        expiresAt: sql`r.expires_at`,
        usedGeneration: sql`0`,
        revokedAt: sql`null`,
        revokedReason: sql`null`,
      })} from r where exists (select 1 from users u where u.id = r.user_id and u.password_hash = r.password_hash)
        and not exists (select 1 from device_logins l where l.id = r.id)`,
    ),
);

/** The first refresh token of a device login that was opened. */
export const insertFirstToken = rowStatement(['hash', 'login_id', 'now', 'expires_at'], (db, row) =>
  db
    .insert(refreshTokens)
    .select(
      sql`with ${row} select ${columnsInOrder(refreshTokens, {
        hash: sql`r.hash`,
        deviceLoginId: sql`r.login_id`,
        generation: sql`0`,
        issuedAt: sql`r.now`,
        expiresAt: sql`r.expires_at`,
        rotatedAt: sql`null`,
      })} from r where exists (select 1 from device_logins l where l.id = r.login_id)`,
    )
    .onConflictDoNothing(),
);

/** Records a login that was opened. */
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

/** Puts a hash of the same password, made with today's parameters, in the place of a weaker one. */
export const strengthenHash = statement((db, named: Named<'userId' | 'old' | 'new'>) =>
  db
    .update(users)
    .set({ passwordHash: sql`${named('new')}` })
    .where(and(eq(users.id, named('userId')), eq(users.passwordHash, named('old')))),
);

type RevokedReason = NonNullable<NewDeviceLogin['revokedReason']>;

/** Ends one device login of a person, for good. */
export const revokeDeviceLogin = statement((db, named: Named<'id' | 'userId' | 'now' | 'reason'>) =>
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

/** Recorded before a device login is ended, and so only by the one request that ends it. */
export const recordEndOfLogin = securityEventWhen(
  sql`exists (select 1 from device_logins l where l.id = r.device_login_id and l.user_id = r.user_id
    and l.revoked_at is null)`,
);

/** What to write when one device login ends, in the order in which it takes effect. */
export const endDeviceLogin = (
  db: Db,
  event: Parameters<typeof recordEndOfLogin>[1],
  reason: RevokedReason,
) =>
  [
    recordEndOfLogin(db, event),
    revokeDeviceLogin(db, {
      id: event.device_login_id,
      userId: event.user_id,
      now: event.now,
      reason,
    }),
  ] as const;
