import { and, asc, desc, eq, gt, or, type SQL, sql } from 'drizzle-orm';
import { columnGroup } from '../../db/row-columns.ts';
import { type Named, rowStatement, statement } from '../../db/statement.ts';
import { users } from '../../tables/accounts.ts';
import { bookings } from '../../tables/bookings.ts';
import { bookingEvents } from '../../tables/webhooks.ts';
import { actorHolds, loginLives, notReplayed, notWrittenYet, roleHolds, writer } from '../seats/guards.ts';

export type BookingRow = typeof bookings.$inferSelect;

export const findBooking = statement((db, named: Named<'id'>) =>
  db
    .select()
    .from(bookings)
    .where(eq(bookings.id, named('id'))),
);

/** What the clinic sees of a patient beside a booking. */
const patientShown = {
  id: users.id,
  name: users.name,
  phone_country_code: users.phoneCountryCode,
  phone_number: users.phoneNumber,
};

/** A patient for whom the clinic may book: for a doctor, one who has or had a booking with that doctor. */
export const findBookablePatient = statement((db, named: Named<'id' | 'doctorId'>) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(
      sql`${users.id} = ${named('id')} and ${users.role} = 'patient' and (${named('doctorId')} is null
        or exists (select 1 from bookings b where b.patient_id = ${users.id} and b.doctor_id = ${named('doctorId')}))`,
    ),
);

/** The patient of a booking. */
export const findPatientOf = statement((db, named: Named<'id'>) =>
  db
    .select(patientShown)
    .from(users)
    .where(sql`${users.id} = (select b.patient_id from bookings b where b.id = ${named('id')})`),
);

const changeRow = [...writer, 'version', 'starts_at'] as const;

const progress = ['status', 'approvedAt', 'checkedInAt', 'calledAt', 'callCount'] as const;

/** The progress of a visit (checked in, called, …), which a reschedule by the patient resets. */
export const progressColumns = columnGroup(bookings, progress);

/** All that changes of a booking that stays where it is. */
export const stateColumns = columnGroup(bookings, [
  ...progress,
  'completedAt',
  'noShowAt',
  'canceledAt',
  'canceledBy',
  'cancelReasonCode',
  'cancelReason',
]);

/** Updates a booking if it still has the version that was decided on; otherwise does nothing. */
export const changeVersion = rowStatement([...changeRow, ...stateColumns.names], (db, row) =>
  db
    .update(bookings)
    .set({
      version: sql`r.version + 1`,
      writeId: sql`r.write_id`,
      ...stateColumns.fromRow,
      updatedAt: sql`r.now`,
    })
    .from(sql`(with ${row} select * from r) r`)
    .where(
      and(
        sql`${bookings.id} = r.id`,
        sql`${bookings.version} = r.version`,
        // A past booking changes its instant without a new version when the clinic changes its zone.
        sql`${bookings.startsAt} = r.starts_at`,
        sql`${bookings.status} <> 'canceled'`,
        actorHolds,
        notReplayed,
        notWrittenYet,
      ),
    ),
);

const asTruth = (condition: SQL, name: string) => sql<number>`${condition}`.as(name);

/** Whether a change of a booking happened and, if it did not, what stood in its way. */
export const explainChange = rowStatement(changeRow, (db, row) =>
  db
    .select({
      written: asTruth(sql`not (${notWrittenYet})`, 'written'),
      loginLives: asTruth(sql`(r.actor_role = 'system' or ${loginLives})`, 'login_lives'),
      roleHolds: asTruth(sql`(r.actor_role = 'system' or ${roleHolds})`, 'role_holds'),
      repeated: asTruth(sql`not (${notReplayed})`, 'repeated'),
    })
    .from(sql`(with ${row} select * from r) r`),
);

/** Waiting bookings whose end has passed, the oldest first. */
export const findExpired = statement((db, named: Named<'now' | 'limit'>) =>
  db
    .select()
    .from(bookings)
    .where(sql`${bookings.status} = 'waiting' and ${bookings.endsAt} <= ${named('now')}`)
    .orderBy(asc(bookings.endsAt))
    .limit(named('limit')),
);

/** One page of a patient's bookings, the newest schedule first, after the position (before_start, before_id). */
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

/** What happened to a booking after a version, in order. */
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
