import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { instant, uuid } from '../db/columns.ts';
import { users } from './accounts.ts';
import { factorKinds } from './words.ts';

/** The second factors of logins: an authenticator app, or a passkey. */
export const secondFactors = sqliteTable(
  'second_factors',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind', { enum: factorKinds }).notNull(),
    name: text('name').notNull(),
    /** The app's secret, sealed; empty for a passkey, which has no shared secret. */
    secret: text('secret').notNull(),
    /** The newest time step whose code was used, so that no code is valid twice; for a passkey its signature counter. */
    counter: integer('counter').notNull(),
    createdAt: instant('created_at').notNull(),
    /** A passkey's id in base64url, its public key (JWK), and its transports (JSON list). */
    credentialId: text('credential_id'),
    publicKey: text('public_key'),
    transports: text('transports'),
    /** When its first code was shown; null while it is being set up and is not yet required. */
    confirmedAt: instant('confirmed_at'),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [
    index('second_factors_user').on(t.userId),
    // Values sealed with an older key are found by the beginning of the text.
    index('second_factors_secret').on(t.secret),
    uniqueIndex('second_factors_credential').on(t.credentialId),
  ],
);

/** Recovery codes for a lost factor, as hashes; each is valid once. */
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
