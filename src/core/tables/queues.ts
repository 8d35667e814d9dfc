import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { instant, localDate, localTime, uuid } from '../db/columns.ts';
import { doctors, sessions } from './catalog.ts';
import { patients } from './patients.ts';
import { waitlistEnds } from './words.ts';

/**
 * The letters before the numbers of a doctor and session. A replaced prefix stays reserved for the queue that had it
 * last.
 */
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

/** The notice for a doctor's patients of a date. A removed notice stays, empty, for its version. */
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

/**
 * The waitlist: who waits for a seat, and which seats suit. An offer is a booking that names its entry and is held for
 * a while.
 */
export const waitlistEntries = sqliteTable(
  'waitlist_entries',
  {
    id: uuid('id').primaryKey(),
    patientId: uuid('patient_id')
      .notNull()
      .references(() => patients.id),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => sessions.id),
    /** Null where any doctor of the session will do. */
    doctorId: uuid('doctor_id').references(() => doctors.id),
    fromDate: localDate('from_date').notNull(),
    toDate: localDate('to_date').notNull(),
    /** Between which times a slot may begin; null for any. */
    earliestTime: localTime('earliest_time'),
    latestTime: localTime('latest_time'),
    /** The place among those who wait for the session: the lowest comes first. */
    position: integer('position').notNull(),
    createdBy: uuid('created_by').notNull(),
    familyAccount: uuid('family_account'),
    createdAt: instant('created_at').notNull(),
    endedAt: instant('ended_at'),
    endedAs: text('ended_as', { enum: waitlistEnds }),
  },
  (t) => [
    index('waitlist_order').on(t.sessionId, t.position, t.id).where(sql`ended_at is null`),
    index('waitlist_patient').on(t.patientId),
    index('waitlist_ended').on(t.endedAt).where(sql`ended_at is not null`),
  ],
);

/**
 * Slots that are held for somebody who is about to book, for a few minutes: each takes a seat of its slot until it ends.
 * Nobody's data: who books is asked later.
 */
export const holds = sqliteTable(
  'holds',
  {
    id: uuid('id').primaryKey(),
    /** A keyed hash: who has the secret has the hold. */
    secretHash: text('secret_hash').notNull().unique(),
    /** The account that was logged in; null without a login. */
    accountId: uuid('account_id'),
    /** A keyed hash of the network that it was asked for from, without a login; null with one. */
    network: text('network'),
    doctorId: uuid('doctor_id')
      .notNull()
      .references(() => doctors.id),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => sessions.id),
    scheduleDate: localDate('schedule_date').notNull(),
    scheduleTime: localTime('schedule_time').notNull(),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    index('holds_doctor_day').on(t.doctorId, t.scheduleDate, t.startsAt),
    index('holds_expiry').on(t.expiresAt),
    index('holds_account').on(t.accountId).where(sql`account_id is not null`),
  ],
);
