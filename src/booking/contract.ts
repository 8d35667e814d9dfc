import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { freeText, localDate, localTime, named, pageMeta, paging, told, uuid } from '../fields.ts';

export const BookingStatus = z.enum(['waiting', 'approved', 'canceled']);

export const Booking = named('Booking', {
  id: told(uuid, 'Assigned by the service.'),
  doctor_id: uuid,
  doctor_name: told(z.string(), 'As it was when the booking was made.'),
  session_id: uuid,
  session_name: told(z.string(), 'As it was when the booking was made.'),
  schedule_date: told(localDate, "In the clinic's time zone."),
  schedule_time: told(localTime, "In the clinic's time zone."),
  notes: told(z.string(), 'Free text from the patient.'),
  status: BookingStatus,
});

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
    notes: z._default(freeText(1_000), ''),
  }),
  returns: {
    201: {
      description: 'Booked.',
      data: Booking,
      message: 'booking_created',
      headers: ['Location', 'Idempotency-Replayed'],
    },
  },
  fails: [
    'slot_full',
    'patient_busy',
    'too_many_bookings',
    'doctor_not_found',
    'session_not_offered',
    'slot_unavailable',
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
    reason: z.optional(freeText(500)),
    version: told(
      z.optional(z.int()),
      'Refuses with `version_mismatch` unless the booking has this version.',
    ),
  }),
  returns: {
    200: {
      description: 'Canceled; the seat is free.',
      data: z.object({ id: uuid, status: z.literal('canceled') }),
      message: 'booking_canceled',
      headers: ['Idempotency-Replayed'],
    },
  },
  fails: ['invalid_transition', 'version_mismatch'],
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
    status: z.optional(BookingStatus),
    from: told(z.optional(localDate), 'The first schedule_date.'),
    to: told(z.optional(localDate), 'The last schedule_date.'),
    doctor_id: z.optional(uuid),
  }),
  returns: {
    200: { description: 'A page of bookings.', data: z.array(Booking), meta: pageMeta, headers: ['Link'] },
  },
  fails: [],
});
