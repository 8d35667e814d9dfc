import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { instant, uuid } from '../db/columns.ts';
import { roles } from '../endpoint/roles.ts';
import { type ActorKind, everydayTypes, type SecurityEventType } from './words.ts';

/** Condition: the account belongs to a person who works at the clinic, so it is in the index of roles. */
export const worksHere: SQL = sql.raw("role <> 'patient'");

/** Condition: the account is an admin's, found by the index of roles. */
export const isAdmin: SQL = sql`role = 'admin' and ${worksHere}`;

/** Condition: the clinic has an admin; the account may be deactivated. */
export const anyAdmin: SQL = sql`exists (select 1 from users where ${isAdmin})`;

/** Condition: the clinic has an active admin other than the person of the row `r`. */
export const adminBeside = (person: 'user_id' | 'person_id'): SQL =>
  sql`exists (select 1 from users where ${isAdmin} and deactivated_at is null and id <> ${sql.raw(`r.${person}`)})`;

export const users = sqliteTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    phoneNumber: text('phone_number').notNull(),
    phoneCountryCode: text('phone_country_code').notNull(),
    /** The login identifier; null for an account that was made by a code to a phone and has none yet. */
    email: text('email').unique(),
    deviceId: text('device_id').notNull(),
    passwordHash: text('password_hash').notNull(),
    role: text('role', { enum: roles }).notNull(),
    /** The doctor whose bookings an account with role `doctor` runs. */
    doctorId: uuid('doctor_id'),
    /** When its owner showed that mail to the address reaches them; null until then. */
    emailProvedAt: instant('email_proved_at'),
    /** The number, as `phoneWord` has it, to which codes that open the account go: proved, and nobody else's; null for none. */
    loginPhone: text('login_phone'),
    /** When its holder last showed that messages to that number reach them. */
    phoneProvedAt: instant('phone_proved_at'),
    /** When the clinic made the account, or took it over with a new password; null where its owner registered it. */
    invitedAt: instant('invited_at'),
    /** Since when it has no password; null once its owner has set one. */
    passwordUnsetAt: instant('password_unset_at'),
    /** Since when a login needs a second factor; null if none is set. */
    secondFactorAt: instant('second_factor_at'),
    /** Who its owner is at the provider of single sign-on: issuer and subject as JSON; null until a first login by it. */
    ssoSubject: text('sso_subject'),
    /** Since when the account is deactivated: no login is possible. */
    deactivatedAt: instant('deactivated_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    index('users_doctor').on(t.doctorId).where(sql`doctor_id is not null`),
    index('users_name').on(t.name, t.id),
    uniqueIndex('users_login_phone').on(t.loginPhone).where(sql`login_phone is not null`),
    uniqueIndex('users_sso_subject').on(t.ssoSubject).where(sql`sso_subject is not null`),
    // Only the few people who work at the clinic: the list of patients uses another index.
    index('users_role_name').on(t.role, t.name, t.id).where(worksHere),
  ],
);

/** One login of one device: an access token's `sid` names it, and logout revokes it. */
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
    /** The newest generation of tokens that is known to have reached the device: an access token of it was accepted. */
    usedGeneration: integer('used_generation').notNull().default(0),
    /** How long it lasts without use, in milliseconds: 30 days unless said otherwise. */
    idleMs: integer('idle_ms').notNull().default(2_592_000_000),
    /** Its maximum age, as an instant; null for a login from before there was one. */
    endsAt: instant('ends_at'),
    /** When its holder last proved who they are after the login; null if never. */
    provedAt: instant('proved_at'),
    revokedAt: instant('revoked_at'),
    revokedReason: text('revoked_reason', {
      enum: [
        'logout',
        'ended',
        'token_reuse',
        'password_changed',
        'password_reset',
        'role_changed',
        'factor_changed',
        'deactivated',
        'email_changed',
        'phone_changed',
      ],
    }),
  },
  (t) => [index('device_logins_user').on(t.userId, t.createdAt)],
);

/** Every refresh token ever issued until it expires, as a hash: a used token that is sent again was probably stolen. */
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
  (t) => [
    // One next token per token, even for parallel requests.
    uniqueIndex('refresh_tokens_login').on(t.deviceLoginId, t.generation),
  ],
);

/** A reset of the password, as a hash of the token in the mail; valid once. */
export const passwordResets = sqliteTable(
  'password_resets',
  {
    hash: text('hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
    /** False for a link that was handed over in person: using it proves nothing about the e-mail. */
    provesEmail: integer('proves_email', { mode: 'boolean' }).notNull().default(true),
  },
  (t) => [index('password_resets_user').on(t.userId), index('password_resets_expiry').on(t.expiresAt)],
);

/** The link with which the first admin is made, as a hash of its token: one at most, and none once there is an admin. */
export const setupLinks = sqliteTable('setup_links', {
  hash: text('hash').primaryKey(),
  expiresAt: instant('expires_at').notNull(),
});

/** The code that was last mailed to prove an e-mail, as a keyed hash; removed when it has been used. */
export const emailCodes = sqliteTable(
  'email_codes',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id),
    hash: text('hash').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** Wrong attempts: after a few of them the code is invalid. */
    failures: integer('failures').notNull(),
  },
  (t) => [index('email_codes_expiry').on(t.expiresAt)],
);

/**
 * The code that was last mailed for a login, as a keyed hash, by a keyed hash of the address: there may be no account
 * of it. Removed when it has been used.
 */
export const loginCodes = sqliteTable(
  'login_codes',
  {
    address: text('address').primaryKey(),
    hash: text('hash').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** Wrong codes that were tried: a few void it. */
    failures: integer('failures').notNull(),
  },
  (t) => [index('login_codes_expiry').on(t.expiresAt)],
);

const everyday = everydayTypes.map((type) => `'${type}'`).join(', ');

/** Condition: the line is not one of the frequent ones, so it is in the indexes of types and of writes. */
export const isSeldom = (table = ''): SQL =>
  sql.raw(`(${table}type not in (${everyday}) or ${table}detail is not null)`);

/** Condition: the event of this write was recorded; not for a frequent line. Use it in later statements of the same batch. */
export const isRecorded = (writeId: SQL | Placeholder | string): SQL =>
  sql`exists (select 1 from security_events e where e.write_id = ${writeId} and ${isSeldom('e.')})`;

/** The same, of the row `r`. */
export const rowIsRecorded: SQL = isRecorded(sql`r.write_id`);

/** Condition on the row `r` of an event: the login that caused it was not ended meanwhile. */
export const rowLoginLives: SQL = sql`exists (select 1 from device_logins l
  where l.id = r.device_login_id and l.revoked_at is null)`;

/** The same of any line, by the time and the write of the row `r`. */
export const isRecordedNow: SQL = sql`exists (select 1 from security_events e
  where e.occurred_at = r.now and e.write_id = r.write_id)`;

/**
 * Events of accounts, changes by admins, and reads of records by the clinic's people: written in the same step as the
 * change, or before the answer to a read. Ids only: no secrets, no names, and no addresses of strangers. Never changed,
 * since blocks are made of these lines (`audit_blocks`).
 */
export const securityEvents = sqliteTable(
  'security_events',
  {
    /** The order in which the database took them: a later commit never takes a lower number, since the newest line stays. */
    sequence: integer('sequence').primaryKey(),
    /** The id of the change, made before it is written: a repeated write is recognised by it and its time. */
    writeId: uuid('write_id').notNull(),
    type: text('type').$type<SecurityEventType>().notNull(),
    /** The account concerned; null if there is none. */
    userId: uuid('user_id'),
    /** The actor, if known. */
    actorId: uuid('actor_id'),
    /** Of what kind `actor_id` is. */
    actorKind: text('actor_kind').$type<ActorKind>().notNull().default('account'),
    deviceLoginId: uuid('device_login_id'),
    /** A keyed hash of the client's network: separates networks without naming them. */
    network: text('network'),
    requestId: text('request_id'),
    occurredAt: instant('occurred_at').notNull(),
    /** Further facts as JSON: ids, roles, counts. */
    detail: text('detail'),
    /** The patient whose record was read or changed; null for none, or for a list. */
    patientId: uuid('patient_id'),
    /** The request of a read: method and path of the contract. */
    route: text('route'),
  },
  // Each ends in the sequence, as every index of a table with a numeric key does: the newest first is read off it.
  (t) => [
    index('security_events_user').on(t.userId, t.occurredAt).where(sql`user_id is not null`),
    // A person's changes to their own account are found among that account's lines.
    index('security_events_actor')
      .on(t.actorId, t.occurredAt)
      .where(sql`actor_id is not null and actor_id is not user_id`),
    index('security_events_patient').on(t.patientId, t.occurredAt).where(sql`patient_id is not null`),
    index('security_events_type').on(t.type, t.occurredAt).where(isSeldom()),
    uniqueIndex('security_events_write').on(t.writeId).where(isSeldom()),
    // With the type, so that those of every day are distinguished without reading their rows.
    index('security_events_age').on(t.occurredAt, t.sequence, t.type),
  ],
);
