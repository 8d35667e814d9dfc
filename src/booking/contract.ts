import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { freeText, localDate, localTime, pageMeta, paging, uuid } from '../fields.ts';

export const BookingStatus = z.enum(['waiting', 'approved', 'canceled']);

export const Booking = z
  .object({
    id: uuid.describe('Assigned by the service.'),
    doctor_id: uuid,
    doctor_name: z.string().describe('As it was when the booking was made.'),
    session_id: uuid,
    session_name: z.string().describe('As it was when the booking was made.'),
    schedule_date: localDate.describe("In the clinic's time zone."),
    schedule_time: localTime.describe("In the clinic's time zone."),
    notes: z.string().describe('Free text from the patient.'),
    status: BookingStatus,
  })
  .meta({ id: 'Booking' });

export const bookingId = z.object({ id: uuid });

export const CreateBooking = endpoint({
  method: 'post',
  path: '/v1/bookings',
  tag: 'bookings',
  summary: 'Book a slot',
  description: 'The booking waits for approval and holds its seat meanwhile.',
  access: 'bearer',
  idempotent: true,
  body: z.object({
    doctor_id: uuid,
    session_id: uuid,
    schedule_date: localDate,
    schedule_time: localTime,
    notes: freeText(1_000).default(''),
  }),
  returns: { 201: { description: 'Booked.', data: Booking, message: 'booking_created', headers: ['Location', 'Idempotency-Replayed'] } },
  fails: [
    'malformed_json',
    'invalid_header',
    'unauthenticated',
    'slot_full',
    'patient_busy',
    'too_many_bookings',
    'payload_too_large',
    'unsupported_media_type',
    'validation_failed',
    'doctor_not_found',
    'session_not_offered',
    'slot_unavailable',
    'idempotency_key_reused',
    'unavailable',
  ],
});

export const CancelBooking = endpoint({
  method: 'post',
  path: '/v1/bookings/{id}/cancel',
  tag: 'bookings',
  summary: 'Cancel a booking',
  access: 'bearer',
  idempotent: true,
  params: bookingId,
  bodyOptional: true,
  body: z.object({
    reason: freeText(500).optional(),
    version: z.int().optional().describe('Refuses with `version_mismatch` unless the booking has this version.'),
  }),
  returns: {
    200: {
      description: 'Canceled; the seat is free.',
      data: z.object({ id: uuid, status: z.literal('canceled') }),
      message: 'booking_canceled',
      headers: ['Idempotency-Replayed'],
    },
  },
  fails: [
    'malformed_json',
    'invalid_header',
    'unauthenticated',
    'not_found',
    'invalid_transition',
    'version_mismatch',
    'payload_too_large',
    'unsupported_media_type',
    'validation_failed',
    'idempotency_key_reused',
    'unavailable',
  ],
});

export const GetHistory = endpoint({
  method: 'get',
  path: '/v1/bookings/history',
  tag: 'bookings',
  summary: "The caller's own bookings",
  description: 'The newest schedule first.',
  access: 'bearer',
  query: z.object({
    ...paging,
    status: BookingStatus.optional(),
    from: localDate.optional().describe('The first schedule_date.'),
    to: localDate.optional().describe('The last schedule_date.'),
    doctor_id: uuid.optional(),
  }),
  returns: { 200: { description: 'A page of bookings.', data: z.array(Booking), meta: pageMeta, headers: ['Link'] } },
  fails: ['invalid_query', 'unauthenticated', 'unavailable'],
});
