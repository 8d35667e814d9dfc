import * as z from 'zod/mini';
import { endpoint } from '../../endpoint/endpoint.ts';
import { described, named, utcInstant, uuid } from '../../endpoint/fields.ts';
import { pageMeta, paging } from '../../endpoint/query-fields.ts';
import { securityEventTypes } from '../../tables/words.ts';

export const SecurityEvent = named('SecurityEvent', () => ({
  id: uuid(),
  type: described(z.enum(securityEventTypes), 'What happened.'),
  user_id: described(z.nullable(uuid()), 'The account concerned; null where there is none.'),
  actor_id: described(z.nullable(uuid()), 'Who did it, where known.'),
  device_login_id: described(z.nullable(uuid()), 'The login of the device concerned, if there is one.'),
  network: described(z.nullable(z.string()), "A keyed hash of the client's network: equal for equal ones."),
  request_id: described(z.nullable(z.string()), 'The X-Request-Id of the request.'),
  occurred_at: described(utcInstant(), 'When it happened, in UTC.'),
  detail: described(z.nullable(z.record(z.string(), z.unknown())), 'Further facts: ids, roles, counts.'),
}));

export const ListSecurityEvents = endpoint({
  method: 'get',
  path: '/v1/admin/security-events',
  tag: 'admin',
  summary: 'What happened to accounts, and what admins changed',
  description: 'The newest first. What is done to bookings stands in `GET /v1/bookings/{id}/events`.',
  access: ['admin'],
  query: () =>
    z.object({
      ...paging(),
      type: described(z.optional(z.enum(securityEventTypes)), 'Only what happened in this way.'),
      user_id: described(z.optional(uuid()), 'Only what concerns this account.'),
    }),
  returns: {
    200: {
      description: 'A page of events.',
      data: () => z.array(SecurityEvent()),
      meta: pageMeta,
      headers: ['Link'],
    },
  },
  fails: [],
});
