import { sql } from 'drizzle-orm';
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { instant, localDate, uuid } from '../db/columns.ts';
import { doctors, sessions } from './catalog.ts';

/** The letters before the numbers of a doctor and session. One that was replaced stays with whoever had it last. */
export const queuePrefixes = sqliteTable(
  'queue_prefixes',
  {
    prefix: text('prefix').primaryKey(),
    doctorId: uuid('doctor_id')
      .notNull()
      .references(() => doctors.id),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => sessions.id),
    replacedAt: instant('replaced_at'),
  },
  (t) => [uniqueIndex('queue_prefixes_queue').on(t.doctorId, t.sessionId).where(sql`replaced_at is null`)],
);

/** What patients of a doctor are told on a date. A removed notice stays, empty, for its version. */
export const doctorNotices = sqliteTable(
  'doctor_notices',
  {
    doctorId: uuid('doctor_id')
      .notNull()
      .references(() => doctors.id),
    date: localDate('date').notNull(),
    delayMinutes: integer('delay_minutes').notNull(),
    message: text('message').notNull(),
    version: integer('version').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.date, t.doctorId] })],
);
