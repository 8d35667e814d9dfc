import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { instant, localDate, localTime, uuid } from '../db/columns.ts';
import { doctors, sessions } from './catalog.ts';
import { patients } from './patients.ts';

export const bookings = sqliteTable(
  'bookings',
  {
    id: uuid('id').primaryKey(),
    /** Raised by every change; a change names the version it was decided on. */
    version: integer('version').notNull(),
    /** The last change, so that what is written with it can join on it. */
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
    /** From 1 on, unique among the live bookings of one doctor and start; above the capacity where it was overbooked. */
    seat: integer('seat').notNull(),
    queueNumber: integer('queue_number').notNull(),
    /** The number with the prefix that its queue had when it was given, such as B-05: what is called out. */
    queueLabel: text('queue_label').notNull().default(''),
    bookingCode: text('booking_code').notNull().unique(),
    notes: text('notes').notNull(),
    /** The clinic's own, never shown to the patient. */
    staffNotes: text('staff_notes').notNull().default(''),
    /** 1 if the clinic gave it a seat beyond the capacity. */
    overbooked: integer('overbooked').notNull().default(0),
    status: text('status', { enum: ['waiting', 'approved', 'canceled'] }).notNull(),
    createdBy: uuid('created_by').notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    canceledAt: instant('canceled_at'),
    canceledBy: text('canceled_by', { enum: ['patient', 'staff', 'doctor', 'admin', 'api_key', 'system'] }),
    cancelReasonCode: text('cancel_reason_code', {
      enum: ['canceled', 'rejected', 'expired', 'closure', 'account_deleted'],
    }),
    cancelReason: text('cancel_reason'),
    approvedAt: instant('approved_at'),
    checkedInAt: instant('checked_in_at'),
    /** The first call, which a repeated one leaves as it is; `calledAt` is the last. */
    firstCalledAt: instant('first_called_at'),
    calledAt: instant('called_at'),
    callCount: integer('call_count').notNull(),
    completedAt: instant('completed_at'),
    noShowAt: instant('no_show_at'),
    /** Where somebody who was skipped stands in the calling order; null for the place by slot and check-in. */
    queueTurn: text('queue_turn'),
  },
  (t) => [
    uniqueIndex('bookings_seat').on(t.doctorId, t.startsAt, t.seat).where(sql`status <> 'canceled'`),
    uniqueIndex('bookings_patient_start').on(t.patientId, t.startsAt).where(sql`status <> 'canceled'`),
    // Covers the query for a doctor's occupied times, so that it reads the index only and not one page per booking.
    index('bookings_taken').on(t.doctorId, t.startsAt, t.endsAt).where(sql`status <> 'canceled'`),
    index('bookings_history').on(t.patientId, t.startsAt, t.id),
    index('bookings_doctor_day').on(t.doctorId, t.scheduleDate, t.startsAt, t.id),
    index('bookings_day').on(t.scheduleDate, t.startsAt, t.id),
    index('bookings_waiting').on(t.endsAt).where(sql`status = 'waiting'`),
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
