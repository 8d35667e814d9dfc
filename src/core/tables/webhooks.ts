import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { instant, uuid } from '../db/columns.ts';
import { actingRoles } from '../endpoint/roles.ts';
import type { AttemptFailure, DeliveryState, EventType, PausedReason } from './words.ts';

/**
 * Events of a booking, or of another subject (its type begins with the subject), with the actor and the time: written
 * in the same step as the change. Never changed, except for the instants of a past booking when the clinic changes its
 * zone.
 */
export const bookingEvents = sqliteTable(
  'booking_events',
  {
    /** The order in which the database saw the changes. The event with the highest number is never deleted, so none is given twice. */
    sequence: integer('sequence').primaryKey(),
    /** The id of the change, made before it is written: a repeated write is recognised by it, among the events of its subject. */
    writeId: uuid('write_id').notNull(),
    /** The subject: the booking, or the patient, closure or doctor that it happened to. */
    bookingId: uuid('booking_id').notNull(),
    version: integer('version').notNull(),
    type: text('type').$type<EventType>().notNull(),
    actorId: uuid('actor_id'),
    actorRole: text('actor_role', { enum: actingRoles }).notNull(),
    requestId: text('request_id').notNull(),
    occurredAt: instant('occurred_at').notNull(),
    /** The subject after the change (ids, times and states only), as JSON. */
    payload: text('payload').notNull(),
  },
  (t) => [uniqueIndex('booking_events_version').on(t.bookingId, t.version)],
);

/** A receiver of events. A retired one stays for its delivery log and is sent nothing more. */
export const webhookEndpoints = sqliteTable('webhook_endpoints', {
  id: uuid('id').primaryKey(),
  url: text('url').notNull(),
  description: text('description').notNull(),
  /** The types that it subscribed to, as a JSON list; an empty list means every type. */
  eventTypes: text('event_types').notNull(),
  /** Sealed, since it signs: see docs/decisions. */
  secret: text('secret').notNull(),
  previousSecret: text('previous_secret'),
  previousSecretUntil: instant('previous_secret_until'),
  /** The last event for which a delivery was made, or that this endpoint does not get. */
  lastSequence: integer('last_sequence').notNull(),
  pausedAt: instant('paused_at'),
  pausedReason: text('paused_reason').$type<PausedReason>(),
  /** Failed attempts since the last success, the first of them, and until when nothing is sent to it. */
  failures: integer('failures').notNull(),
  failingSince: instant('failing_since'),
  holdUntil: instant('hold_until'),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
  retiredAt: instant('retired_at'),
});

/** One event for one endpoint: the pending delivery, and afterwards its log. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: uuid('id').primaryKey(),
    endpointId: uuid('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id),
    sequence: integer('sequence')
      .notNull()
      .references(() => bookingEvents.sequence),
    bookingId: uuid('booking_id').notNull(),
    state: text('state').$type<DeliveryState>().notNull(),
    attempts: integer('attempts').notNull(),
    firstAttemptAt: instant('first_attempt_at'),
    lastAttemptAt: instant('last_attempt_at'),
    nextAttemptAt: instant('next_attempt_at').notNull(),
    /** The attempt that is under way, and until when no other process may take it over. */
    leaseId: uuid('lease_id'),
    leaseUntil: instant('lease_until'),
    lastStatus: integer('last_status'),
    lastError: text('last_error').$type<AttemptFailure>(),
    /** What the last attempt sent and what came back, sealed, for seven days. */
    exchange: text('exchange'),
    createdAt: instant('created_at').notNull(),
    settledAt: instant('settled_at'),
  },
  (t) => [
    uniqueIndex('webhook_deliveries_event').on(t.endpointId, t.sequence),
    // Before an old event is deleted, this index shows whether a delivery still refers to it.
    index('webhook_deliveries_sequence').on(t.sequence),
    index('webhook_deliveries_due').on(t.endpointId, t.nextAttemptAt).where(sql`state = 'pending'`),
    index('webhook_deliveries_order').on(t.endpointId, t.bookingId, t.sequence).where(sql`state = 'pending'`),
    index('webhook_deliveries_settled').on(t.settledAt),
    index('webhook_deliveries_exchange').on(t.lastAttemptAt).where(sql`exchange is not null`),
    index('webhook_deliveries_lease').on(t.leaseId).where(sql`lease_id is not null`),
  ],
);
