import * as z from 'zod/mini';
import { externalAnswer } from '../../../core/db/external-fields.ts';
import {
  described,
  freeText,
  localDate,
  localTime,
  named,
  utcInstant,
  uuid,
} from '../../../core/endpoint/fields.ts';
import { actingRoles } from '../../../core/endpoint/roles.ts';
import { bookingStatuses, cancelReasonCodes, visitStatuses } from '../../../core/tables/words.ts';
import { encounterShape, visitShape } from './fields.ts';
import { verbs } from './state.ts';

export const BookingStatus = () => z.enum(bookingStatuses);

export const Booking = named('Booking', () => ({
  id: described(uuid(), 'Assigned by the service.'),
  doctor_id: uuid(),
  doctor_name: described(z.string(), 'As it was when the booking was made.'),
  session_id: uuid(),
  session_name: described(z.string(), 'As it was when the booking was made.'),
  schedule_date: described(localDate(), "In the clinic's time zone."),
  schedule_time: described(localTime(), "In the clinic's time zone."),
  notes: described(z.string(), 'Free text from the patient.'),
  status: BookingStatus(),
}));

/** In which role something was done; `api_key` is a machine of the clinic. */
export const actingRole = () => z.enum(actingRoles);

const Action = () => z.enum(verbs);

export const VisitStatus = () => z.enum(visitStatuses);

export const Cancellation = named('Cancellation', () => ({
  by: described(actingRole(), 'Who canceled: `system` when nobody approved in time.'),
  reason_code: described(
    z.enum(cancelReasonCodes),
    'Canceled by somebody, rejected by the clinic, expired unapproved, in the way of leave or a holiday, of somebody who was deleted, or of somebody who did not say that they come and whose seat went to the waitlist; or an offer of the waitlist that was declined or not accepted in time.',
  ),
  reason: described(z.nullable(z.string()), 'In words, as it was given; null without any.'),
  at: described(utcInstant(), 'When it was canceled.'),
}));

export const Visit = named('Visit', () => ({
  status: described(VisitStatus(), 'How far the visit came.'),
  checked_in_at: described(z.nullable(utcInstant()), 'When the patient was checked in.'),
  called_at: described(z.nullable(utcInstant()), 'The last call.'),
  first_called_at: described(z.nullable(utcInstant()), 'The first call.'),
  call_count: described(z.int(), 'How often the patient was called.'),
  completed_at: described(z.nullable(utcInstant()), 'When the visit was completed.'),
  no_show_at: described(z.nullable(utcInstant()), 'When the patient was recorded as not having come.'),
  reason_code: described(
    z.nullable(z.literal('left')),
    '`left`: a no-show of somebody who had checked in and went away; null otherwise.',
  ),
}));

const shownToClinic = ({ external_id, metadata }: ReturnType<typeof externalAnswer>) => ({
  external_id: described(z.optional(external_id), 'The id in another system; shown to the clinic alone.', {
    example: null,
  }),
  metadata: described(z.optional(metadata), 'What that system keeps with it; shown to the clinic alone.'),
});

export const detailShape = () => ({
  ...Booking().shape,
  booking_code: z.string(),
  queue_number: described(z.int(), 'Nomor antrean, per doctor, date and session; never given out twice.'),
  queue_label: described(
    z.string(),
    'The number as it is called out, with the prefix of doctor and session; it changes with the number alone.',
  ),
  starts_at: utcInstant(),
  ends_at: utcInstant(),
  time_zone: described(z.string(), "The clinic's IANA time zone."),
  version: described(z.int(), 'Raised by every change.'),
  allowed_actions: described(z.array(Action()), 'What the caller may do to the booking now.'),
  upcoming_actions: described(
    z.array(
      z.object({
        action: described(Action(), 'Named as in `allowed_actions`.'),
        from: described(utcInstant(), 'From when on it is allowed, if nothing changes until then.'),
      }),
    ),
    'What will be open to the caller by time alone: check-in on the day, no-show from the start on.',
  ),
  cancelable_until: described(
    z.nullable(utcInstant()),
    'Until when the patient may cancel; null when that is over.',
  ),
  cancellation: described(z.nullable(Cancellation()), 'Null unless the booking was canceled.'),
  visit: described(
    z.nullable(Visit()),
    'Null until the patient was checked in or recorded as not having come.',
  ),
  overbooked: described(z.boolean(), 'The clinic gave it a seat beyond the capacity of the slot.'),
  held_until: described(
    z.nullable(utcInstant()),
    'Of an offer from the waitlist: until when it holds the seat, or held it. Null of a booking, also of an offer that was accepted.',
    { example: null },
  ),
  asked_at: described(
    z.nullable(utcInstant()),
    'When a reminder asked whether the patient comes; null unless it did, and after a move.',
    { example: null },
  ),
  confirmed_at: described(
    z.nullable(utcInstant()),
    'When the patient, or the desk for them, said that they come; null until then, and after a move.',
    { example: null },
  ),
  series_id: z.nullable(uuid()),
  ...visitShape(),
  encounter_id: z.optional(encounterShape()),
  staff_notes: described(z.optional(z.string()), 'The clinic’s own notes, shown to the clinic alone.'),
  ...shownToClinic(externalAnswer()),
  created_at: utcInstant(),
  updated_at: utcInstant(),
});

export const BookingDetail = named('BookingDetail', detailShape);

/** What a reader of a booking is told about the questions before the visit. */
export const questionsLeft = () => ({
  to_answer: described(
    z.nullable(z.int()),
    'How many required questions before the visit have no answer yet (`GET /v1/bookings/{id}/answers`); null where nothing was asked.',
    { example: null },
  ),
});

export const BookedPatient = named('BookedPatient', () => ({
  id: uuid(),
  name: z.string(),
  phone_country_code: z.string(),
  phone_number: z.string(),
}));

export const ClinicBooking = named('ClinicBooking', () => ({
  ...detailShape(),
  ...questionsLeft(),
  patient: BookedPatient(),
}));

export const expectedVersion = () =>
  described(z.optional(z.int()), 'Refuses with `version_mismatch` unless the booking has this version.');
/** The request bodies of a change without a reason, and of one with a reason. */
export const change = () => z.object({ version: expectedVersion() });
export const changeWithReason = () =>
  z.object({
    reason: described(z.optional(freeText(500)), 'In words, for the other side.'),
    version: expectedVersion(),
  });
