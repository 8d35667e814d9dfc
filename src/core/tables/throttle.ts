import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant } from '../db/columns.ts';

/** How full a counter of attempts is. Keys are keyed hashes: no address and no e-mail is stored. */
export const throttles = sqliteTable(
  'throttles',
  {
    key: text('key').primaryKey(),
    /** When the counter is empty if there are no further attempts: its level, as a point in time. */
    emptyAt: instant('empty_at').notNull(),
    blockedUntil: instant('blocked_until').notNull(),
    /** When the row means nothing any more. */
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('throttles_expiry').on(t.expiresAt)],
);

/** Networks from which an account was opened: an attacker elsewhere does not slow them down. Keyed hashes. */
export const knownNetworks = sqliteTable(
  'known_networks',
  {
    account: text('account').notNull(),
    network: text('network').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.account, t.network] }), index('known_networks_expiry').on(t.expiresAt)],
);
