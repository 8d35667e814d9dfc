import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { named } from '../../../core/endpoint/fields.ts';
import { pageMeta, pageQuery } from '../../../core/endpoint/query-fields.ts';
import { keyFields } from './fields.ts';

const ApiKey = named('ApiKey', keyFields.answer);
const ApiKeyWithSecret = named('ApiKeyWithSecret', () => ({
  ...keyFields.answer(),
  key: z.string(),
}));

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
    200: { description: 'A page, the newest first.', data: () => z.array(ApiKey()), meta: pageMeta },
  },
});

export const CreateApiKey = endpoint({
  ...common,
  method: 'post',
  path,
  summary: 'Add an API key',
  idempotent: true,
  answersSecret: true,
  recentLogin: true,
  body: () => z.object(keyFields.create()),
  returns: {
    201: { description: 'Made.', data: ApiKeyWithSecret, message: 'created', headers: ['Location'] },
  },
});

export const GetApiKey = endpoint({
  ...common,
  method: 'get',
  discloses: 'nothing',
  path: `${path}/{id}`,
  summary: 'One API key',
  returns: { 200: { description: 'The key.', data: ApiKey } },
});

export const ChangeApiKey = endpoint({
  ...common,
  method: 'patch',
  path: `${path}/{id}`,
  summary: 'Change an API key',
  recentLogin: true,
  bodyOptional: true,
  body: () => {
    const { scopes: _, ...changed } = keyFields.change();
    return z.object(changed);
  },
  returns: { 200: { description: 'Changed.', data: ApiKey, message: 'changed' } },
});

export const RevokeApiKey = endpoint({
  ...common,
  method: 'delete',
  path: `${path}/{id}`,
  summary: 'Revoke an API key',
  recentLogin: true,
  returns: { 200: { description: 'Revoked.', message: 'deleted' } },
});
