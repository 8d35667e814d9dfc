import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, uuid } from '../db/columns.ts';
import { roles } from '../endpoint/roles.ts';
import { users } from './accounts.ts';

/** A key with which a machine acts for the clinic. A revoked one stays: events and the audit trail name its id. */
export const apiKeys = sqliteTable('api_keys', {
  /** Part of the hash, so that the holder of a key is recognized before the row is read. */
  id: uuid('id').primaryKey(),
  /** Of the key with the clinic's id: the key itself is stored nowhere. */
  hash: text('hash').notNull(),
  /** The first characters of the key, by which people recognize it. */
  prefix: text('prefix').notNull(),
  name: text('name').notNull(),
  /** Its scopes, as a JSON list. */
  scopes: text('scopes').notNull(),
  createdBy: uuid('created_by').notNull(),
  createdAt: instant('created_at').notNull(),
  /** Null for one that ends only when it is revoked. */
  expiresAt: instant('expires_at'),
  lastUsedAt: instant('last_used_at'),
  revokedAt: instant('revoked_at'),
});

/** A secret address at which a calendar program reads bookings. It is gone with the role that it was made in. */
export const calendarFeeds = sqliteTable(
  'calendar_feeds',
  {
    id: uuid('id').primaryKey(),
    /** Of the secret with the clinic's id: the secret itself is stored nowhere. */
    hash: text('hash').notNull().unique(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** The role and the linked doctor with which it was made: it shows nothing in any other. */
    role: text('role', { enum: roles }).notNull(),
    doctorId: uuid('doctor_id'),
    /** 1 if its calendar shows session and doctor in addition to ids and states. */
    details: integer('details').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('calendar_feeds_user').on(t.userId)],
);
