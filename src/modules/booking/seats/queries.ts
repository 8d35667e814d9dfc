import { and, type SQL, sql } from 'drizzle-orm';
import type { Db, Statement } from '../../../core/db/db.ts';
import { fromRow, insertFromRow } from '../../../core/db/from-row.ts';
import { columnGroup } from '../../../core/db/row-columns.ts';
import { type Row, rowStatement, rowsStatement } from '../../../core/db/statement.ts';
import { bookings } from '../../../core/tables/bookings.ts';
import { queuePrefixes } from '../../../core/tables/queues.ts';
import type { LimitReason } from '../../catalog/slots/limit-rules.ts';
import { progressColumns } from '../record/queries.ts';
import type { Decided } from './decision.ts';
import {
  actorHolds,
  calendarUnchanged,
  clashOfPatient,
  doctorFree,
  doctorNotHeldByOthers,
  isOverbooked,
  loginLives,
  lowestFreeSeat,
  nextQueueLabel,
  nextQueueNumber,
  notReplayed,
  notWrittenYet,
  patientStands,
  queueLabelAfterMove,
  queueNumberAfterMove,
  roleHolds,
  seatFree,
  writer,
} from './guards.ts';
import { oldestInHour, proofOrFew, roomForPatient, roomInHour } from './limit-guards.ts';
import { approvalUnchanged, limitReason, withinLimitsOfRow } from './session-guards.ts';

/** The values that decide whether a seat may be taken. */
const seatInput = [
  ...writer,
  'patientId',
  'familyAccount',
  'doctorId',
  'sessionId',
  'scheduleDate',
  'startsAt',
  'endsAt',
  'capacity',
  'beyond',
  'doctorVersion',
  'clinicVersion',
  'maxComing',
  'maxUnproved',
  'maxAnHour',
  'ahead',
  'maxPerDay',
  'minDaysBetween',
  'openTo',
  'approvalAfter',
  'waits',
  'hold',
] as const;

/** The columns that say where a booking is. */
export const placeColumns = columnGroup(bookings, [
  'doctorId',
  'doctorName',
  'sessionId',
  'sessionName',
  'scheduleDate',
  'scheduleTime',
  'startsAt',
  'endsAt',
]);

/** Names and labels of a slot, which no guard uses. */
const slotLabels = ['doctorName', 'sessionName', 'scheduleTime'] as const;

export const mayTakeSeat: SQL = sql.join(
  [
    actorHolds,
    notReplayed,
    notWrittenYet,
    calendarUnchanged,
    seatFree,
    doctorFree,
    doctorNotHeldByOthers,
    patientStands,
    sql`${clashOfPatient} is null`,
    roomForPatient,
    proofOrFew,
    roomInHour,
    withinLimitsOfRow,
    approvalUnchanged,
  ],
  sql` and `,
);

// A, B … Z, AA … ZZZ, without those that a doctor and session has or had.
const freePrefix: SQL = sql`(with recursive letters(n) as (select 1 union all select n + 1 from letters where n < 18278),
  named(n, prefix) as (select n, case when n <= 26 then char(64 + n) when n <= 702
    then char(64 + (n - 1) / 26, 65 + (n - 1) % 26)
    else char(64 + ((n - 1) / 26 - 1) / 26, 65 + ((n - 1) / 26 - 1) % 26, 65 + (n - 1) % 26) end from letters)
  select prefix from named where not exists (select 1 from queue_prefixes p where p.prefix = named.prefix) limit 1)`;

/** Gives a doctor and session the next free prefix if they have none. */
export const givePrefix = rowStatement(['doctorId', 'sessionId'], (db, row) =>
  insertFromRow(
    db,
    queuePrefixes,
    row,
    sql`from r where not exists (select 1 from queue_prefixes p where p.doctor_id = r.doctor_id
      and p.session_id = r.session_id and p.replaced_at is null)`,
    { prefix: freePrefix },
  ),
);

/** The prefix before the first booking of a doctor and session: every later booking finds theirs. */
export const firstPrefix = (db: Db, { calendar, slot: { sessionId } }: Decided): readonly Statement[] => {
  const hasPrefix = calendar.schedules.some((row) => row.sessionId === sessionId && row.hasPrefix === 1);
  return hasPrefix ? [] : [givePrefix(db, { doctorId: calendar.doctor.id, sessionId })];
};

/** The state that a new booking may have from the beginning. */
const beginningColumns = columnGroup(bookings, ['status', 'approvedAt', 'checkedInAt']);

/** The data of a visit for BPJS and SATUSEHAT. */
const visitColumns = columnGroup(bookings, ['channel', 'payer', 'visitKind', 'referralNumber']);

const newLabels = ['bookingCode', 'notes', 'seriesId', 'externalId', 'metadata', 'answers'] as const;
export const newRow = [
  ...seatInput,
  ...slotLabels,
  ...beginningColumns.names,
  ...visitColumns.names,
  ...newLabels,
] as const;

const nothing = sql.raw('null');

export const insertIf = (db: Db, row: Row<(typeof newRow)[number]>, may: SQL) =>
  insertFromRow(db, bookings, row, sql`from r where ${may}`, {
    version: sql`1`,
    seat: lowestFreeSeat,
    queueNumber: nextQueueNumber,
    queueLabel: nextQueueLabel,
    room: sql`''`,
    staffNotes: sql`''`,
    overbooked: isOverbooked,
    createdBy: sql`r.actor_id`,
    createdAt: sql`r.now`,
    updatedAt: sql`r.now`,
    callCount: sql`0`,
  });

/** Takes the lowest free seat and the next queue number, or does nothing if any guard fails. */
export const insertBooking = rowStatement(newRow, (db, row) => insertIf(db, row, mayTakeSeat));

/** The same for bookings of different dates, all of them or none: does nothing if any guard of any fails. */
export const insertBookings = rowsStatement(newRow, (db, row) =>
  insertIf(db, row, sql`(select count(*) from r where ${mayTakeSeat}) = (select count(*) from r)`),
);

/** Moves the booking, in the version that was decided on, to the lowest free seat of another slot, or does nothing. */
export const moveVersion = rowStatement(
  [...seatInput, 'version', 'answers', ...slotLabels, ...progressColumns.names],
  (db, row) =>
    db
      .update(bookings)
      .set({
        version: sql`r.version + 1`,
        writeId: sql`r.write_id`,
        ...placeColumns.fromRow,
        seat: lowestFreeSeat,
        queueNumber: queueNumberAfterMove,
        // A move never overbooks.
        overbooked: sql`0`,
        room: sql`''`,
        queueLabel: queueLabelAfterMove,
        ...progressColumns.fromRow,
        answers: sql`r.answers`,
        askedAt: nothing,
        confirmedAt: nothing,
        updatedAt: sql`r.now`,
      })
      .from(fromRow(row))
      .where(
        and(
          sql`${bookings.id} = r.id`,
          sql`${bookings.version} = r.version`,
          sql`${bookings.status} <> 'canceled'`,
          mayTakeSeat,
        ),
      ),
);

// After a write the new row itself would look like a conflict to the guards, and evaluating them costs as much again.
export const unlessWritten = (value: SQL): SQL => sql`case when e.write_id is null then ${value} end`;

const asTruth = (condition: SQL, name: string) => sql<number>`${unlessWritten(condition)}`.as(name);

const explain = (db: Db, row: SQL) =>
  db
    .select({
      id: sql<string>`r.id`.as('id'),
      written: sql<number>`e.write_id is not null`.as('written'),
      // As it was written: when the batch is repeated after a lost answer, the booking may have changed again.
      queueNumber: sql<number | null>`json_extract(e.payload, '$.queue_number')`.as('queue_number'),
      queueLabel: sql<string | null>`json_extract(e.payload, '$.queue_label')`.as('queue_label'),
      loginLives: asTruth(loginLives, 'login_lives'),
      roleHolds: asTruth(roleHolds, 'role_holds'),
      repeated: asTruth(sql`not (${notReplayed})`, 'repeated'),
      current: asTruth(calendarUnchanged, 'current'),
      patientStands: asTruth(patientStands, 'patient_stands'),
      clash: sql<string | null>`${unlessWritten(clashOfPatient)}`.as('clash'),
      roomForPatient: asTruth(roomForPatient, 'room_for_patient'),
      proofOrFew: asTruth(proofOrFew, 'proof_or_few'),
      roomInHour: asTruth(roomInHour, 'room_in_hour'),
      oldestInHour: sql<number | null>`${unlessWritten(oldestInHour)}`.as('oldest_in_hour'),
      limit: sql<LimitReason | null>`${unlessWritten(limitReason)}`.as('limit_reason'),
      approvalUnchanged: asTruth(approvalUnchanged, 'approval_unchanged'),
      seatFree: asTruth(sql`(${seatFree} and ${doctorFree} and ${doctorNotHeldByOthers})`, 'seat_free'),
    })
    .from(sql`${fromRow(row)} left join booking_events e on e.booking_id = r.id and e.write_id = r.write_id`);

/** Whether the write happened and, if not, which rule refused it: one row, read after the write or without one. */
export const explainSeat = rowStatement(seatInput, (db, row) => explain(db, row).limit(1));

/** The same of several, each by its id. */
export const explainSeats = rowsStatement(seatInput, explain);

/** Whether a caller still has the access with which a request was admitted. */
export const findAdmitted = rowStatement(
  ['actorId', 'actorRole', 'actorDoctorId', 'loginId', 'now'],
  (db, row) =>
    db
      .select({
        loginLives: sql<number>`${loginLives}`.as('login_lives'),
        roleHolds: sql<number>`${roleHolds}`.as('role_holds'),
      })
      .from(fromRow(row)),
);
