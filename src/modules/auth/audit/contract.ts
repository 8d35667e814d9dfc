import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, localDate, named, utcInstant, uuid } from '../../../core/endpoint/fields.ts';
import { pageMeta, paging, queryNumber } from '../../../core/endpoint/query-fields.ts';
import { actorKinds, securityEventTypes } from '../../../core/tables/words.ts';
import { breaches, verdicts } from './rules.ts';

const name = (whose: string) =>
  described(z.nullable(z.string()), `${whose} name today.`, { example: 'Rina' });

export const SecurityEvent = named('SecurityEvent', () => ({
  id: uuid(),
  type: described(z.enum(securityEventTypes), 'What happened.'),
  user_id: described(z.nullable(uuid()), 'The account concerned; null where there is none.'),
  user_name: name('Its'),
  actor_id: described(z.nullable(uuid()), 'Who did it, where known.'),
  actor_kind: described(z.enum(actorKinds), 'What `actor_id` names.'),
  actor_name: name('Their'),
  patient_id: described(z.nullable(uuid()), 'Whose record; null for a list of many.'),
  patient_name: name('Their'),
  route: described(z.nullable(z.string()), 'What was read.', { example: 'GET /v1/patients/{id}' }),
  device_login_id: described(z.nullable(uuid()), 'The login of the device concerned, if there is one.'),
  network: described(z.nullable(z.string()), "A keyed hash of the client's network: equal for equal ones."),
  request_id: described(z.nullable(z.string()), 'The X-Request-Id of the request.'),
  occurred_at: described(
    utcInstant(),
    'When it happened, in UTC; a list is read for the first time in its hour.',
  ),
  detail: described(
    z.nullable(z.record(z.string(), z.unknown())),
    'Further facts: ids, roles, counts; the filter of a list, with a keyed hash for words.',
  ),
  block: described(z.nullable(z.int()), 'The block that seals it; null for the first minute.', {
    example: 1042,
  }),
}));

export const ListSecurityEvents = endpoint({
  method: 'get',
  path: '/v1/admin/security-events',
  tag: 'admin',
  summary: 'What happened to accounts, what admins changed, and who read whose record',
  description:
    'The newest first. The clinic’s reads are written before they are answered: `record_read` each time, `list_read` once for each person, filter and hour, of this list too. What is done to bookings is in `GET /v1/bookings/{id}/events`. `Accept: text/csv` gives a table.',
  access: ['admin'],
  discloses: 'list',
  query: () =>
    z.object({
      ...paging(),
      type: described(z.optional(z.enum(securityEventTypes)), 'Only what happened in this way.'),
      user_id: described(z.optional(uuid()), 'Only what concerns this account.'),
      actor_id: described(z.optional(uuid()), 'Only what this person did.'),
      patient_id: described(z.optional(uuid()), 'Only what concerns this record.'),
      route: described(z.optional(z.string().check(z.maxLength(100))), 'Only reads of this `route`.', {
        example: 'GET /v1/patients/{id}',
      }),
      from: described(z.optional(localDate()), "The first date, by the clinic's clock."),
      to: described(z.optional(localDate()), "The last date, by the clinic's clock."),
    }),
  returns: {
    200: {
      description: 'A page of events.',
      data: () => z.array(SecurityEvent()),
      meta: pageMeta,
      alsoAs: 'text/csv',
    },
  },
});

const count = (description: string, example: number) => described(z.int(), description, { example });

export const VerifyAudit = endpoint({
  method: 'get',
  path: '/v1/admin/audit/verify',
  tag: 'admin',
  summary: 'Whether the audit trail is as it was written',
  description:
    'Checks the next blocks of the chain against their lines, the block before and their seals, `limit` at most. Ask again with `after` = `meta.after` while `meta.more` is true.',
  access: ['admin'],
  discloses: 'nothing',
  query: () =>
    z.object({ after: z.optional(queryNumber(0, Number.MAX_SAFE_INTEGER)), limit: paging().limit }),
  returns: {
    200: {
      description: 'What was found.',
      data: () =>
        z.object({
          verdict: described(
            z.enum(verdicts),
            '`other_key`: whole, but a key that sealed it is not in force.',
          ),
          blocks: count('How many were checked.', 50),
          lines: count('How many they hold.', 812),
          unsealed: described(z.nullable(z.int()), 'At the end of the chain: how many lines wait.', {
            example: 3,
          }),
          findings: described(
            z.array(
              z.object({
                kind: described(z.enum(breaches), 'What is wrong.'),
                block: described(z.nullable(z.int()), 'In which block.', { example: 1042 }),
              }),
            ),
            'What is not as it was written.',
          ),
        }),
      meta: () => z.object({ after: z.int(), more: described(z.boolean(), 'Whether more blocks follow.') }),
    },
  },
});
