import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import {
  described,
  describedAs,
  freeText,
  localDate,
  localTime,
  must,
  named,
  uuid,
} from '../../../core/endpoint/fields.ts';
import { clinicPeople } from '../../catalog/shapes.ts';
import { ClosedReason } from '../../catalog/slots/contract.ts';
import { overrideLimits } from '../record/fields.ts';
import { Booking } from '../record/shapes.ts';
import { longestSeries } from './rules.ts';

export const BookedDate = named('BookedDate', () => ({
  schedule_date: described(localDate(), 'The date of the series.'),
  result: described(
    z.enum(['booked', 'nearest', 'refused', 'free']),
    'Booked at the wished time, or at the nearest one of that day; refused; or, where nothing was booked, free.',
  ),
  booking: described(z.nullable(Booking()), 'Null unless it was booked.'),
  code: described(
    z.nullable(
      z.enum([
        'slot_full',
        'slot_unavailable',
        'patient_busy',
        'too_many_bookings',
        'email_unproved',
        'rate_limited',
      ]),
    ),
    'Why the wished time could not be booked: what `POST /v1/bookings` would have answered.',
    { example: null },
  ),
  reason: described(
    z.nullable(z.enum([...ClosedReason().options, 'not_offered'])),
    'Why the slot is closed, of `slot_unavailable`.',
    { example: null },
  ),
}));

export const BookSeries = endpoint({
  method: 'post',
  path: '/v1/bookings/series',
  tag: 'bookings',
  summary: 'Book the same time on several dates',
  description:
    'The same local time on each date, all in one atomic step. Patients within their window and limits, where each booking counts. `fail` books all dates or none: 409 `series_conflict` with what became of each; `skip` leaves out what cannot be booked; `nearest` takes the nearest free slot of the same doctor, session and day instead. Where no date can be booked, each of them answers 409.',
  access: 'bearer',
  scope: 'bookings:write',
  idempotent: true,
  body: () =>
    z.object({
      doctor_id: uuid(),
      session_id: uuid(),
      schedule_date: described(localDate(), 'The first date; with `weekdays` the first of them from it on.'),
      schedule_time: localTime(),
      every_days: described(
        z._default(z.int().check(z.minimum(1), z.maximum(92)), 7),
        'The days from one date to the next, unless there are `weekdays`.',
        { example: 7 },
      ),
      weekdays: describedAs(
        z.optional(
          z.array(z.int().check(z.minimum(1), z.maximum(7))).check(
            must((days) => days.length > 0, 'required'),
            z.maxLength(7),
          ),
        ),
        { description: 'On which days of the week, 1 Monday to 7 Sunday.', example: [1, 4], minItems: 1 },
      ),
      count: described(z.int().check(z.minimum(1), z.maximum(longestSeries)), 'How many dates.', {
        example: 4,
      }),
      on_conflict: described(
        z._default(z.enum(['fail', 'skip', 'nearest']), 'fail'),
        'What is done where a date cannot be booked.',
      ),
      notes: z._default(freeText(1_000), ''),
      patient_id: described(z.optional(uuid()), 'As in `POST /v1/bookings`.'),
      override_limits: overrideLimits(),
    }),
  returns: {
    200: {
      description: 'Booked.',
      data: () =>
        z.object({
          id: described(uuid(), 'Of the series, the `series_id` of its bookings: the id of the first.'),
          results: described(z.array(BookedDate()), 'What became of each date.'),
        }),
      message: { id: 'Janji temu berhasil dibuat.', en: 'The bookings were made.' },
    },
  },
  fails: ['forbidden', 'series_conflict', 'rate_limited', 'doctor_not_found', 'session_not_offered'],
});

export const CancelSeries = endpoint({
  method: 'post',
  path: '/v1/bookings/series/{id}/cancel',
  tag: 'bookings',
  summary: 'Cancel what is still to come of a series',
  description:
    'Those that have not begun and whose patient is not there, in one atomic step; by the patient each until its `cancelable_until`.',
  access: 'bearer',
  scope: 'bookings:write',
  idempotent: true,
  bodyOptional: true,
  body: () => z.object({ reason: described(z.optional(freeText(500)), 'In words, for the other side.') }),
  returns: {
    200: {
      description: 'What became of each booking that was still to come.',
      data: () =>
        z.array(
          z.object({
            booking_id: uuid(),
            schedule_date: localDate(),
            schedule_time: localTime(),
            result: described(
              z.enum(['canceled', 'kept']),
              '`kept`: it is too late for the patient to cancel it.',
            ),
          }),
        ),
      message: {
        id: 'Janji temu mendatang dalam rangkaian ini telah dibatalkan.',
        en: 'What was to come of the series was canceled.',
      },
    },
  },
});

export const BookFollowUp = endpoint({
  method: 'post',
  path: '/v1/bookings/{id}/follow-up',
  makesUnder: '/v1/bookings',
  tag: 'clinic',
  summary: 'Book the same patient again',
  description:
    'The first free slot between two dates, of the same doctor and session unless others are named, at which the patient is not busy. Without one: `slot_full`, with what is free nearby.',
  access: clinicPeople,
  scope: 'bookings:write',
  idempotent: true,
  body: () =>
    z.object({
      from: described(localDate(), 'The first date.'),
      to: described(localDate(), 'The last date, at most 92 days.'),
      earliest_time: described(z.optional(localTime()), 'No slot that starts before.', {
        example: '08:00:00',
      }),
      latest_time: described(z.optional(localTime()), 'No slot that starts after.', { example: '12:00:00' }),
      doctor_id: described(z.optional(uuid()), 'The same doctor unless set.'),
      session_id: described(z.optional(uuid()), 'The same session unless set.'),
      override_limits: overrideLimits(),
      notes: z._default(freeText(1_000), ''),
    }),
  returns: {
    201: { description: 'Booked.', data: Booking, message: 'booking_created', headers: ['Location'] },
  },
  fails: ['slot_full', 'slot_unavailable', 'doctor_not_found', 'session_not_offered'],
});
