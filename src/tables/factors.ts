import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, uuid } from '../db/columns.ts';
import { users } from './accounts.ts';

/** What proves at a login that it is the person: an authenticator app. */
export const secondFactors = sqliteTable(
  'second_factors',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind', { enum: ['totp'] }).notNull(),
    name: text('name').notNull(),
    /** The app's secret, sealed. */
    secret: text('secret').notNull(),
    /** The newest time step whose code was used: no code is good twice, and none from before. */
    counter: integer('counter').notNull(),
    createdAt: instant('created_at').notNull(),
    /** When its first code was shown; null while it is being set up, and asks nothing of anybody. */
    confirmedAt: instant('confirmed_at'),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [
    index('second_factors_user').on(t.userId),
    // What an older key sealed is found by the beginning of the text.
    index('second_factors_secret').on(t.secret),
  ],
);

/** Codes for whoever has lost the factor, as hashes; each is good once. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    hash: text('hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    createdAt: instant('created_at').notNull(),
    usedAt: instant('used_at'),
  },
  (t) => [index('recovery_codes_user').on(t.userId)],
);

/** A new e-mail that is not proved yet, with the code that was mailed to it, as a keyed hash. */
export const emailChanges = sqliteTable(
  'email_changes',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id),
    email: text('email').notNull(),
    hash: text('hash').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    failures: integer('failures').notNull(),
  },
  (t) => [index('email_changes_expiry').on(t.expiresAt)],
);
