import { sql } from 'drizzle-orm';
import { insertFromRow } from '../../../core/db/from-row.ts';
import { rowsStatement } from '../../../core/db/statement.ts';
import { rowIsRecorded } from '../../../core/tables/accounts.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { bookingEvents } from '../../../core/tables/webhooks.ts';
import { placeColumns } from './queries.ts';

/**
 * Visits of the past out of another system, where their step was recorded: without a number or a seat of their
 * own. The triggers and the invariants of seats leave bookings of this channel out.
 */
export const insertPastVisits = rowsStatement(
  [
    'id',
    'writeId',
    'patientId',
    'createdBy',
    'bookingCode',
    'staffNotes',
    'now',
    ...placeColumns.names,
    'status',
    'approvedAt',
    'completedAt',
    'noShowAt',
    'canceledAt',
    'canceledBy',
    'cancelReasonCode',
  ],
  (db, row) =>
    insertFromRow(db, bookings, row, sql`from r where ${rowIsRecorded}`, {
      version: sql`1`,
      seat: sql`1`,
      queueNumber: sql`0`,
      queueLabel: sql`''`,
      notes: sql`''`,
      overbooked: sql`0`,
      createdAt: sql`r.now`,
      updatedAt: sql`r.now`,
      callCount: sql`0`,
      room: sql`''`,
      channel: sql`'imported'`,
    }),
);

/** The event of each visit that was written, for an import that asks for events. */
export const recordPastVisits = rowsStatement(
  ['id', 'writeId', 'now', 'actorId', 'actorRole', 'requestId', 'payload'],
  (db, row) =>
    insertFromRow(
      db,
      bookingEvents,
      row,
      sql`from r join bookings b on b.id = r.id and b.write_id = r.write_id
        where not exists (select 1 from booking_events e where e.booking_id = b.id and e.version = 1)`,
      {
        sequence: sql`null`,
        bookingId: sql`r.id`,
        version: sql`1`,
        type: sql`'booking.created'`,
        occurredAt: sql`r.now`,
      },
    ),
);
