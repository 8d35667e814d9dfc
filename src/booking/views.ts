import type * as z from 'zod/mini';
import type { Booking } from './contract.ts';
import type { BookingRow } from './queries.ts';

type Shown = Pick<
  BookingRow,
  | 'id'
  | 'doctorId'
  | 'doctorName'
  | 'sessionId'
  | 'sessionName'
  | 'scheduleDate'
  | 'scheduleTime'
  | 'notes'
  | 'status'
>;

/** The nine fields of a booking that the interface shows. */
export const bookingView = (row: Shown): z.output<typeof Booking> => ({
  id: row.id,
  doctor_id: row.doctorId,
  doctor_name: row.doctorName,
  session_id: row.sessionId,
  session_name: row.sessionName,
  schedule_date: row.scheduleDate,
  schedule_time: row.scheduleTime,
  notes: row.notes,
  status: row.status,
});

type Told = Pick<
  BookingRow,
  | 'id'
  | 'version'
  | 'patientId'
  | 'doctorId'
  | 'sessionId'
  | 'scheduleDate'
  | 'scheduleTime'
  | 'startsAt'
  | 'endsAt'
  | 'status'
>;

/** What an event tells of a booking: ids, times and states, never names or notes. */
export const eventPayload = (row: Told, queueNumber = 0) => ({
  booking_id: row.id,
  version: row.version,
  patient_id: row.patientId,
  doctor_id: row.doctorId,
  session_id: row.sessionId,
  schedule_date: row.scheduleDate,
  schedule_time: row.scheduleTime,
  starts_at: new Date(row.startsAt).toISOString(),
  ends_at: new Date(row.endsAt).toISOString(),
  status: row.status,
  queue_number: queueNumber,
});
