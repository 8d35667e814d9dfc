import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { instant, uuid } from '../db/columns.ts';
import type { NoticeChannel, NoticeKind, NoticeState } from './words.ts';

/** Mail, and messages to phones (`phone_…`), to be sent; written with the change that calls for it. Secrets are derived when it is sent. */
export const mailOutbox = sqliteTable(
  'mail_outbox',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind', {
      enum: [
        'password_reset',
        'password_changed',
        'password_setup',
        'email_code',
        'email_change',
        'email_change_asked',
        'login_phone_changed',
        'new_device',
        'record_added',
        'accounts_joined',
        'phone_joined',
        'phone_released',
      ],
    }).notNull(),
    userId: uuid('user_id').notNull(),
    language: text('language', { enum: ['id', 'en'] }).notNull(),
    createdAt: instant('created_at').notNull(),
    /** When it expires: after this time it is not sent. */
    expiresAt: instant('expires_at').notNull(),
    attempts: integer('attempts').notNull(),
    /** No process takes it before this time: the end of a lease, or of the pause after a failure. */
    dueAt: instant('due_at').notNull(),
    /** Identifies the current attempt: only the process that has it may record the result. */
    leaseId: uuid('lease_id'),
    sentAt: instant('sent_at'),
    failedAt: instant('failed_at'),
    /** The name of the last failure, never its text. */
    lastError: text('last_error'),
    /** Where it goes instead of to the account's e-mail: an address that the account gives up, or a phone in E.164. Null once it left or was given up. */
    address: text('address'),
  },
  (t) => [
    index('mail_outbox_due').on(t.dueAt).where(sql`sent_at is null and failed_at is null`),
    index('mail_outbox_expiry').on(t.expiresAt),
    index('mail_outbox_user').on(t.userId),
    // Addresses that are not told in time are forgotten at once.
    index('mail_outbox_address').on(t.expiresAt).where(sql`address is not null`),
  ],
);

/**
 * The notices to a person about a booking, each by one channel, and afterwards their log: ids, times and states.
 * Address and text are made when it is sent, from the data at that time.
 */
export const notices = sqliteTable(
  'notices',
  {
    /** The same at every attempt, so that a gateway drops what it already has. */
    id: uuid('id').primaryKey(),
    bookingId: uuid('booking_id').notNull(),
    /** Of the booking when the notice was planned; for a delay the number of its event. */
    version: integer('version').notNull(),
    kind: text('kind').$type<NoticeKind>().notNull(),
    channel: text('channel').$type<NoticeChannel>().notNull(),
    /** The recipient: an account, or the record of a patient that no account manages. */
    personId: uuid('person_id').notNull(),
    /** The start of the visit that it is about. */
    startsAt: instant('starts_at').notNull(),
    /**
     * Until when it is sent in quiet hours too: until the start of a visit for which a later notice would be too late.
     * 0 for never.
     */
    urgentUntil: instant('urgent').notNull(),
    state: text('state').$type<NoticeState>().notNull(),
    /** Why it was dropped or failed: a word of our own or a status, never a server's text. */
    reason: text('reason'),
    attempts: integer('attempts').notNull(),
    dueAt: instant('due_at').notNull(),
    /** The attempt that is under way, and until when no other process may take it over. */
    leaseId: uuid('lease_id'),
    leaseUntil: instant('lease_until'),
    createdAt: instant('created_at').notNull(),
    settledAt: instant('settled_at'),
  },
  (t) => [
    uniqueIndex('notices_once').on(t.bookingId, t.kind, t.channel, t.version, t.personId),
    index('notices_due').on(t.dueAt).where(sql`state = 'pending'`),
    index('notices_age').on(t.createdAt, t.id),
  ],
);

/** Which notices a person wants, and how. Without a row: everything, in Indonesian. */
export const noticeChoices = sqliteTable('notice_choices', {
  /** An account, or the record of a patient without one. */
  personId: uuid('person_id').primaryKey(),
  email: integer('email', { mode: 'boolean' }).notNull(),
  message: integer('message', { mode: 'boolean' }).notNull(),
  /** The kinds that are not wanted, as a JSON list. */
  stoppedKinds: text('stopped_kinds').notNull(),
  language: text('language', { enum: ['id', 'en'] }).notNull(),
  /** Whether a staff member gets notices when a patient cancels, moves or answers for a visit of today or tomorrow. */
  desk: integer('desk', { mode: 'boolean' }).notNull().default(false),
  updatedAt: instant('updated_at').notNull(),
});
