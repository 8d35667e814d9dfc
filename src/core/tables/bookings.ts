import { type SQL, sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { hasExternalId, instant, localDate, localTime, uuid } from '../db/columns.ts';
import { actingRoles } from '../endpoint/roles.ts';
import { doctors, sessions } from './catalog.ts';
import { patients } from './patients.ts';
import { bookingChannels, bookingStatuses, cancelReasonCodes, payers, visitKinds } from './words.ts';

/** Nearly all visits take at most this long, in milliseconds. */
export const usualVisitMs = 60 * 60_000;

/** The condition of the index `bookings_long`: the booking is longer than a usual visit. */
export const isLong: SQL = sql.raw(`ends_at - starts_at > ${usualVisitMs}`);

export const bookings = sqliteTable(
  'bookings',
  {
    id: uuid('id').primaryKey(),
    /** Raised by every change; a change names the version it was decided on. */
    version: integer('version').notNull(),
    /** The id of the last change, so that the other statements of its batch can join on it. */
    writeId: uuid('write_id').notNull(),
    patientId: uuid('patient_id')
      .notNull()
      .references(() => patients.id),
    doctorId: uuid('doctor_id')
      .notNull()
      .references(() => doctors.id),
    doctorName: text('doctor_name').notNull(),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => sessions.id),
    sessionName: text('session_name').notNull(),
    scheduleDate: localDate('schedule_date').notNull(),
    scheduleTime: localTime('schedule_time').notNull(),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    /** From 1 on, unique among the live bookings of one doctor and start; above the capacity if it was overbooked. */
    seat: integer('seat').notNull(),
    queueNumber: integer('queue_number').notNull(),
    /** The number with the prefix of its queue at the time of booking, such as B-05: the label by which the patient is called. */
    queueLabel: text('queue_label').notNull().default(''),
    bookingCode: text('booking_code').notNull().unique(),
    notes: text('notes').notNull(),
    /** The clinic's own, never shown to the patient. */
    staffNotes: text('staff_notes').notNull().default(''),
    /** 1 if the clinic gave it a seat beyond the capacity. */
    overbooked: integer('overbooked').notNull().default(0),
    status: text('status', { enum: bookingStatuses }).notNull(),
    createdBy: uuid('created_by').notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    canceledAt: instant('canceled_at'),
    canceledBy: text('canceled_by', { enum: actingRoles }),
    cancelReasonCode: text('cancel_reason_code', { enum: cancelReasonCodes }),
    cancelReason: text('cancel_reason'),
    approvedAt: instant('approved_at'),
    checkedInAt: instant('checked_in_at'),
    /** The first call, which a repeated call does not change; `calledAt` is the last. */
    firstCalledAt: instant('first_called_at'),
    calledAt: instant('called_at'),
    callCount: integer('call_count').notNull(),
    completedAt: instant('completed_at'),
    noShowAt: instant('no_show_at'),
    /** The series of bookings that were made together on several dates; null for a single booking. */
    seriesId: uuid('series_id'),
    /** The position in the calling order of a booking that was skipped; null for the position by slot and check-in. */
    queueTurn: text('queue_turn'),
    /**
     * For an offer: until when it holds, or held, its seat. Null for an accepted offer, which is a normal booking.
     */
    heldUntil: instant('held_until'),
    /** The entry of the waitlist that it was offered to. */
    waitlistId: uuid('waitlist_id'),
    /**
     * The doctor's room it is called to when no schedule contains its slot any more: the room of the last one that did.
     */
    room: text('room').notNull().default(''),
    channel: text('channel', { enum: bookingChannels }).notNull().default('app'),
    payer: text('payer', { enum: payers }),
    visitKind: text('visit_kind', { enum: visitKinds }),
    /** Of the referral, or of the control letter, that the visit follows. */
    referralNumber: text('referral_number'),
    /** The code under which BPJS knows the booking; null before the first report, which uses the booking code. After a move the code is new, since a code that was canceled at BPJS cannot be used again. */
    exchangeCode: text('exchange_code'),
    /** Of the Encounter at SATUSEHAT. */
    encounterId: text('encounter_id'),
    /** The id of the record in another system, and what that system keeps with it, as a JSON object. */
    externalId: text('external_id'),
    metadata: text('metadata'),
    /** The answers to the session's questions, each with the wording it was given to, as a JSON list; null where nothing was asked. */
    answers: text('answers'),
    /** When a reminder asked whether the patient comes, and when that was answered with yes; a move clears both. */
    askedAt: instant('asked_at'),
    confirmedAt: instant('confirmed_at'),
  },
  (t) => [
    // One live booking a seat, and one of a patient a start: the triggers of drizzle/0020 enforce both with these
    // indexes.
    index('bookings_history').on(t.patientId, t.startsAt, t.id),
    // A doctor's dates. Covers the query for the occupied times, so that it reads the index only and not one page per booking.
    index('bookings_doctor_day').on(
      t.doctorId,
      t.scheduleDate,
      t.startsAt,
      t.endsAt,
      t.seat,
      t.status,
      t.heldUntil,
    ),
    // A long visit may have started hours ago. All other visits that still go on started within the last hour.
    index('bookings_long').on(t.doctorId, t.startsAt).where(isLong),
    index('bookings_day').on(t.scheduleDate, t.startsAt, t.id),
    index('bookings_series').on(t.seriesId, t.startsAt).where(sql`series_id is not null`),
    index('bookings_waiting').on(t.endsAt).where(sql`status = 'waiting'`),
    // A referral serves one visit: found where another is booked with it. Only bookings with one have a row here.
    index('bookings_referral')
      .on(t.referralNumber)
      .where(sql`referral_number is not null and status <> 'canceled'`),
    // The offers that are open: few, and none at all in a clinic without a waitlist.
    index('bookings_held').on(t.heldUntil).where(sql`status = 'waiting' and held_until is not null`),
    // Costs nothing for a booking without one.
    uniqueIndex('bookings_external_id').on(t.externalId).where(hasExternalId),
    uniqueIndex('bookings_offer').on(t.waitlistId).where(sql`status = 'waiting' and held_until is not null`),
  ],
);

/** The counter of queue numbers per doctor, date and session. It only grows, so no number is given out twice. */
export const queues = sqliteTable(
  'queues',
  {
    doctorId: uuid('doctor_id').notNull(),
    scheduleDate: localDate('schedule_date').notNull(),
    sessionId: uuid('session_id').notNull(),
    lastNumber: integer('last_number').notNull(),
  },
  (t) => [primaryKey({ columns: [t.doctorId, t.scheduleDate, t.sessionId] })],
);
