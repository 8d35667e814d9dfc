import { and, asc, desc, eq, gt, or, sql } from 'drizzle-orm';
import { columnGroup } from '../../db/row-columns.ts';
import { type Named, statement } from '../../db/statement.ts';
import { users } from '../../tables/accounts.ts';
import { bookings } from '../../tables/bookings.ts';
import { bookingEvents } from '../../tables/webhooks.ts';

export type BookingRow = typeof bookings.$inferSelect;

export const findBooking = statement((db, named: Named<'id'>) =>
  db
    .select()
    .from(bookings)
    .where(eq(bookings.id, named('id'))),
);

/** The fields of a patient that the clinic sees with a booking. */
const patientShown = {
  id: users.id,
  name: users.name,
  phone_country_code: users.phoneCountryCode,
  phone_number: users.phoneNumber,
};

/** The patient of a booking. */
export const findPatientOf = statement((db, named: Named<'id'>) =>
  db
    .select(patientShown)
    .from(users)
    .where(sql`${users.id} = (select b.patient_id from bookings b where b.id = ${named('id')})`),
);

/** The progress of a visit (checked in, called, …), which a reschedule by the patient resets. */
export const progressColumns = columnGroup(bookings, [
  'status',
  'approvedAt',
  'checkedInAt',
  'calledAt',
  'callCount',
]);

/** Waiting bookings whose end has passed, the oldest first. */
export const findExpired = statement((db, named: Named<'now' | 'limit'>) =>
  db
    .select()
    .from(bookings)
    .where(sql`${bookings.status} = 'waiting' and ${bookings.endsAt} <= ${named('now')}`)
    .orderBy(asc(bookings.endsAt))
    .limit(named('limit')),
);

/** One page of a patient's bookings, the newest schedule first, after the position (beforeStart, beforeId). */
export const findHistory = statement(
  (
    db,
    named: Named<'patientId' | 'beforeStart' | 'beforeId' | 'fromInstant' | 'status' | 'doctorId' | 'limit'>,
  ) =>
    db
      .select({
        id: bookings.id,
        doctorId: bookings.doctorId,
        doctorName: bookings.doctorName,
        sessionId: bookings.sessionId,
        sessionName: bookings.sessionName,
        scheduleDate: bookings.scheduleDate,
        scheduleTime: bookings.scheduleTime,
        notes: bookings.notes,
        status: bookings.status,
        startsAt: bookings.startsAt,
      })
      .from(bookings)
      .where(
        and(
          eq(bookings.patientId, named('patientId')),
          sql`(${bookings.startsAt}, ${bookings.id}) < (${named('beforeStart')}, ${named('beforeId')})`,
          sql`${bookings.startsAt} >= ${named('fromInstant')}`,
          or(sql`${named('status')} is null`, eq(bookings.status, named('status'))),
          or(sql`${named('doctorId')} is null`, eq(bookings.doctorId, named('doctorId'))),
        ),
      )
      .orderBy(desc(bookings.startsAt), desc(bookings.id))
      .limit(named('limit')),
);

/** The events of a booking after a version, in order. */
export const findEvents = statement((db, named: Named<'bookingId' | 'afterVersion' | 'limit'>) =>
  db
    .select({
      version: bookingEvents.version,
      type: bookingEvents.type,
      actorId: bookingEvents.actorId,
      actorRole: bookingEvents.actorRole,
      occurredAt: bookingEvents.occurredAt,
      payload: bookingEvents.payload,
      actorName: sql<
        string | null
      >`(select u.name from users u where u.id = ${sql.raw('"booking_events"."actor_id"')})`.as('actor_name'),
    })
    .from(bookingEvents)
    .where(
      and(eq(bookingEvents.bookingId, named('bookingId')), gt(bookingEvents.version, named('afterVersion'))),
    )
    .orderBy(asc(bookingEvents.version))
    .limit(named('limit')),
);
