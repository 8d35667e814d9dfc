import * as z from 'zod/mini';
import { endpoint, scopes } from '../../endpoint/endpoint.ts';
import { exampleDay } from '../../endpoint/example-dates.ts';
import { described, idParam, instant, named, oneLine, utcInstant, uuid } from '../../endpoint/fields.ts';
import { pageMeta, pageQuery } from '../../endpoint/query-fields.ts';

const Scope = () => z.enum(scopes);
const name = () =>
  described(oneLine(100), 'Which machine has it, for people.', { example: 'Mesin antrean lobi' });
const expiresAt = () =>
  described(z.nullable(instant()), 'From when on it opens nothing; null for one that ends by DELETE alone.', {
    example: `${exampleDay(180)}T00:00:00+07:00`,
  });

const keyShape = () => ({
  id: described(uuid(), 'What events and the audit trail name it by.'),
  name: described(z.string(), 'Which machine has it, for people.', { example: 'Mesin antrean lobi' }),
  prefix: described(z.string(), 'The first characters of the key, to tell it from others.', {
    example: 'janji_9fKq',
  }),
  scopes: described(z.array(Scope()), 'What it may do.', { example: ['bookings:read', 'queue:write'] }),
  status: described(
    z.enum(['active', 'expired', 'revoked']),
    'Only an active one is accepted; one that is not stays in the list, for the events that name it.',
    { example: 'active' },
  ),
  created_by: described(uuid(), 'Who made it; it is the clinic’s, and stays when their account ends.', {
    example: 'd0c70000-0000-4000-8000-000000003001',
  }),
  created_at: utcInstant(),
  updated_at: utcInstant(),
  expires_at: described(z.nullable(utcInstant()), 'From when on it opens nothing; null for never.'),
  last_used_at: described(z.nullable(utcInstant()), 'To the minute; null before its first request.'),
  revoked_at: described(z.nullable(utcInstant()), 'Null unless it was revoked.', { example: null }),
});
const ApiKey = named('ApiKey', keyShape);
const NewApiKey = named('NewApiKey', () => ({
  ...keyShape(),
  key: described(z.string(), 'The key itself, `janji_…`: shown this once.', {
    example: 'janji_9fKqT2sVx7Lm0aBcDeFgHiJkLmNoPqRsW3nY8z',
  }),
}));

const path = '/v1/admin/api-keys';
const common = { tag: 'admin', access: ['admin'] } as const;

export const ListApiKeys = endpoint({
  ...common,
  method: 'get',
  path,
  summary: 'Keys with which machines act for the clinic',
  query: pageQuery,
  returns: {
    200: {
      description: 'A page, the newest first.',
      data: () => z.array(ApiKey()),
      meta: pageMeta,
      headers: ['Link'],
    },
  },
  fails: [],
});

export const CreateApiKey = endpoint({
  ...common,
  method: 'post',
  path,
  summary: 'Make an API key',
  description:
    'For a machine of the clinic: it sends the key as `Authorization: Bearer janji_…` and acts as the reception does, within its scopes and under its own name. A scope is `resource:verb`; each endpoint says which it needs. None reaches keys, people, roles, second factors, own accounts or the audit trail; `queue:read` and `statistics:write` reach nothing yet, since the queues are open to everybody. What a key may is fixed: for more, make another one.',
  idempotent: true,
  answersSecret: true,
  recentLogin: true,
  body: () =>
    z.object({
      name: name(),
      scopes: described(
        z.array(Scope()).check(z.minLength(1), z.maxLength(scopes.length)),
        'What it may do.',
        { example: ['bookings:read', 'queue:write'] },
      ),
      expires_at: described(
        z._default(expiresAt(), null),
        'From when on it opens nothing; never unless set: better give one.',
      ),
    }),
  returns: {
    201: {
      description: 'Made.',
      data: NewApiKey,
      message: 'created',
      headers: ['Location'],
    },
  },
  fails: [],
});

export const GetApiKey = endpoint({
  ...common,
  method: 'get',
  path: `${path}/{id}`,
  summary: 'One API key',
  params: idParam,
  returns: { 200: { description: 'The key, without itself.', data: ApiKey } },
  fails: [],
});

export const ChangeApiKey = endpoint({
  ...common,
  method: 'patch',
  path: `${path}/{id}`,
  summary: 'Rename an API key, or change when it ends',
  description: 'Not one that was revoked.',
  recentLogin: true,
  params: idParam,
  bodyOptional: true,
  body: () => z.object({ name: z.optional(name()), expires_at: z.optional(expiresAt()) }),
  returns: { 200: { description: 'Changed.', data: ApiKey, message: 'changed' } },
  fails: [],
});

export const RevokeApiKey = endpoint({
  ...common,
  method: 'delete',
  path: `${path}/{id}`,
  summary: 'Revoke an API key',
  description: 'Its very next request is refused, for good. What it did stays.',
  recentLogin: true,
  params: idParam,
  returns: { 200: { description: 'Revoked, now or before.', message: 'deleted' } },
  fails: [],
});
