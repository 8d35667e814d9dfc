import * as z from 'zod/mini';
import { externalInput } from '../../../core/db/external-fields.ts';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, freeText, localDate, localTime, uuid } from '../../../core/endpoint/fields.ts';
import { answersInput } from '../record/answer-shapes.ts';
import { channelInput, overrideLimits, visitChange, visitInput } from '../record/fields.ts';
import { Booking, BookingDetail, changeWithReason, expectedVersion } from '../record/shapes.ts';

const common = { tag: 'bookings', access: 'bearer', scope: 'bookings:write' } as const;

export const CreateBooking = endpoint({
  ...common,
  method: 'post',
  path: '/v1/bookings',
  summary: 'Book a slot',
  description:
    'A patient’s booking waits for approval and holds its seat meanwhile, unless the session’s `approval` is `automatic`; the clinic’s own stand approved at once. Where a patient missed as many visits within a year as the clinic allows (`approval_after_no_shows`), theirs wait whatever the session says; `GET /v1/doctors/{id}/slots?patient_id=` says so before. What a session limits for each patient binds the clinic too, unless it sets `override_limits`. A patient’s account books and moves at most 60 times an hour; a repeat under the same Idempotency-Key does not count. What the session asks before the visit (`questions` of `GET /v1/sessions`) may be answered at once, or later by `PUT /v1/bookings/{id}/answers`: a required question without an answer does not prevent the booking. With the `X-Hold-Secret` of a slot that is held (`POST /v1/holds`) the hold turns into the booking; so does one of the same account.',
  ignoresUnknownQuery: true,
  idempotent: true,
  holdSecret: true,
  body: () =>
    z.object({
      doctor_id: uuid(),
      session_id: uuid(),
      schedule_date: localDate(),
      schedule_time: localTime(),
      notes: z._default(freeText(1_000), ''),
      patient_id: described(
        z.optional(uuid()),
        'For whom the clinic books, and required of it: a patient, or the caller; a doctor names one who has or had a booking with them. Patients book for themselves alone. Neither the patients’ booking window nor their limits bind the clinic: it books until the slot ends.',
      ),
      check_in: described(
        z.optional(z.boolean()),
        'By the clinic, for today: the patient is there, and is checked in by the same step.',
      ),
      overbook: described(
        z.optional(z.boolean()),
        'By the clinic: where the slot is full, a seat beyond its capacity, at most 5 of them. A closed slot stays closed.',
      ),
      override_limits: overrideLimits(),
      channel: channelInput(),
      answers: z.optional(answersInput()),
      ...visitInput(),
      ...externalInput('By the clinic:'),
    }),
  returns: {
    201: { description: 'Booked.', data: Booking, message: 'booking_created_waiting', headers: ['Location'] },
  },
  fails: [
    'forbidden',
    'slot_full',
    'patient_busy',
    'too_many_bookings',
    'email_unproved',
    'rate_limited',
    'doctor_not_found',
    'session_not_offered',
    'slot_unavailable',
    'external_id_taken',
  ],
});

export const CancelBooking = endpoint({
  ...common,
  method: 'post',
  path: '/v1/bookings/{id}/cancel',
  summary: 'Cancel a booking',
  description:
    'By its patient until `cancelable_until` and before check-in; by the clinic until the visit is completed or the patient did not come.',
  ignoresUnknownQuery: true,
  idempotent: true,
  bodyOptional: true,
  body: changeWithReason,
  returns: {
    200: {
      description: 'Canceled; the seat is free.',
      data: () => z.object({ id: uuid(), status: z.literal('canceled') }),
      message: 'booking_canceled',
    },
  },
  fails: ['invalid_transition', 'version_mismatch'],
});

export const RescheduleBooking = endpoint({
  ...common,
  method: 'post',
  path: '/v1/bookings/{id}/reschedule',
  summary: 'Move a booking to another slot',
  description:
    'The seat it has is lost only if the new one is won. Moved by its patient it waits for approval again, unless the session’s `approval` is `automatic` and the patient has not missed too many visits; moved by the clinic it keeps its state, and on the same day its check-in. A move to the slot that it has changes nothing.',
  idempotent: true,
  body: () =>
    z.object({
      schedule_date: localDate(),
      schedule_time: localTime(),
      session_id: described(z.optional(uuid()), 'The same session unless set.'),
      doctor_id: described(z.optional(uuid()), 'The same doctor unless set.'),
      override_limits: overrideLimits(),
      version: expectedVersion(),
    }),
  returns: { 200: { description: 'Moved.', data: BookingDetail, message: 'booking_rescheduled_waiting' } },
  fails: [
    'forbidden',
    'invalid_transition',
    'version_mismatch',
    'slot_full',
    'patient_busy',
    'rate_limited',
    'doctor_not_found',
    'session_not_offered',
    'slot_unavailable',
  ],
});

export const EditBooking = endpoint({
  ...common,
  method: 'patch',
  path: '/v1/bookings/{id}',
  summary: 'Change the notes of a booking, or what other systems keep with it',
  description:
    'Its patient changes `notes` until the booking is canceled or the visit over; the clinic changes everything here, at any time, except of a booking that has gone to the archive (409 `invalid_transition`).',
  bodyOptional: true,
  body: () =>
    z.object({
      notes: described(z.optional(freeText(1_000)), 'In place of the notes that it has.'),
      staff_notes: described(z.optional(freeText(1_000)), 'The clinic’s own; no patient sees or sets them.'),
      ...visitChange(),
      ...externalInput(),
      version: expectedVersion(),
    }),
  returns: { 200: { description: 'Changed.', data: BookingDetail, message: 'changed' } },
  fails: ['forbidden', 'invalid_transition', 'version_mismatch', 'external_id_taken', 'rate_limited'],
});
