import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, uuid } from '../db/columns.ts';
import type { ExchangeReason, ExchangeState, ExchangeStep, ExchangeTarget } from './words.ts';

/**
 * Steps of bookings to be sent to BPJS and SATUSEHAT. A step that is done is deleted, so the table has what waits
 * and what a person has to look at: it needs no index, and a booking costs one row a target.
 */
export const exchanges = sqliteTable('exchanges', {
  /** The order in which the steps were planned: the steps of a booking are sent in this order. */
  position: integer('position').primaryKey(),
  id: uuid('id').notNull(),
  bookingId: uuid('booking_id').notNull(),
  target: text('target').$type<ExchangeTarget>().notNull(),
  step: text('step').$type<ExchangeStep>().notNull(),
  /** When it happened: the instant that is reported. */
  occurredAt: instant('occurred_at').notNull(),
  /** The slot that the step is about, as JSON: a booking may have moved since. */
  slot: text('slot').notNull(),
  state: text('state').$type<ExchangeState>().notNull(),
  attempts: integer('attempts').notNull(),
  firstAttemptAt: instant('first_attempt_at'),
  /** No process takes it before this instant: the end of a lease, or of the pause after a failure. */
  dueAt: instant('due_at').notNull(),
  leaseId: uuid('lease_id'),
  /** Why it is parked, or why the last attempt failed. */
  reason: text('reason').$type<ExchangeReason>(),
  /** The other side's own words, with numbers of people made unreadable. */
  answer: text('answer'),
  parkedAt: instant('parked_at'),
});

/** What all processes know together about a target. */
export const exchangeTargets = sqliteTable('exchange_targets', {
  target: text('target').$type<ExchangeTarget>().primaryKey(),
  /** The access token, sealed, and until when it is valid. */
  token: text('token'),
  tokenUntil: instant('token_until'),
  /** When the last request for a token failed: the next one is made a minute later. */
  tokenFailedAt: instant('token_failed_at'),
  /** Nothing is sent before this instant, and why. */
  restUntil: instant('rest_until'),
  restReason: text('rest_reason').$type<ExchangeReason>(),
});

/** When a person's IHS number was last looked up without a result: it is looked up once a day. */
export const exchangeLookups = sqliteTable('exchange_lookups', {
  /** A patient or a doctor. */
  subjectId: uuid('subject_id').primaryKey(),
  askedAt: instant('asked_at').notNull(),
});
