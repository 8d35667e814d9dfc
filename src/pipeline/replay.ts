import type { Context } from 'hono';
import { derive } from '../core/crypto/key-derivation.ts';
import { readOne } from '../core/db/db.ts';
import type { Deps } from '../core/deps.ts';
import type { Endpoint } from '../core/endpoint/endpoint.ts';
import { Failure } from '../core/endpoint/errors.ts';
import { type Language, sentenceOf } from '../core/endpoint/messages.ts';
import type { AppEnv } from '../core/http/context.ts';
import { type Answer, buildEnvelope, jsonContent, respond } from '../core/http/respond.ts';
import {
  assertNotSpent,
  assertSameRequest,
  computeIdempotency,
  type Idempotency,
  idempotencyKey,
  type ResponseToStore,
  spentAnswer,
} from '../core/idempotency/key.ts';
import { findReplay } from '../core/idempotency/queries.ts';

type Replay = ReturnType<typeof findReplay>['_']['result'][number];

/** The idempotency key of a request: null without one, undefined for one that is malformed. */
export const idempotencyKeyIn = (c: Context<AppEnv>): string | null | undefined => {
  const header = c.req.header('Idempotency-Key');
  return header === undefined ? null : (idempotencyKey(header) ?? undefined);
};

export const malformedKey = (): Failure =>
  new Failure('invalid_header', { issues: [{ path: 'Idempotency-Key', rule: 'invalid' }] });

/** The fingerprint of the request, and the reading of the response that is stored under its key, if there is one. */
export const lookUp = async (
  c: Context<AppEnv>,
  { db, tokenKeys }: Deps,
  request: { userId: string; key: string; text: string; now: number },
  answersSecret = false,
) => {
  const { userId, key, text, now } = request;
  // If the answer contains a secret the body may too, such as a first password: a plain hash would help to guess it.
  const body = answersSecret ? await derive(tokenKeys, 'idempotency', text) : text;
  const idempotency = await computeIdempotency(key, c.req.method, c.req.path, body);
  return { idempotency, ...readOne(findReplay(db, { userId, key, now }), ([stored]) => stored) };
};

/** The `Location` of the record that the stored response created. */
const madeAt = (path: string, { status, body }: Replay) =>
  status === 201 ? { Location: `${path}/${JSON.parse(body).data.id}` } : {};

/** The data of the stored response; throws if its key was first used for another request. */
export const storedData = (stored: Replay, idempotency: Idempotency): unknown => {
  assertSameRequest(stored, idempotency);
  return JSON.parse(stored.body).data;
};

/** Sends the stored response again; throws if its key was first used for another request. */
export const replay = (
  c: Context<AppEnv>,
  { makesUnder = c.req.path }: Endpoint,
  stored: Replay,
  idempotency: Idempotency,
): Response | Promise<Response> => {
  assertSameRequest(stored, idempotency);
  assertNotSpent(stored);
  const headers = { ...jsonContent, 'Idempotency-Replayed': 'true', ...madeAt(makesUnder, stored) };
  return respond(c, { status: stored.status, raw: stored.body, headers });
};

/** The answer with its contract's sentence, unless it has one of its own. */
export const withMessage = <A extends Pick<Answer, 'status' | 'message'>>(
  { returns }: Endpoint,
  answer: A,
): A => {
  const message = returns[answer.status]?.message;
  return message === undefined ? answer : { message: sentenceOf(message), ...answer };
};

/** Makes the response to store under an idempotency key: its status and its body, in its language; no secret. */
export const responseToStore =
  (idempotency: Idempotency | null, language: Language, endpoint: Endpoint): ResponseToStore =>
  (answer) =>
    idempotency && {
      idempotency,
      ...(endpoint.answersSecret
        ? spentAnswer
        : { status: answer.status, body: buildEnvelope(withMessage(endpoint, answer), language) }),
    };
