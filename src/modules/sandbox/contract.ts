import * as z from 'zod/mini';
import { endpoint, scopes } from '../../core/endpoint/endpoint.ts';
import { described, idParam, instant, name, utcInstant, uuid } from '../../core/endpoint/fields.ts';

// The OpenAPI document leaves these out: most services have none of them. docs/integrating.md describes them.

const clock = () =>
  z.object({ now: described(utcInstant(), 'What the sandbox takes for the present time.') });

// Who may change what the sandbox offers may set its clock.
const inSandbox = { tag: 'sandbox', access: [], scope: 'catalog:write' } as const;

export const GetSandboxClock = endpoint({
  ...inSandbox,
  method: 'get',
  path: '/v1/sandbox/clock',
  discloses: 'nothing',
  summary: 'The clock of the sandbox',
  returns: { 200: { description: 'Its present time.', data: clock } },
  fails: [],
});

const set = {
  method: 'post',
  path: '/v1/sandbox/clock',
  summary: 'Set the clock of the sandbox',
  body: () =>
    z.object({
      now: described(instant(), 'Not before its present time, and at most ten years after the real one.'),
    }),
  returns: { 200: { description: 'Set; what was due until then is done.', data: clock, message: 'changed' } },
  fails: [],
} as const;

const reset = {
  method: 'post',
  path: '/v1/sandbox/reset',
  summary: 'Begin the sandbox again',
  returns: {
    200: {
      description: 'Its data are those of the demo clinic, at the real time.',
      data: clock,
      message: 'changed',
    },
  },
  fails: [],
} as const;

export const SetSandboxClock = endpoint({ ...inSandbox, ...set });
export const ResetSandbox = endpoint({ ...inSandbox, ...reset });

const key = () =>
  z.object({ id: uuid(), name: z.string(), prefix: z.string(), scopes: z.array(z.enum(scopes)) });
const ofAdmins = { tag: 'sandbox', access: ['admin'], recentLogin: true } as const;

// The same for an admin's login at the clinic: what no test key is needed for.
export const SetClockBeside = endpoint({ ...ofAdmins, ...set });
export const ResetBeside = endpoint({ ...ofAdmins, ...reset });

export const GetSandbox = endpoint({
  tag: 'sandbox',
  access: ['admin'],
  discloses: 'nothing',
  method: 'get',
  path: '/v1/sandbox',
  summary: 'The sandbox: its clock and its keys',
  returns: {
    200: {
      description: 'Its present time, and the keys that are good, the newest first.',
      data: () => z.object({ ...clock().shape, keys: z.array(key()) }),
    },
  },
  fails: [],
});

export const CreateTestKey = endpoint({
  ...ofAdmins,
  method: 'post',
  path: '/v1/sandbox/keys',
  summary: 'Make a key of the sandbox',
  body: () => z.object({ name: name(), scopes: z.array(z.enum(scopes)).check(z.minLength(1)) }),
  returns: {
    201: {
      description: 'Made; the key is shown once.',
      data: () => z.object({ ...key().shape, key: z.string() }),
      message: 'created',
    },
  },
  fails: [],
});

export const RevokeTestKey = endpoint({
  ...ofAdmins,
  method: 'delete',
  path: '/v1/sandbox/keys/{id}',
  params: idParam,
  summary: 'Revoke a key of the sandbox',
  returns: { 200: { description: 'Revoked.', message: 'deleted' } },
  fails: [],
});
