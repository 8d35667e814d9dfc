import * as z from 'zod/mini';
import { endpoint } from '../endpoint/endpoint.ts';

export const GetHealth = endpoint({
  method: 'get',
  path: '/health',
  tag: 'service',
  summary: 'Whether the process answers',
  access: 'public',
  ignoresUnknownQuery: true,
  returns: { 200: { description: 'It does.', data: () => z.object({ name: z.literal('janji') }) } },
  fails: [],
});

export const GetReady = endpoint({
  method: 'get',
  path: '/ready',
  tag: 'service',
  summary: 'Whether the database answers and is migrated',
  access: 'public',
  ignoresUnknownQuery: true,
  returns: {
    200: { description: 'Ready to serve.', data: () => z.object({ database: z.literal('ready') }) },
  },
  fails: [],
});
