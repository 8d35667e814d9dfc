import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'hono';
import { preferredLanguage } from '../../../core/http/language.ts';
import { requestIdForm } from '../../../core/http/observed.ts';
import { refuse } from '../serve/refusals.ts';

/** Retry-After is spread over this many seconds, so that refused clients do not all return at once. */
const spreadSeconds = 3;

/** The headers that a browser needs to show another origin's page the answer. */
const forOrigin = (origin: string | undefined, allowed: readonly string[]) =>
  origin !== undefined && allowed.includes(origin)
    ? {
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After',
        Vary: 'Origin',
      }
    : {};

const readLanguage = (headers: IncomingHttpHeaders) => {
  // It reads only this header of the context.
  const req = { header: (_name: string) => headers['accept-language'] } as Context['req'];
  return preferredLanguage({ req } as Context);
};

/** Answers 503 without the app, so that a refusal costs little more than the reading of its request. */
export const answerBusy = (
  { headers }: IncomingMessage,
  outgoing: ServerResponse,
  nth: number,
  origins: readonly string[],
): void => {
  const given = headers['x-request-id'];
  const requestId = typeof given === 'string' && requestIdForm.test(given) ? given : undefined;
  const refusal = refuse('unavailable', readLanguage(headers), requestId);
  outgoing
    .writeHead(refusal.status, {
      ...refusal.headers,
      ...forOrigin(headers.origin, origins),
      'Retry-After': String(1 + (nth % spreadSeconds)),
      'Content-Length': Buffer.byteLength(refusal.body),
    })
    .end(refusal.body);
};
