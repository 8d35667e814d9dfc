import { and, desc, eq, or, type SQL, sql } from 'drizzle-orm';
import { columnsInOrder } from '../db/insert-select.ts';
import { type Named, rowStatement, statement } from '../db/statement.ts';
import {
  calendarUnchanged,
  clashOfPatient,
  comingBookings,
  doctorFree,
  loginLives,
  lowestFreeSeat,
  nextQueueNumber,
  notReplayed,
  notWrittenYet,
  seatFree,
} from './guards.ts';
import { bookings } from './tables.ts';

export type BookingRow = typeof bookings.$inferSelect;

/** The values that decide whether a seat may be taken; `key` is null without an idempotency key. */
const seatWish = [
  'id',
  'write_id',
  'actor_id',
  'login_id',
  'key',
  'now',
  'patient_id',
  'doctor_id',
  'session_id',
  'schedule_date',
  'starts_at',
  'ends_at',
  'capacity',
  'doctor_version',
  'clinic_version',
  'most_coming',
] as const;

const roomForPatient: SQL = sql`(r.most_coming = 0 or ${comingBookings} < r.most_coming)`;

const mayTakeSeat: SQL = sql.join(
  [
    loginLives,
    notReplayed,
    notWrittenYet,
    calendarUnchanged,
    seatFree,
    doctorFree,
    sql`${clashOfPatient} is null`,
    roomForPatient,
  ],
  sql` and `,
);

/** Takes the lowest free seat and the next queue number, or does nothing if any guard fails. */
export const insertBooking = rowStatement(
  [...seatWish, 'doctor_name', 'session_name', 'schedule_time', 'booking_code', 'notes'],
  (db, row) =>
    db.insert(bookings).select(
      sql`with ${row} select ${columnsInOrder(bookings, {
        id: sql`r.id`,
        version: sql`1`,
        writeId: sql`r.write_id`,
        patientId: sql`r.patient_id`,
        doctorId: sql`r.doctor_id`,
        doctorName: sql`r.doctor_name`,
        sessionId: sql`r.session_id`,
        sessionName: sql`r.session_name`,
        scheduleDate: sql`r.schedule_date`,
        scheduleTime: sql`r.schedule_time`,
        startsAt: sql`r.starts_at`,
        endsAt: sql`r.ends_at`,
        seat: lowestFreeSeat,
        queueNumber: nextQueueNumber,
        bookingCode: sql`r.booking_code`,
        notes: sql`r.notes`,
        status: sql`'waiting'`,
        createdBy: sql`r.actor_id`,
        createdAt: sql`r.now`,
        updatedAt: sql`r.now`,
        canceledAt: sql`null`,
        canceledBy: sql`null`,
        cancelReasonCode: sql`null`,
        cancelReason: sql`null`,
        approvedAt: sql`null`,
        checkedInAt: sql`null`,
        calledAt: sql`null`,
        callCount: sql`0`,
        completedAt: sql`null`,
        noShowAt: sql`null`,
      })} from r where ${mayTakeSeat}`,
    ),
);

const asTruth = (condition: SQL, name: string) => sql<number>`${condition}`.as(name);

/** Whether the write happened and, if it did not, what stood in its way: one row, after the write or by itself. */
export const explainSeat = rowStatement(seatWish, (db, row) =>
  db
    .select({
      written: asTruth(sql`not (${notWrittenYet})`, 'written'),
      loginLives: asTruth(loginLives, 'login_lives'),
      repeated: asTruth(sql`not (${notReplayed})`, 'repeated'),
      current: asTruth(calendarUnchanged, 'current'),
      clash: sql<string | null>`${clashOfPatient}`.as('clash'),
      roomForPatient: asTruth(roomForPatient, 'room_for_patient'),
      seatFree: asTruth(sql`(${seatFree} and ${doctorFree})`, 'seat_free'),
    })
    .from(sql`(with ${row} select * from r) r`),
);

export const findBooking = statement((db, named: Named<'id'>) =>
  db
    .select()
    .from(bookings)
    .where(eq(bookings.id, named('id'))),
);

/** Cancels the booking in the version that was decided on, or does nothing. */
export const cancelVersion = rowStatement(
  ['id', 'write_id', 'actor_id', 'login_id', 'key', 'now', 'version', 'canceled_by', 'reason_code', 'reason'],
  (db, row) =>
    db
      .update(bookings)
      .set({
        version: sql`r.version + 1`,
        writeId: sql`r.write_id`,
        status: 'canceled',
        canceledAt: sql`r.now`,
        canceledBy: sql`r.canceled_by`,
        cancelReasonCode: sql`r.reason_code`,
        cancelReason: sql`r.reason`,
        updatedAt: sql`r.now`,
      })
      .from(sql`(with ${row} select * from r) r`)
      .where(
        and(
          sql`${bookings.id} = r.id`,
          sql`${bookings.version} = r.version`,
          sql`${bookings.status} <> 'canceled'`,
          loginLives,
          notReplayed,
          notWrittenYet,
        ),
      ),
);

/** Whether a change of a booking happened and, if it did not, what stood in its way. */
export const explainChange = rowStatement(['write_id', 'actor_id', 'login_id', 'key', 'now'], (db, row) =>
  db
    .select({
      written: asTruth(sql`not (${notWrittenYet})`, 'written'),
      loginLives: asTruth(loginLives, 'login_lives'),
      repeated: asTruth(sql`not (${notReplayed})`, 'repeated'),
    })
    .from(sql`(with ${row} select * from r) r`),
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
