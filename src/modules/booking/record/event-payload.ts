import * as z from 'zod/mini';
import { externalInEvent } from '../../../core/db/external-fields.ts';
import { described, localDate, localTime, named, utcInstant, uuid } from '../../../core/endpoint/fields.ts';
import { encounterShape, visitShape } from './fields.ts';
import { actingRole, BookingStatus, Cancellation, VisitStatus } from './shapes.ts';

/** Where a booking was before it was moved. */
export const PreviousSlot = named('PreviousSlot', () => ({
  doctor_id: uuid(),
  session_id: uuid(),
  schedule_date: localDate(),
  schedule_time: localTime(),
  starts_at: utcInstant(),
  ends_at: utcInstant(),
}));

/** The content of an event: ids, times and states of the booking after the change, never names or notes. */
export const EventData = named('BookingEventData', () => ({
  booking_id: uuid(),
  version: described(
    z.int(),
    "Counts the booking's changes: a higher one is newer, in whatever order they arrive.",
    {
      example: 2,
    },
  ),
  patient_id: uuid(),
  doctor_id: uuid(),
  session_id: uuid(),
  schedule_date: localDate(),
  schedule_time: localTime(),
  starts_at: utcInstant(),
  ends_at: utcInstant(),
  status: BookingStatus(),
  queue_number: described(z.int(), 'Nomor antrean, per doctor, date and session.'),
  queue_label: described(
    z.string(),
    'The number as it is called out, with the prefix of doctor and session.',
  ),
  canceled_by: described(z.nullable(Cancellation().shape.by), 'Null unless it was canceled.', {
    example: null,
  }),
  reason_code: described(z.nullable(Cancellation().shape.reason_code), 'Null unless it was canceled.', {
    example: null,
  }),
  visit: described(z.nullable(VisitStatus()), 'How far the visit came; null before it began.', {
    example: null,
  }),
  overbooked: described(z.boolean(), 'The clinic gave it a seat beyond the capacity of the slot.', {
    example: false,
  }),
  series_id: z.nullable(uuid()),
  channel: visitShape().channel,
  encounter_id: encounterShape(),
  ...externalInEvent(),
  actor_role: described(actingRole(), 'In which role it was done.', { example: 'staff' }),
  previous: described(z.nullable(PreviousSlot()), 'The slot before a move; null in every other event.', {
    example: null,
  }),
}));
