import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, letters, localDate, named, utcInstant, uuid } from '../../../core/endpoint/fields.ts';
import { mayBeKept } from '../../../core/endpoint/kept.ts';
import { Notice, noticeFields } from '../../catalog/slots/contract.ts';
import { BookingDetail } from '../record/shapes.ts';

const clinicRoles = ['staff', 'doctor', 'admin'] as const;

const label = () => described(z.string(), 'What is called out, such as `B-05`.', { example: 'A-05' });

const QueueCall = named('QueueCall', () => ({
  label: label(),
  called_at: described(utcInstant(), 'The last call.'),
  call_count: described(z.int(), 'Raised by each call; a screen announces a higher one again.'),
}));

const Queue = named('Queue', () => ({
  prefix: described(z.string(), 'The letters before the numbers, of no other queue.', { example: 'A' }),
  room: described(z.string(), 'Where the patients are called to; may be empty.'),
  doctor_id: uuid(),
  doctor_name: described(z.string(), "The doctor's title and name."),
  session_id: uuid(),
  session_name: z.string(),
  now: described(
    z.nullable(QueueCall()),
    'The last who was called and has not left; null where nobody is in the room.',
  ),
  calls: described(z.array(QueueCall()), 'The last five calls, the newest first.'),
  waiting: described(
    z.array(
      z.object({
        label: label(),
        is_there: described(z.boolean(), 'Whether the patient was checked in.', { example: true }),
      }),
    ),
    'Those who are still to be called, in the order in which they will be.',
  ),
  minutes_per_visit: described(
    z.number(),
    "The median of the day's visits from call to end; with fewer than three, what the schedule gives each patient.",
  ),
  notice: described(z.nullable(Notice()), 'What the doctor lets the patients know; null without any.'),
}));

export const GetQueues = endpoint({
  method: 'get',
  path: '/v1/queues',
  tag: 'catalog',
  summary: 'The queues of a day',
  description: `Numbers only, for screens and phones: the queues of the doctors and sessions that have hours or patients on the date. Only who is approved and not absent counts. The ETag leaves \`server_time\` out; after a 304 the \`Date\` header serves. ${mayBeKept}`,
  access: 'public',
  query: () =>
    z.object({
      date: described(z.optional(localDate()), 'Today unless set.'),
      doctor_id: z.optional(uuid()),
      session_id: z.optional(uuid()),
    }),
  returns: {
    200: {
      description: 'The queues by their prefixes.',
      data: () => z.array(Queue()),
      meta: () =>
        z.object({
          date: localDate(),
          time_zone: described(z.string(), "The clinic's IANA time zone."),
          server_time: described(utcInstant(), 'The clock that the calls are told by.'),
        }),
      headers: ['ETag'],
    },
  },
});

export const CallNext = endpoint({
  method: 'post',
  path: '/v1/doctors/{id}/queue/next',
  tag: 'clinic',
  summary: 'Call the next patient who is there',
  description:
    "Of today's approved patients who are checked in: by slot, then by check-in, behind others who was skipped. Two desks at once call two patients.",
  access: clinicRoles,
  scope: 'queue:write',
  idempotent: true,
  bodyOptional: true,
  body: () =>
    z.object({ session_id: described(z.optional(uuid()), 'Every session of the doctor unless set.') }),
  returns: { 200: { description: 'Whom to expect.', data: BookingDetail, message: 'booking_called' } },
  fails: ['queue_empty'],
});

const DoctorNotice = named('DoctorNotice', () => ({
  doctor_id: uuid(),
  ...Notice().shape,
  version: described(z.int(), 'Raised by every change.'),
}));

const notices = { tag: 'clinic', access: clinicRoles, path: '/v1/doctors/{id}/notice' } as const;

export const SetNotice = endpoint({
  ...notices,
  scope: 'queue:write',
  method: 'put',
  summary: "Tell a doctor's patients of a delay",
  description:
    'Shown with slots, queue and bookings of the date; the delay moves their `estimated_at`. No delay and no message removes it.',
  body: () => z.object(noticeFields()),
  returns: { 200: { description: 'As it now stands.', data: DoctorNotice, message: 'changed' } },
});

export const RemoveNotice = endpoint({
  ...notices,
  scope: 'queue:write',
  method: 'delete',
  summary: "Take a doctor's notice back",
  query: () => z.object({ date: described(z.optional(localDate()), 'Today unless set.') }),
  returns: { 200: { description: 'There is none now.', message: 'deleted' } },
});

export const SetQueuePrefix = endpoint({
  method: 'put',
  path: '/v1/admin/doctors/{id}/queue-prefix',
  tag: 'admin',
  summary: "Choose the letters before a queue's numbers",
  description:
    'For a doctor and a session; without it the first booking gives them the next free letters. Labels that were given stay.',
  access: ['admin'],
  scope: 'catalog:write',
  body: () =>
    z.object({
      session_id: uuid(),
      prefix: described(letters(3), 'One to three letters, of no other queue.', { example: 'UM' }),
    }),
  returns: {
    200: {
      description: 'Chosen.',
      data: () =>
        z.object({
          doctor_id: uuid(),
          session_id: uuid(),
          prefix: described(z.string(), 'In capital letters.', { example: 'UM' }),
        }),
      message: 'changed',
    },
  },
  fails: ['prefix_taken'],
});
