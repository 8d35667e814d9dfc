import type { Context } from 'hono';
import type { Deps } from '../deps.ts';
import { Failure } from '../endpoint/errors.ts';
import type { AppEnv } from '../http/context.ts';
import { jsonContent, respond } from '../http/respond.ts';
import {
  assertNotSpent,
  assertSameRequest,
  type Idempotency,
  idempotencyKey,
  idempotencyOf,
} from '../idempotency/key.ts';
import { findReplay } from '../idempotency/queries.ts';

export type Replay = ReturnType<typeof findReplay>['_']['result'][number];

/** The idempotency key of a request: null without one, undefined for one that is malformed. */
export const idempotencyKeyIn = (c: Context<AppEnv>): string | null | undefined => {
  const header = c.req.header('Idempotency-Key');
  return header === undefined ? null : (idempotencyKey(header) ?? undefined);
};

export const malformedKey = (): Failure =>
  new Failure('invalid_header', { issues: [{ path: 'Idempotency-Key', rule: 'invalid' }] });

/** What the request is, for the comparison with the one that its key was first used for, and the read of that one. */
export const lookUp = async (
  c: Context<AppEnv>,
  { db }: Deps,
  request: { userId: string; key: string; text: string; now: number },
) => {
  const { userId, key, text, now } = request;
  const idempotency = await idempotencyOf(key, c.req.method, c.req.path, text);
  return { idempotency, read: findReplay(db, { user_id: userId, key, now }) };
};

/** Where that lies which the stored response says was made. */
const madeAt = (path: string, { status, body }: Replay) =>
  status === 201 ? { Location: `${path}/${JSON.parse(body).data.id}` } : {};

/** The stored response again; throws where another request came with its key. */
export const replay = (
  c: Context<AppEnv>,
  stored: Replay,
  idempotency: Idempotency,
): Response | Promise<Response> => {
  assertSameRequest(stored, idempotency);
  assertNotSpent(stored);
  const headers = { ...jsonContent, 'Idempotency-Replayed': 'true', ...madeAt(c.req.path, stored) };
  return respond(c, { status: stored.status, raw: stored.body, headers });
};
