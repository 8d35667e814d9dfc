import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Db } from '../db/db.ts';
import { type Named, statement } from '../db/statement.ts';
import { deviceLogins, refreshTokens, users } from './tables.ts';

/** The person behind a device login that still holds: asked at every request, so that revocation is immediate. */
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
    ),
);

export type NewUser = typeof users.$inferInsert;
export type NewDeviceLogin = typeof deviceLogins.$inferInsert;
export type NewRefreshToken = typeof refreshTokens.$inferInsert;

export const insertUser = (db: Db, user: NewUser) => db.insert(users).values(user);

/** A device login and its first refresh token. */
export const insertDeviceLogin = (db: Db, login: NewDeviceLogin, token: NewRefreshToken) =>
  [db.insert(deviceLogins).values(login), db.insert(refreshTokens).values(token)] as const;

export const findUserByEmail = statement((db, named: Named<'email'>) =>
  db
    .select()
    .from(users)
    .where(eq(users.email, named('email'))),
);

export const revokeDeviceLogin = (
  db: Db,
  deviceLoginId: string,
  now: number,
  reason: NonNullable<NewDeviceLogin['revokedReason']>,
) =>
  db
    .update(deviceLogins)
    .set({ revokedAt: now, revokedReason: reason })
    .where(and(eq(deviceLogins.id, deviceLoginId), isNull(deviceLogins.revokedAt)));
