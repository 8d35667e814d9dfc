import * as z from 'zod/mini';
import { exampleDay } from '../../core/endpoint/example-dates.ts';
import { described, utcInstant } from '../../core/endpoint/fields.ts';
import { ClosureEventData, PatientEventData, QueueEventData } from '../../core/events/shapes.ts';
import { type EventType, eventTypes } from '../../core/tables/words.ts';
import { EventData } from '../../modules/booking/record/event-payload.ts';
import { buildExample } from './examples.ts';
import { type Json, type Schemas, toJsonSchema } from './json-schema.ts';

const before: Json = {
  doctor_id: 'd0c70000-0000-4000-8000-000000001001',
  session_id: 'd0c70000-0000-4000-8000-000000002001',
  schedule_date: exampleDay(7),
  schedule_time: '09:00:00',
  starts_at: `${exampleDay(7)}T02:00:00.000Z`,
  ends_at: `${exampleDay(7)}T02:30:00.000Z`,
};

/** The event, and the state of the booking after it. */
const events: Readonly<Record<EventType, [summary: string, change: Json]>> = {
  'booking.created': [
    'A slot was booked; by the clinic it is approved at once, and with `visit` the patient is there already',
    { version: 1 },
  ],
  'booking.approved': ['The clinic approved a booking', { status: 'approved' }],
  'booking.canceled': [
    'A booking was canceled, rejected, or expired unapproved; or an offer of the waitlist was declined or lapsed',
    { status: 'canceled', canceled_by: 'patient', reason_code: 'canceled' },
  ],
  'booking.rescheduled': [
    'A booking was moved to another slot',
    { schedule_date: exampleDay(8), previous: before },
  ],
  'booking.checked_in': [
    'The patient arrived; a waiting booking is approved by it',
    { status: 'approved', visit: 'checked_in' },
  ],
  'booking.called': ['The patient was called', { status: 'approved', visit: 'called' }],
  'booking.skipped': [
    'The patient was called, did not come and waits again',
    { status: 'approved', visit: 'checked_in' },
  ],
  'booking.completed': ['The visit was completed', { status: 'approved', visit: 'completed' }],
  'booking.no_show': ['The patient did not come', { status: 'approved', visit: 'no_show' }],
  'booking.updated': ['A booking changed otherwise: its notes, or its patient by a merge of two records', {}],
  'booking.answered': [
    'Questions before the visit were answered, or answers changed; what they say is never part of an event',
    {},
  ],
  'booking.confirmed': ['The patient said that they will come, or told the desk so', { status: 'approved' }],
  'booking.undone': [
    'The last step of a visit was taken back; `visit` is the one before',
    { status: 'approved', visit: 'checked_in' },
  ],
  'booking.offered': [
    'A seat that came free is held for somebody on the waitlist; it has no number until it is accepted',
    { version: 1, queue_number: 0, queue_label: '' },
  ],
  'booking.accepted': ['An offer was accepted: from now on it is a booking, with its number', {}],
  'patient.created': ['A patient was added', { version: 1 }],
  'patient.updated': ['A record of a patient was changed', {}],
  'patient.merged': [
    'A record was merged into another',
    { merged_into: 'd0c70000-0000-4000-8000-000000003004' },
  ],
  'patient.deleted': ['A person was deleted: what a receiver keeps of them is to go as well', {}],
  'closure.created': ['Leave or a holiday was added', { version: 1 }],
  'closure.removed': ['Leave or a holiday was deleted', {}],
  'queue.notice_set': ['It was told how late a doctor is', {}],
};

/** The description of an event, by its subject, which is the part of its type before the dot. */
const subjects = {
  booking: { data: EventData, name: 'BookingEventData', state: { status: 'waiting' } },
  patient: { data: PatientEventData, name: 'PatientEventData', state: {} },
  closure: { data: ClosureEventData, name: 'ClosureEventData', state: {} },
  queue: { data: QueueEventData, name: 'QueueEventData', state: {} },
} as const;

const subjectOf = (type: EventType) => type.slice(0, type.indexOf('.')) as keyof typeof subjects;

/** The body of a webhook. */
const buildMessage = (type: EventType) =>
  z.object({
    type: described(z.literal(type), 'What happened.'),
    timestamp: described(utcInstant(), 'When it happened, which may be long before it is sent.'),
    data: subjects[subjectOf(type)].data(),
  });

const header = (name: string, description: string, example: string, more: Json = {}): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', examples: [example], ...more },
});

/** The headers by which a receiver knows an event again and who sent it (Standard Webhooks). */
export const webhookParameters = {
  WebhookId: header(
    'webhook-id',
    'Identifies the event: the same one at every attempt and every replay.',
    '6f0c1f0e-6f43-4f0a-9f3d-1b7c2d3e4f50',
    { format: 'uuid' },
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'When this attempt was signed, in seconds since 1970. Refuse what is more than five minutes off.',
    '1795392000',
    { pattern: '^[0-9]+$' },
  ),
  WebhookSignature: header(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA-256 over `webhook-id.webhook-timestamp.body` under the secret (the bytes that follow `whsec_` in base64). After a rotation two of them, separated by a space: one that fits is enough.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    { pattern: '^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)*$' },
  ),
  WebhookRequestId: header(
    'X-Request-Id',
    'The request that made the change.',
    '3f0c7d52-8f0e-4c0f-9d0a-3d5f2f6c1b7e',
  ),
};

const answers = {
  '2XX': { description: 'Received: within ten seconds. The body is not read.' },
  '410': { description: 'The receiver is gone for good: it is paused at once.' },
  default: { description: 'Not received, redirects included: tried again for 24 hours.' },
};

/** The events that the service sends to receivers, by type. */
export const describeWebhooks = (schemas: Schemas): Json =>
  Object.fromEntries(
    eventTypes.map((type) => {
      const [summary, change] = events[type];
      const subject = subjectOf(type);
      const { name, state } = subjects[subject];
      const schema = toJsonSchema(buildMessage(type), 'output', schemas);
      const data = buildExample(schemas[name] ?? {}) as Json;
      const example = {
        type,
        timestamp: `${exampleDay(0)}T00:00:00.000Z`,
        data: {
          version: 2,
          ...state,
          ...data,
          ...change,
        },
      };
      const operation = {
        operationId: `on${type.replaceAll(/(?:^booking|[._])(\w?)/g, (_, letter: string) => letter.toUpperCase())}`,
        tags: ['events'],
        summary,
        description: `Sent to every active receiver that wants \`${type}\`, at least once, in order for each ${subject}.`,
        security: [],
        parameters: Object.keys(webhookParameters).map((name) => ({
          $ref: `#/components/parameters/${name}`,
        })),
        requestBody: { required: true, content: { 'application/json': { schema, example } } },
        responses: answers,
      };
      return [type, { post: operation }];
    }),
  );
