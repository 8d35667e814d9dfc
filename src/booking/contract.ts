import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import {
  freeText,
  localDate,
  localTime,
  named,
  pageMeta,
  paging,
  told,
  utcInstant,
  uuid,
} from '../fields.ts';

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

const actor = z.enum(['patient', 'staff', 'doctor', 'admin', 'system']);

export const Action = z.enum([
  'approve',
  'reject',
  'cancel',
  'reschedule',
  'check-in',
  'call',
  'complete',
  'no-show',
  'expire',
]);

export const VisitStatus = z.enum(['checked_in', 'called', 'completed', 'no_show']);

export const Cancellation = named('Cancellation', {
  by: told(actor, 'Who canceled: `system` when nobody approved in time.'),
  reason_code: told(
    z.enum(['canceled', 'rejected', 'expired']),
    'Canceled by somebody, rejected by the clinic, or expired unapproved.',
  ),
  reason: told(z.nullable(z.string()), 'In words, as it was given; null without any.'),
  at: told(utcInstant, 'When it was canceled.'),
});

export const Visit = named('Visit', {
  status: told(VisitStatus, 'How far the visit came.'),
  checked_in_at: told(z.nullable(utcInstant), 'When the patient was checked in.'),
  called_at: told(z.nullable(utcInstant), 'The last call.'),
  call_count: told(z.int(), 'How often the patient was called.'),
  completed_at: told(z.nullable(utcInstant), 'When the visit was completed.'),
  no_show_at: told(z.nullable(utcInstant), 'When the patient was recorded as not having come.'),
});

export const detailShape = {
  ...Booking.shape,
  booking_code: z.string(),
  queue_number: told(z.int(), 'Nomor antrean, per doctor, date and session; never given out twice.'),
  starts_at: utcInstant,
  ends_at: utcInstant,
  time_zone: told(z.string(), "The clinic's IANA time zone."),
  version: told(z.int(), 'Raised by every change.'),
  allowed_actions: told(z.array(Action), 'What the caller may do to the booking now.'),
  cancelable_until: told(
    z.nullable(utcInstant),
    'Until when the patient may cancel; null when that is over.',
  ),
  cancellation: told(z.nullable(Cancellation), 'Null unless the booking was canceled.'),
  visit: told(z.nullable(Visit), 'Null until the patient was checked in or recorded as not having come.'),
  created_at: utcInstant,
  updated_at: utcInstant,
};

export const BookingDetail = named('BookingDetail', detailShape);

export const BookedPatient = named('BookedPatient', {
  id: uuid,
  name: z.string(),
  phone_country_code: z.string(),
  phone_number: z.string(),
});

export const ClinicBooking = named('ClinicBooking', { ...detailShape, patient: BookedPatient });

/** The fields that any change of a booking may carry. */
export const expectedVersion = told(
  z.optional(z.int()),
  'Refuses with `version_mismatch` unless the booking has this version.',
);
export const reason = told(z.optional(freeText(500)), 'In words, for the other side.');

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
    patient_id: told(
      z.optional(uuid),
      'For whom the clinic books; patients book for themselves alone. The patients’ booking window does not bind the clinic.',
    ),
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
    'forbidden',
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
  body: z.object({ reason, version: expectedVersion }),
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

export const GetBooking = endpoint({
  method: 'get',
  path: '/v1/bookings/{id}',
  tag: 'bookings',
  summary: 'One booking',
  description: 'The clinic also sees `patient`.',
  access: 'bearer',
  params: bookingId,
  returns: {
    200: {
      description: 'Everything about the booking.',
      data: z.object({ ...detailShape, patient: z.optional(BookedPatient) }),
    },
  },
  fails: [],
});

export const BookingEvent = named('BookingEvent', {
  type: told(z.string(), 'Such as `booking.approved`.', { example: 'booking.approved' }),
  at: told(utcInstant, 'When it happened.'),
  by: told(actor, 'In which role it was done.'),
  by_name: told(z.nullable(z.string()), 'For the clinic alone.'),
  version: told(z.int(), 'The version that the change made.'),
  changes: told(
    z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })),
    'What is different since the event before.',
  ),
});

export const GetBookingEvents = endpoint({
  method: 'get',
  path: '/v1/bookings/{id}/events',
  tag: 'bookings',
  summary: 'Who did what to a booking, and when',
  access: 'bearer',
  params: bookingId,
  query: z.object({ ...paging }),
  returns: {
    200: {
      description: 'A page of events, the first one first.',
      data: z.array(BookingEvent),
      meta: pageMeta,
      headers: ['Link'],
    },
  },
  fails: [],
});

export const GetBookingCalendar = endpoint({
  method: 'get',
  path: '/v1/bookings/{id}/calendar.ics',
  tag: 'bookings',
  summary: 'A booking as a calendar file',
  description: 'Times in UTC. The UID stays, SEQUENCE grows with every change.',
  access: 'bearer',
  params: bookingId,
  returns: {
    200: { description: 'RFC 5545.', contentType: 'text/calendar', headers: ['Content-Disposition'] },
  },
  fails: [],
});

export const RescheduleBooking = endpoint({
  method: 'post',
  path: '/v1/bookings/{id}/reschedule',
  tag: 'bookings',
  summary: 'Move a booking to another slot',
  description:
    'The seat it has is lost only if the new one is won. Moved by its patient it waits for approval again.',
  access: 'bearer',
  idempotent: true,
  params: bookingId,
  body: z.object({
    schedule_date: localDate,
    schedule_time: localTime,
    session_id: told(z.optional(uuid), 'The same session unless set.'),
    doctor_id: told(z.optional(uuid), 'The same doctor unless set.'),
    version: expectedVersion,
  }),
  returns: {
    200: {
      description: 'Moved.',
      data: BookingDetail,
      message: 'booking_rescheduled',
      headers: ['Idempotency-Replayed'],
    },
  },
  fails: [
    'forbidden',
    'invalid_transition',
    'version_mismatch',
    'slot_full',
    'patient_busy',
    'doctor_not_found',
    'session_not_offered',
    'slot_unavailable',
  ],
});
