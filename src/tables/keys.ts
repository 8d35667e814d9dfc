import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, uuid } from '../db/columns.ts';

/** A key with which a machine acts for the clinic. A revoked one stays: events and the audit trail name its id. */
export const apiKeys = sqliteTable('api_keys', {
  /** Part of the hash, so that whoever presents a key is known before the row is read. */
  id: uuid('id').primaryKey(),
  /** Of the key with the clinic's id: the key itself is stored nowhere. */
  hash: text('hash').notNull(),
  /** The first characters of the key, by which people tell keys apart. */
  prefix: text('prefix').notNull(),
  name: text('name').notNull(),
  /** What it may do, as a JSON list. */
  scopes: text('scopes').notNull(),
  createdBy: uuid('created_by').notNull(),
  createdAt: instant('created_at').notNull(),
  /** Null for one that ends only when it is revoked. */
  expiresAt: instant('expires_at'),
  lastUsedAt: instant('last_used_at'),
  revokedAt: instant('revoked_at'),
});
