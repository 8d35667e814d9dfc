import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { named, pageMeta, paging, told, utcInstant, uuid } from '../../fields.ts';
import { securityEventTypes } from './rules.ts';

export const SecurityEvent = named('SecurityEvent', {
  id: uuid,
  type: z.enum(securityEventTypes),
  user_id: told(z.nullable(uuid), 'The account concerned; null where nobody has the e-mail.'),
  actor_id: told(z.nullable(uuid), 'Who did it, where known.'),
  device_login_id: z.nullable(uuid),
  network: told(z.nullable(z.string()), "A keyed hash of the client's network: equal for equal ones."),
  request_id: z.nullable(z.string()),
  occurred_at: utcInstant,
  detail: told(z.nullable(z.record(z.string(), z.unknown())), 'Further facts: ids, roles, counts.'),
});

export const ListSecurityEvents = endpoint({
  method: 'get',
  path: '/v1/admin/security-events',
  tag: 'admin',
  summary: 'What happened to accounts',
  description: 'The newest first.',
  access: ['admin'],
  query: z.object({ ...paging, type: z.optional(z.enum(securityEventTypes)), user_id: z.optional(uuid) }),
  returns: {
    200: {
      description: 'A page of events.',
      data: z.array(SecurityEvent),
      meta: pageMeta,
      headers: ['Link'],
    },
  },
  fails: [],
});
