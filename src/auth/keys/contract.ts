import * as z from 'zod/mini';
import { endpoint, scopes } from '../../endpoint/endpoint.ts';
import {
  described,
  describedAs,
  idParam,
  instant,
  must,
  name,
  named,
  utcInstant,
  uuid,
} from '../../endpoint/fields.ts';
import { pageMeta, pageQuery } from '../../endpoint/query-fields.ts';

const granted = () => z.array(z.enum(scopes));
const expiresAt = () => z.nullable(instant());
const optionalInstant = () => z.nullable(utcInstant());

const keyShape = () => ({
  id: uuid(),
  name: z.string(),
  prefix: z.string(),
  scopes: granted(),
  status: described(z.enum(['active', 'expired', 'revoked']), 'Only an active one opens anything.'),
  created_by: uuid(),
  created_at: utcInstant(),
  expires_at: optionalInstant(),
  last_used_at: optionalInstant(),
  revoked_at: optionalInstant(),
});
const ApiKey = named('ApiKey', keyShape);
const ApiKeyWithSecret = named('ApiKeyWithSecret', () => ({ ...keyShape(), key: z.string() }));

const path = '/v1/admin/api-keys';
const common = { tag: 'admin', access: ['admin'] } as const;

export const ListApiKeys = endpoint({
  ...common,
  method: 'get',
  discloses: 'nothing',
  path,
  summary: 'API keys',
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
  summary: 'Add an API key',
  idempotent: true,
  answersSecret: true,
  recentLogin: true,
  body: () =>
    z.object({
      name: name(),
      scopes: describedAs(granted().check(must((given) => given.length > 0, 'required')), { minItems: 1 }),
      expires_at: z._default(expiresAt(), null),
    }),
  returns: {
    201: {
      description: 'Made.',
      data: ApiKeyWithSecret,
      message: 'created',
      headers: ['Location'],
    },
  },
  fails: [],
});

export const GetApiKey = endpoint({
  ...common,
  method: 'get',
  discloses: 'nothing',
  path: `${path}/{id}`,
  summary: 'One API key',
  params: idParam,
  returns: { 200: { description: 'The key.', data: ApiKey } },
  fails: [],
});

export const ChangeApiKey = endpoint({
  ...common,
  method: 'patch',
  path: `${path}/{id}`,
  summary: 'Change an API key',
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
  recentLogin: true,
  params: idParam,
  returns: { 200: { description: 'Revoked.', message: 'deleted' } },
  fails: [],
});
