import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import {
  described,
  freeText,
  localDate,
  localTime,
  named,
  utcInstant,
} from '../../../core/endpoint/fields.ts';
import { BookingDetail, VisitStatus } from '../record/shapes.ts';

const onlyWhereOn = '404 where the clinic has not turned it on (`self_check_in_minutes`).';
const once = 'Somebody who is checked in already gets the same answer.';

/** What a screen in the entrance shows: nothing of it says who the patient is. */
const CheckedIn = named('CheckedIn', () => ({
  queue_label: described(z.string(), 'What is called out.', { example: 'A-05' }),
  initials: described(z.string(), "Of the patient's name, to recognise the own one.", { example: 'R. W.' }),
  room: described(z.string(), 'Where the patient is called to; may be empty.'),
  doctor_name: z.string(),
  session_name: z.string(),
  schedule_date: localDate(),
  schedule_time: localTime(),
  starts_at: utcInstant(),
  time_zone: described(z.string(), "The clinic's IANA time zone."),
  booking_code: z.string(),
  visit: described(VisitStatus(), 'How far the visit came: `called` of somebody who was called already.'),
}));

export const CheckInAtKiosk = endpoint({
  method: 'post',
  path: '/v1/check-ins',
  // Who has come has come.
  repeatable: true,
  tag: 'clinic',
  summary: 'Check a patient in at a kiosk',
  description: `For a device of the clinic whose key has only this scope. The code as it was read from the QR code of the ticket, or as the patient typed it together with the date of birth. A wrong code and a wrong date of birth are answered alike (422 \`arrival_unknown\`), and both are throttled, for the device and for the code. On the day of the booking, \`self_check_in_minutes\` before its start until as long after it; otherwise 409 \`check_in_closed\`. ${once} ${onlyWhereOn}`,
  access: ['staff', 'admin'],
  scope: 'arrivals:write',
  body: () =>
    z.object({
      code: described(freeText(40), 'The booking code; case, spaces and hyphens do not matter.', {
        example: '7KQ2M9XR',
      }),
      birth_date: described(z.optional(localDate()), 'Of a code that was typed.', { example: '1990-05-17' }),
    }),
  returns: { 200: { description: 'Checked in.', data: CheckedIn, message: 'checked_in_without_desk' } },
  fails: ['not_found', 'arrival_unknown', 'check_in_closed', 'rate_limited'],
});

export const CheckInByPoster = endpoint({
  method: 'post',
  path: '/v1/bookings/{id}/arrive',
  repeatable: true,
  tag: 'bookings',
  summary: 'Check in by the poster at the clinic',
  description: `With the secret that the QR code of the clinic's poster has, for the own booking or one of the family. The same hours as at a kiosk; a booking that waits for approval is not approved by it, as it is at a kiosk (409 \`check_in_closed\`). ${once} 422 \`arrival_unknown\` where the secret is not that of the poster in force. ${onlyWhereOn}`,
  access: 'bearer',
  body: () =>
    z.object({
      poster: described(freeText(100), 'From the QR code.', { example: 'mJ3vT0qk9yQe5sXcB2uWfA' }),
    }),
  returns: { 200: { description: 'Checked in.', data: BookingDetail, message: 'checked_in_without_desk' } },
  fails: ['arrival_unknown', 'check_in_closed'],
});

const Poster = named('CheckInPoster', () => ({
  secret: described(z.nullable(z.string()), 'What the QR code carries; null where there is no poster.', {
    example: 'mJ3vT0qk9yQe5sXcB2uWfA',
  }),
}));

const posters = { tag: 'admin', path: '/v1/admin/check-in-poster', access: ['admin'] } as const;

export const GetPoster = endpoint({
  ...posters,
  method: 'get',
  discloses: 'nothing',
  summary: 'The poster for checking in',
  returns: { 200: { description: 'As it is to be printed.', data: Poster } },
});

export const MakePoster = endpoint({
  ...posters,
  method: 'post',
  summary: 'Make a new poster for checking in',
  idempotent: true,
  description: 'The one before it opens nothing from then on.',
  returns: { 200: { description: 'To be printed.', data: Poster, message: 'changed' } },
});
