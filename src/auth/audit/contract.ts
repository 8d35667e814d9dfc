import * as z from 'zod/mini';
import { endpoint } from '../../endpoint/endpoint.ts';
import { described, localDate, named, utcInstant, uuid } from '../../endpoint/fields.ts';
import { pageMeta, paging, queryNumber } from '../../endpoint/query-fields.ts';
import { actorKinds, securityEventTypes } from '../../tables/words.ts';
import { breaches, verdicts } from './rules.ts';

const nameOf = (whose: string) =>
  described(z.nullable(z.string()), `${whose}, as it is now; null where there is none any more.`, {
    example: 'Rina',
  });

export const SecurityEvent = named('SecurityEvent', () => ({
  id: uuid(),
  type: described(z.enum(securityEventTypes), 'What happened.'),
  user_id: described(z.nullable(uuid()), 'The account concerned; null where there is none.'),
  user_name: nameOf('The name of its person'),
  actor_id: described(z.nullable(uuid()), 'Who did it, where known.'),
  actor_kind: described(z.enum(actorKinds), 'Of what kind `actor_id` is.'),
  actor_name: nameOf('The name of whoever did it'),
  patient_id: described(
    z.nullable(uuid()),
    'Whose record was read or changed; null where it is nobody’s, or a list of many.',
  ),
  patient_name: nameOf("The patient's name"),
  route: described(z.nullable(z.string()), 'What was asked for a read: method and path.', {
    example: 'GET /v1/patients/{id}',
  }),
  device_login_id: described(z.nullable(uuid()), 'The login of the device concerned, if there is one.'),
  network: described(z.nullable(z.string()), "A keyed hash of the client's network: equal for equal ones."),
  request_id: described(z.nullable(z.string()), 'The X-Request-Id of the request.'),
  occurred_at: described(utcInstant(), 'When it happened, in UTC; of a list the first read of its hour.'),
  detail: described(
    z.nullable(z.record(z.string(), z.unknown())),
    'Further facts: ids, roles, counts; of a list its filter, in which words that were searched for are a keyed hash.',
  ),
  block: described(
    z.nullable(z.int()),
    'The block that seals the line; null for the minute until it is sealed.',
    { example: 1042 },
  ),
}));

export const ListSecurityEvents = endpoint({
  method: 'get',
  path: '/v1/admin/security-events',
  tag: 'admin',
  summary: 'What happened to accounts, what admins changed, and who read whose record',
  description:
    'The newest first, with names as they are now. A read of one record by the clinic has a line of its own (`record_read`), written before it was answered; a list has one for each person, filter and hour (`list_read`), and so has this one. What is done to bookings stands in `GET /v1/bookings/{id}/events`. `Accept: text/csv` gives the same page as a table.',
  access: ['admin'],
  discloses: 'list',
  query: () =>
    z.object({
      ...paging(),
      type: described(z.optional(z.enum(securityEventTypes)), 'Only what happened in this way.'),
      user_id: described(z.optional(uuid()), 'Only what concerns this account.'),
      actor_id: described(z.optional(uuid()), 'Only what this person did.'),
      patient_id: described(z.optional(uuid()), 'Only what was read or changed of this patient’s record.'),
      route: described(
        z.optional(z.string().check(z.maxLength(100))),
        'Only reads by this method and path, as `route` says it.',
        { example: 'GET /v1/patients/{id}' },
      ),
      from: described(z.optional(localDate()), "The first date, by the clinic's clock."),
      to: described(z.optional(localDate()), "The last date, by the clinic's clock."),
    }),
  returns: {
    200: {
      description: 'A page of events.',
      data: () => z.array(SecurityEvent()),
      meta: pageMeta,
      headers: ['Link'],
      alsoAs: 'text/csv',
    },
  },
  fails: [],
});

const count = (description: string, example: number) => described(z.int(), description, { example });

export const VerifyAudit = endpoint({
  method: 'get',
  path: '/v1/admin/audit/verify',
  tag: 'admin',
  summary: 'Whether the audit trail is as it was written',
  description:
    'Checks the next `limit` blocks of the chain, or fewer where they are long: each against its lines, the block before it and its seal. The last answer also tells of what is not sealed yet. Ask again with `after` = `meta.after` while `meta.more` is true; the trail is sound when every answer is.',
  access: ['admin'],
  discloses: 'nothing',
  query: () =>
    z.object({
      after: described(
        z.optional(queryNumber(0, Number.MAX_SAFE_INTEGER)),
        '`meta.after` of the answer before; from the beginning unless set.',
        { example: 0 },
      ),
      limit: described(paging().limit, 'How many blocks at most; 50 unless set.'),
    }),
  returns: {
    200: {
      description: 'What was found.',
      data: () =>
        z.object({
          verdict: described(
            z.enum(verdicts),
            '`sound`; `other_key`: it holds together, but a seal is by a key that is not in force, as before a copy became another clinic; `broken`.',
          ),
          first_block: described(
            z.nullable(z.int()),
            'The first block that was checked; null where there was none.',
            {
              example: 1,
            },
          ),
          last_block: described(z.nullable(z.int()), 'The last one.', { example: 50 }),
          lines: count('How many lines these blocks hold.', 812),
          unsealed: described(
            z.nullable(z.int()),
            'In the last answer: how many lines wait for the next block.',
            { example: 3 },
          ),
          findings: described(
            z.array(
              z.object({
                kind: described(z.enum(breaches), 'What is wrong.'),
                block: described(z.nullable(z.int()), 'In which block; null where it is in none.', {
                  example: 1042,
                }),
                from_sequence: described(z.nullable(z.int()), 'The first line that it may be.', {
                  example: 9001,
                }),
                to_sequence: described(z.nullable(z.int()), 'The last one.', { example: 9017 }),
              }),
            ),
            'Everything that is not as it was written.',
          ),
        }),
      meta: () =>
        z.object({
          after: count('The last block that was checked: where to go on.', 50),
          more: described(z.boolean(), 'Whether more blocks follow.'),
        }),
    },
  },
  fails: [],
});
