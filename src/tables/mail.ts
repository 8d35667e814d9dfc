import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, uuid } from '../db/columns.ts';

/** Mail to be sent, written with the change that calls for it. Secrets are derived when it is sent. */
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
        'new_device',
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
    /** Identifies the current attempt: only the process that holds it may record the result. */
    leaseId: uuid('lease_id'),
    sentAt: instant('sent_at'),
    failedAt: instant('failed_at'),
    /** The name of the last failure, never its text. */
    lastError: text('last_error'),
  },
  (t) => [
    index('mail_outbox_due').on(t.dueAt).where(sql`sent_at is null and failed_at is null`),
    index('mail_outbox_expiry').on(t.expiresAt),
    index('mail_outbox_user').on(t.userId),
  ],
);
