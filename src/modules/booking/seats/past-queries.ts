import { sql } from 'drizzle-orm';
import { insertFromRow } from '../../../core/db/from-row.ts';
import { columnGroup } from '../../../core/db/row-columns.ts';
import { rowsStatement } from '../../../core/db/statement.ts';
import { rowIsRecorded } from '../../../core/tables/accounts.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { bookingEvents } from '../../../core/tables/webhooks.ts';
import { placeColumns } from './queries.ts';

const endColumns = columnGroup(bookings, [
  'status',
  'approvedAt',
  'completedAt',
  'noShowAt',
  'canceledAt',
  'canceledBy',
  'cancelReasonCode',
]);

const nothing = sql.raw('null');

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
    ...endColumns.names,
  ],
  (db, row) =>
    insertFromRow(
      db,
      bookings,
      row,
      {
        id: sql`r.id`,
        version: sql`1`,
        writeId: sql`r.write_id`,
        patientId: sql`r.patient_id`,
        ...placeColumns.fromRow,
        ...endColumns.fromRow,
        seat: sql`1`,
        queueNumber: sql`0`,
        queueLabel: sql`''`,
        bookingCode: sql`r.booking_code`,
        notes: sql`''`,
        staffNotes: sql`r.staff_notes`,
        overbooked: sql`0`,
        createdBy: sql`r.created_by`,
        createdAt: sql`r.now`,
        updatedAt: sql`r.now`,
        cancelReason: nothing,
        checkedInAt: nothing,
        firstCalledAt: nothing,
        calledAt: nothing,
        callCount: sql`0`,
        seriesId: nothing,
        queueTurn: nothing,
        heldUntil: nothing,
        waitlistId: nothing,
        room: sql`''`,
        channel: sql`'imported'`,
        payer: nothing,
        visitKind: nothing,
        referralNumber: nothing,
        exchangeCode: nothing,
        encounterId: nothing,
        externalId: nothing,
        metadata: nothing,
        answers: nothing,
        askedAt: nothing,
        confirmedAt: nothing,
      },
      sql`from r where ${rowIsRecorded}`,
    ),
);

/** The event of each visit that was written, for an import that asks for events. */
export const recordPastVisits = rowsStatement(
  ['id', 'writeId', 'now', 'actorId', 'actorRole', 'requestId', 'payload'],
  (db, row) =>
    insertFromRow(
      db,
      bookingEvents,
      row,
      {
        sequence: nothing,
        writeId: sql`r.write_id`,
        bookingId: sql`r.id`,
        version: sql`1`,
        type: sql`'booking.created'`,
        actorId: sql`r.actor_id`,
        actorRole: sql`r.actor_role`,
        requestId: sql`r.request_id`,
        occurredAt: sql`r.now`,
        payload: sql`r.payload`,
      },
      sql`from r join bookings b on b.id = r.id and b.write_id = r.write_id
        where not exists (select 1 from booking_events e where e.booking_id = b.id and e.version = 1)`,
    ),
);
