import * as z from 'zod/mini';
import { localDate, localTime, named, told, utcInstant, uuid } from '../../endpoint/fields.ts';
import type { EventType } from '../../tables/words.ts';
import { BookingStatus, Cancellation, VisitStatus } from './shapes.ts';

/** What an event tells of a booking after the change: ids, times and states, never names or notes. */
export const EventData = named('BookingEventData', () => ({
  booking_id: uuid(),
  version: told(
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
  queue_number: told(z.int(), 'Nomor antrean, per doctor, date and session.'),
  canceled_by: told(z.nullable(Cancellation().shape.by), 'Null unless it was canceled.', { example: null }),
  reason_code: told(z.nullable(Cancellation().shape.reason_code), 'Null unless it was canceled.', {
    example: null,
  }),
  visit: told(z.nullable(VisitStatus()), 'How far the visit came; null before it began.', {
    example: null,
  }),
}));

/** The body of a webhook. */
export const eventMessage = <const T extends EventType>(type: T) =>
  z.object({
    type: told(z.literal(type), 'What happened.'),
    timestamp: told(utcInstant(), 'When it happened, which may be long before it is sent.'),
    data: EventData(),
  });
