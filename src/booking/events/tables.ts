import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { instant, uuid } from '../../db/columns.ts';

/** What happened to a booking, who did it and when: written in the same step as the change, never changed. */
export const bookingEvents = sqliteTable(
  'booking_events',
  {
    /** The order in which the database saw the changes. */
    sequence: integer('sequence').primaryKey({ autoIncrement: true }),
    /** The id of the change, made before it is written: a repeated write is recognised by it. */
    writeId: uuid('write_id').notNull().unique(),
    bookingId: uuid('booking_id').notNull(),
    version: integer('version').notNull(),
    type: text('type', {
      enum: [
        'booking.created',
        'booking.approved',
        'booking.canceled',
        'booking.rescheduled',
        'booking.checked_in',
        'booking.called',
        'booking.completed',
        'booking.no_show',
      ],
    }).notNull(),
    actorId: uuid('actor_id'),
    actorRole: text('actor_role', { enum: ['patient', 'doctor', 'staff', 'admin', 'system'] }).notNull(),
    requestId: text('request_id').notNull(),
    occurredAt: instant('occurred_at').notNull(),
    /** The booking after the change (ids, times and states only), as JSON. */
    payload: text('payload').notNull(),
  },
  (t) => [uniqueIndex('booking_events_version').on(t.bookingId, t.version)],
);
