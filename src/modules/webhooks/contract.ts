import * as z from 'zod/mini';
import { endpoint } from '../../core/endpoint/endpoint.ts';
import { exampleDay } from '../../core/endpoint/example-dates.ts';
import { described, instant, named, utcInstant, uuid } from '../../core/endpoint/fields.ts';
import { pageMeta, pageQuery, paging } from '../../core/endpoint/query-fields.ts';
import { attemptFailures, deliveryStates, eventTypes } from '../../core/tables/words.ts';
import { webhookFields } from './fields.ts';

const DeliveryState = () => z.enum(deliveryStates);
const optionalInstant = () => z.nullable(utcInstant());

const webhookShape = () => {
  const { id, url, description, ...more } = webhookFields.answer();
  return { id, url, description, ...more };
};
const Webhook = named('Webhook', webhookShape);
const WebhookWithSecret = named('WebhookWithSecret', () => ({
  ...webhookShape(),
  secret: described(z.string(), 'The signing secret, `whsec_…`: shown this once.'),
}));

/** A request to a receiver, and its answer. */
const Exchange = named('WebhookExchange', () => ({
  sent: described(
    z.object({
      url: described(z.string(), 'Where it was sent.', { example: 'https://hooks.klinik.example/janji' }),
      headers: described(z.record(z.string(), z.string()), 'The headers, without the signatures.', {
        example: { 'webhook-id': '6f0c1f0e-6f43-4f0a-9f3d-1b7c2d3e4f50' },
      }),
      body: described(z.string(), 'The message, as it was signed.', {
        example: '{"type":"webhook.test","timestamp":"2026-11-23T00:00:00.000Z","data":{}}',
      }),
    }),
    'The signed request.',
  ),
  received: described(
    z.nullable(
      z.object({
        status: described(z.int(), 'The status of the answer.', { example: 200 }),
        body: described(z.string(), 'Its first 2,000 bytes.', { example: 'ok' }),
      }),
    ),
    'Null where no answer came.',
  ),
}));

const deliveryShape = () => ({
  id: uuid(),
  event_id: described(uuid(), 'The `webhook-id` header.'),
  type: described(z.enum(eventTypes), 'What happened.'),
  booking_id: described(z.nullable(uuid()), 'The booking; null for an event of something else.'),
  subject_id: described(uuid(), 'What it is about: the booking, or the patient, closure or doctor.', {
    example: '5f0c7d52-8f0e-4c0f-9d0a-3d5f2f6c1b7e',
  }),
  occurred_at: described(utcInstant(), 'When it happened.'),
  status: described(DeliveryState(), 'How far the delivery is; `failed` is tried no more.'),
  attempts: described(z.int(), 'How often it was tried.'),
  last_attempt_at: described(optionalInstant(), 'When it was last tried.'),
  next_attempt_at: described(
    optionalInstant(),
    'When it is tried next, never in the past; waits for the receiver’s hold and for the events before it count. Null once it is delivered or given up, and while the receiver is paused.',
  ),
  response_status: described(z.nullable(z.int()), 'What the last attempt was answered with, if it was.'),
  error: described(z.nullable(z.enum(attemptFailures)), 'Why it was not answered.'),
});
const Delivery = named('WebhookDelivery', deliveryShape);
const DeliveryDetail = named('WebhookDeliveryDetail', () => ({
  ...deliveryShape(),
  exchange: described(
    z.nullable(Exchange()),
    'The last attempt, for seven days; null after that, and before the first.',
  ),
}));

const deliveryParams = () =>
  z.object({ id: uuid(), delivery_id: described(uuid(), 'The `id` of a delivery in the log.') });

const path = '/v1/admin/webhooks';
const common = { tag: 'webhooks', access: ['admin'] } as const;

export const ListWebhooks = endpoint({
  ...common,
  method: 'get',
  path,
  discloses: 'nothing',
  summary: 'Receivers of events',
  query: pageQuery,
  returns: {
    200: { description: 'A page, the oldest first.', data: () => z.array(Webhook()), meta: pageMeta },
  },
});

export const CreateWebhook = endpoint({
  ...common,
  method: 'post',
  path,
  summary: 'Add a receiver of events',
  description: 'It is sent what happens from now on, signed as Standard Webhooks says.',
  recentLogin: true,
  idempotent: true,
  answersSecret: true,
  body: () => {
    const { status: _, ...made } = webhookFields.create();
    return z.object(made);
  },
  returns: {
    201: { description: 'Added.', data: WebhookWithSecret, message: 'created', headers: ['Location'] },
  },
});

export const GetWebhook = endpoint({
  ...common,
  method: 'get',
  path: `${path}/{id}`,
  discloses: 'nothing',
  summary: 'One receiver',
  returns: { 200: { description: 'The receiver.', data: Webhook } },
});

export const ChangeWebhook = endpoint({
  ...common,
  method: 'patch',
  path: `${path}/{id}`,
  summary: 'Change, pause or resume a receiver',
  description: 'A paused one misses nothing: once resumed it is sent all that happened meanwhile, in order.',
  recentLogin: ['url'],
  bodyOptional: true,
  body: () => z.object(webhookFields.change()),
  returns: { 200: { description: 'Changed.', data: Webhook, message: 'changed' } },
});

export const RotateWebhookSecret = endpoint({
  ...common,
  method: 'post',
  path: `${path}/{id}/rotate-secret`,
  summary: 'Give a receiver a new secret',
  description: 'For 24 hours each message carries two signatures, by the new secret and by the one before.',
  idempotent: true,
  answersSecret: true,
  returns: { 200: { description: 'Rotated.', data: WebhookWithSecret, message: 'changed' } },
});

export const RetireWebhook = endpoint({
  ...common,
  method: 'delete',
  path: `${path}/{id}`,
  summary: 'Remove a receiver',
  description: 'Nothing more is sent to it, not even what was waiting.',
  returns: { 200: { description: 'Removed.', message: 'deleted' } },
});

export const ListDeliveries = endpoint({
  ...common,
  scope: 'events:read',
  method: 'get',
  path: `${path}/{id}/deliveries`,
  discloses: 'nothing',
  summary: 'What was sent to a receiver, and what waits',
  query: () =>
    z.object({
      ...paging(),
      status: described(z.optional(DeliveryState()), 'Only deliveries that are this far.'),
    }),
  returns: {
    200: { description: 'A page, the newest event first.', data: () => z.array(Delivery()), meta: pageMeta },
  },
});

export const GetDelivery = endpoint({
  ...common,
  scope: 'events:read',
  method: 'get',
  path: `${path}/{id}/deliveries/{delivery_id}`,
  discloses: 'nothing',
  summary: 'One delivery, with what was sent and what came back',
  description: 'Both are kept sealed, and for seven days after the attempt.',
  params: deliveryParams,
  returns: { 200: { description: 'The delivery.', data: DeliveryDetail } },
});

export const TestWebhook = endpoint({
  ...common,
  scope: 'events:write',
  method: 'post',
  path: `${path}/{id}/test`,
  summary: 'Send a test to a receiver',
  description:
    'One signed message of the type `webhook.test`, at once and once, also where the receiver is paused; it is no event and not in the log. The answer says what came back within 10 seconds.',
  idempotent: true,
  answersSecret: true,
  returns: {
    200: {
      description: 'It was sent.',
      data: () =>
        z.object({
          delivered: described(z.boolean(), 'Whether the receiver answered with a 2xx.'),
          error: described(
            z.nullable(z.enum([...attemptFailures, 'secret_lost'])),
            'Why no answer came. `secret_lost`: the secret cannot be read any more; give the receiver a new one.',
            { example: null },
          ),
          exchange: described(
            z.nullable(Exchange()),
            'Null where nothing was sent: the address was refused, or the secret is lost.',
          ),
        }),
      message: 'webhook_test_received',
    },
  },
});

export const ReplayDelivery = endpoint({
  ...common,
  scope: 'events:write',
  method: 'post',
  path: `${path}/{id}/deliveries/{delivery_id}/replay`,
  summary: 'Send one event again',
  description: 'With the same `webhook-id`. One that is still waiting is tried at once.',
  params: deliveryParams,
  idempotent: true,
  returns: {
    202: { description: 'It is on its way.', message: 'sent_again' },
  },
});

export const ReplayRange = endpoint({
  ...common,
  scope: 'events:write',
  method: 'post',
  path: `${path}/{id}/replay`,
  summary: 'Send the events of a time range again',
  description:
    'All that the receiver wants, also from before it was added; at most 1,000 a call: go on with `after`.',
  idempotent: true,
  body: () =>
    z.object({
      from: described(instant(), 'The first instant.'),
      to: described(instant(), 'The instant after the last; after `from`.', {
        example: `${exampleDay(0)}T00:00:00+07:00`,
      }),
      after: described(z._default(z.int().check(z.minimum(0)), 0), '`continue_after` of the call before.'),
    }),
  returns: {
    202: {
      description: 'They are on their way.',
      data: () =>
        z.object({
          events: described(z.int(), 'How many events are sent again or wait already.'),
          continue_after: described(z.nullable(z.int()), 'Null when the range is done.'),
        }),
      message: 'sent_again',
    },
  },
});
