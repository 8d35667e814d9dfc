import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, localDate, named, utcInstant, uuid } from '../../../core/endpoint/fields.ts';
import { pageMeta, pageQuery, paging } from '../../../core/endpoint/query-fields.ts';
import { Notice } from '../../catalog/slots/contract.ts';
import {
  actingRole,
  BookedPatient,
  Booking,
  BookingStatus,
  ClinicBooking,
  detailShape,
  questionsLeft,
} from '../record/shapes.ts';

export const GetHistory = endpoint({
  method: 'get',
  path: '/v1/bookings/history',
  tag: 'bookings',
  summary: "The caller's own bookings and those of the family",
  description:
    'The newest schedule first; with `when=upcoming` the soonest first. With `include=detail` each is as `GET /v1/bookings/{id}` shows it, with its patient, but for the queue: room, notice, `ahead` and `estimated_at` stand there alone.',
  access: 'bearer',
  discloses: 'own',
  ignoresUnknownQuery: true,
  query: () =>
    z.object({
      ...paging(),
      status: z.optional(BookingStatus()),
      from: described(z.optional(localDate()), 'The first schedule_date.'),
      to: described(z.optional(localDate()), 'The last schedule_date.'),
      doctor_id: z.optional(uuid()),
      patient_id: described(z.optional(uuid()), 'The caller, or one of the family; everybody unless set.'),
      include: described(z.optional(z.enum(['detail'])), 'Everything about each booking.'),
      when: described(
        z.optional(z.enum(['upcoming', 'past'])),
        'Those that have not ended yet, the soonest first, or those that have, the newest first; in any state.',
      ),
    }),
  returns: {
    200: {
      description: 'A page of bookings.',
      data: () => z.array(z.union([Booking(), ClinicBooking()])),
      meta: pageMeta,
    },
  },
});

const ofOne = { tag: 'bookings', access: 'bearer', scope: 'bookings:read', discloses: 'record' } as const;

export const GetBooking = endpoint({
  ...ofOne,
  method: 'get',
  path: '/v1/bookings/{id}',
  summary: 'One booking',
  description:
    'With the patient, who is the caller or one of the family. A booking of long ago may be in the clinic’s archive: it is read like the others, and whatever would change it is refused with 409 `invalid_transition`.',
  returns: {
    200: {
      description: 'Everything about the booking.',
      data: () =>
        z.object({
          ...detailShape(),
          ...questionsLeft(),
          room: described(z.string(), 'Where the patient is called to; may be empty.'),
          ahead: described(
            z.nullable(z.int()),
            'How many are called before; null unless the booking is approved, of today and still to be called.',
          ),
          estimated_at: described(
            z.nullable(utcInstant()),
            'When it is called at about; null where `ahead` is.',
          ),
          notice: described(z.nullable(Notice()), 'What the doctor lets the patients of the day know.'),
          patient: BookedPatient(),
        }),
    },
  },
});

const BookingEvent = named('BookingEvent', () => ({
  type: described(z.string(), 'Such as `booking.approved`.', { example: 'booking.approved' }),
  at: described(utcInstant(), 'When it happened.'),
  by: described(actingRole(), 'In which role it was done.'),
  by_name: described(z.nullable(z.string()), 'For the clinic alone.'),
  version: described(z.int(), 'The version that the change made.'),
  changes: described(
    z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })),
    'What is different since the event before.',
  ),
}));

export const GetBookingEvents = endpoint({
  ...ofOne,
  method: 'get',
  path: '/v1/bookings/{id}/events',
  summary: 'Who did what to a booking, and when',
  query: pageQuery,
  returns: {
    200: {
      description: 'A page of events, the first one first.',
      data: () => z.array(BookingEvent()),
      meta: pageMeta,
    },
  },
});

export const GetBookingCalendar = endpoint({
  ...ofOne,
  method: 'get',
  path: '/v1/bookings/{id}/calendar.ics',
  summary: 'A booking as a calendar file',
  description: 'Times in UTC. The UID stays, SEQUENCE grows with every change.',
  returns: {
    200: {
      description: 'RFC 5545.',
      contentType: 'text/calendar',
      headers: ['Content-Disposition', 'Content-Language'],
    },
  },
});
