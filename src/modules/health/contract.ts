import * as z from 'zod/mini';
import { endpoint } from '../../core/endpoint/endpoint.ts';
import { described, utcInstant } from '../../core/endpoint/fields.ts';
import { backupVerdicts } from './rules.ts';

export const GetHealth = endpoint({
  method: 'get',
  path: '/health',
  tag: 'service',
  summary: 'Whether the process answers',
  access: 'public',
  ignoresUnknownQuery: true,
  returns: { 200: { description: 'It does.', data: () => z.object({ name: z.literal('janji') }) } },
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
});

export const GetService = endpoint({
  method: 'get',
  path: '/v1/admin/service',
  tag: 'admin',
  summary: 'How the service is kept',
  access: ['admin'],
  discloses: 'nothing',
  returns: {
    200: {
      description: 'How its backups stand.',
      data: () =>
        z.object({
          backups: described(
            z.nullable(
              z.object({
                state: described(
                  z.enum(backupVerdicts),
                  '`failed`: the last attempt did; `late`: the last good one is older than two intervals.',
                ),
                last_good_at: described(z.nullable(utcInstant()), 'As of when the last good one is.'),
                every_hours: described(z.int(), 'How often one is due.', { example: 24 }),
              }),
            ),
            'Of the backups that the service makes by itself; null where it makes none.',
          ),
        }),
    },
  },
});
