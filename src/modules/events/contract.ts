import * as z from 'zod/mini';
import { endpoint } from '../../core/endpoint/endpoint.ts';
import { described, describedAs, named, utcInstant, uuid } from '../../core/endpoint/fields.ts';
import { commaSeparated, paging, queryNumber } from '../../core/endpoint/query-fields.ts';
import { eventTypes } from '../../core/tables/words.ts';

/** How long a request may wait for an event, in seconds. */
const longestWait = 25;

const StoredEvent = named('StoredEvent', () => ({
  sequence: described(z.int(), "The event's place in the order of all changes.", { example: 1042 }),
  id: described(uuid(), 'The same as the `webhook-id` under which receivers get it.'),
  type: described(z.string(), 'What happened, such as `booking.approved`.', { example: 'booking.approved' }),
  timestamp: described(utcInstant(), 'When it happened.'),
  data: described(
    describedAs(z.record(z.string(), z.unknown()), {
      example: { patient_id: '5f0c7d52-8f0e-4c0f-9d0a-3d5f2f6c1b7e', version: 1, actor_role: 'staff' },
    }),
    'What a webhook of this type has as `data`: ids, times and states, never names or notes.',
  ),
}));

export const ListEvents = endpoint({
  method: 'get',
  path: '/v1/events',
  tag: 'webhooks',
  access: ['staff', 'admin'],
  scope: 'events:read',
  discloses: 'list',
  summary: 'All that happened since, in order',
  description:
    'What webhooks are sent, of bookings, patients, closures and queues, for a reader who asks for it. Nothing is left out: no event ever takes a number below one that was seen. Ask again with `after` = `meta.sequence`, at once while `meta.more` is true; with `wait` the answer comes as soon as there is something.',
  query: () =>
    z.object({
      after: described(
        z.optional(queryNumber(0, Number.MAX_SAFE_INTEGER)),
        '`meta.sequence` of the answer before; 0 for all that is kept. Without it no event is answered, and `meta.sequence` is where to begin.',
        { example: 0 },
      ),
      limit: paging().limit,
      type: described(
        z.optional(commaSeparated(eventTypes)),
        'Only these types: repeated, or with commas between them.',
        { example: ['booking.created'] },
      ),
      wait: described(
        z.optional(queryNumber(0, longestWait)),
        'How many seconds to wait for an event where there is none; 0 unless set.',
        { example: 0 },
      ),
    }),
  returns: {
    200: {
      description: 'The events, the earliest first.',
      data: () => z.array(StoredEvent()),
      meta: () =>
        z.object({
          sequence: described(z.int(), 'Where to go on, also when no event was of these types.', {
            example: 1042,
          }),
          more: described(z.boolean(), 'Whether more may follow now.'),
        }),
    },
  },
  fails: ['changes_gone'],
});
