import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, uuid } from '../../core/db/columns.ts';

// Tables of the directory (drizzle.directory.config.ts): the people who look after the deployment. They belong to no
// clinic, and no clinic's data is theirs to read.

export const operators = sqliteTable('operators', {
  id: uuid('id').primaryKey(),
  /** In lower case. */
  email: text('email').notNull().unique(),
  passwordHash: text('password_hash').notNull(),
  /** The secret of the authenticator app, sealed by the deployment's key. */
  totpSecret: text('totp_secret').notNull(),
  /** The newest time step whose code was used: no code is valid twice. */
  totpStep: integer('totp_step').notNull(),
  createdAt: instant('created_at').notNull(),
});

export const operatorLogins = sqliteTable('operator_logins', {
  tokenHash: text('token_hash').primaryKey(),
  operatorId: uuid('operator_id')
    .notNull()
    .references(() => operators.id),
  createdAt: instant('created_at').notNull(),
  usedAt: instant('used_at').notNull(),
});

/** Attempts to log in, by a hash of who tries. */
export const operatorAttempts = sqliteTable('operator_attempts', {
  key: text('key').primaryKey(),
  count: integer('count').notNull(),
  /** When its attempts are forgotten. */
  until: instant('until').notNull(),
});

/** Clinics that ask to be added: until somebody decides, or the time is over. */
export const signups = sqliteTable(
  'signups',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    host: text('host').notNull(),
    email: text('email').notNull(),
    timeZone: text('time_zone'),
    language: text('language', { enum: ['id', 'en'] }).notNull(),
    /** The hash of the link's token; null once it was used. */
    tokenHash: text('token_hash').unique(),
    askedAt: instant('asked_at').notNull(),
    provedAt: instant('proved_at'),
    /** Since when somebody adds the clinic: nobody else does then. */
    claimedAt: instant('claimed_at'),
    /** When it is forgotten. */
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('signups_expires').on(t.expiresAt)],
);

const actsOfOperators = [
  'logged_in',
  'clinic_added',
  'clinic_closed',
  'clinic_opened',
  'clinic_changed',
  'clinic_linked',
  'clinic_exported',
  'clinic_restored',
  'clinic_rewound',
  'clinic_deleted',
  'signup_approved',
  'signup_rejected',
] as const;
export type OperatorAct = (typeof actsOfOperators)[number];

/** What operators did, on the page and by programs. */
export const operatorActs = sqliteTable(
  'operator_acts',
  {
    id: uuid('id').primaryKey(),
    at: instant('at').notNull(),
    operator: text('operator').notNull(),
    act: text('act', { enum: actsOfOperators }).notNull(),
    clinicId: uuid('clinic_id'),
    clinicName: text('clinic_name'),
  },
  (t) => [index('operator_acts_at').on(t.at)],
);
