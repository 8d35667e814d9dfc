import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'hono';
import { catalogue } from '../../../core/endpoint/errors.ts';
import { type FailureFormat, forOrigin, writeEarlyFailure } from '../../../core/http/early-failure.ts';
import { preferredLanguage } from '../../../core/http/language.ts';
import { requestIdForm } from '../../../core/http/observed.ts';

/** Retry-After is spread over this many seconds, so that refused clients do not all return at once. */
const spreadSeconds = 3;

const readLanguage = (headers: IncomingHttpHeaders) => {
  // It reads only this header of the context.
  const req = { header: (_name: string) => headers['accept-language'] } as Context['req'];
  return preferredLanguage({ req } as Context);
};

interface Answering {
  origins: readonly string[];
  formats: readonly FailureFormat[];
}

/** Answers 503 without the app, so that a refusal costs little more than the reading of its request. */
export const answerBusy = (
  { headers, url = '/', method = 'GET' }: IncomingMessage,
  outgoing: ServerResponse,
  nth: number,
  { origins, formats }: Answering,
): void => {
  const given = headers['x-request-id'];
  const { status, ...words } = catalogue.unavailable;
  const refusal = writeEarlyFailure(
    {
      ...{ code: 'unavailable', status, words },
      headers: {
        ...forOrigin(headers.origin, origins),
        'Retry-After': String(1 + (nth % spreadSeconds)),
      },
    },
    {
      ...{ method, path: url.split('?', 1)[0] ?? '/', language: readLanguage(headers) },
      requestId: typeof given === 'string' && requestIdForm.test(given) ? given : randomUUID(),
    },
    formats,
  );
  outgoing
    .writeHead(refusal.status, { ...refusal.headers, 'Content-Length': Buffer.byteLength(refusal.body) })
    .end(refusal.body);
};
