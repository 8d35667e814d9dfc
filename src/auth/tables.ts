import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, uuid } from '../db/columns.ts';

export const users = sqliteTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    phoneNumber: text('phone_number').notNull(),
    phoneCountryCode: text('phone_country_code').notNull(),
    email: text('email').notNull().unique(),
    deviceId: text('device_id').notNull(),
    passwordHash: text('password_hash').notNull(),
    role: text('role', { enum: ['patient', 'doctor', 'staff', 'admin'] }).notNull(),
    /** The doctor whose bookings an account with role `doctor` runs. */
    doctorId: uuid('doctor_id'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [index('users_doctor').on(t.doctorId)],
);

/** One login of one device: what an access token's `sid` names, and what logout revokes. */
export const deviceLogins = sqliteTable(
  'device_logins',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    deviceId: text('device_id').notNull(),
    userAgent: text('user_agent').notNull(),
    createdAt: instant('created_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
    revokedReason: text('revoked_reason', {
      enum: ['logout', 'ended', 'token_reuse', 'password_changed', 'password_reset', 'role_changed'],
    }),
  },
  (t) => [
    index('device_logins_user').on(t.userId, t.createdAt),
    index('device_logins_expiry').on(t.expiresAt),
  ],
);

/** Every refresh token ever issued until it expires, as a hash: a used one that comes again is a theft. */
export const refreshTokens = sqliteTable(
  'refresh_tokens',
  {
    hash: text('hash').primaryKey(),
    deviceLoginId: uuid('device_login_id')
      .notNull()
      .references(() => deviceLogins.id),
    generation: integer('generation').notNull(),
    issuedAt: instant('issued_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    rotatedAt: instant('rotated_at'),
  },
  (t) => [index('refresh_tokens_login').on(t.deviceLoginId), index('refresh_tokens_expiry').on(t.expiresAt)],
);
