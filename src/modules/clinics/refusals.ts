import type { Context } from 'hono';
import { catalogue } from '../../core/endpoint/errors.ts';
import { type FailureFormat, forOrigin, writeEarlyFailure } from '../../core/http/early-failure.ts';
import { preferredLanguage } from '../../core/http/language.ts';
import { requestIdForm } from '../../core/http/observed.ts';

/** Answers that are given before a clinic's service is asked. */
const refusals = {
  clinic_not_found: {
    status: 404,
    id: 'Tidak ada klinik di alamat ini.',
    en: 'There is no clinic at this address.',
  },
  clinic_closed: {
    status: 503,
    id: 'Layanan klinik ini sedang ditutup.',
    en: 'The service of this clinic is closed.',
  },
  clinic_moving: {
    status: 503,
    id: 'Layanan klinik ini sedang berpindah ke mesin lain. Silakan coba lagi sebentar lagi.',
    en: 'The service of this clinic is moving to another machine. Please try again shortly.',
  },
  forward_refused: {
    status: 403,
    id: 'Permintaan ini mengaku diteruskan oleh mesin lain, tetapi tanda tangannya tidak sah.',
    en: 'This request claims to be forwarded by another machine, but its signature is not valid.',
  },
  unauthenticated: catalogue.unauthenticated,
  unavailable: catalogue.unavailable,
} as const;

export type ClinicRefusal = keyof typeof refusals;

/** A closed clinic is asked again after this many seconds: somebody opens it by hand. */
const closedForSeconds = 60;

const readLanguage = (request: Request) => {
  // It reads only this header of the context.
  const req = { header: (name: string) => request.headers.get(name) ?? undefined } as Context['req'];
  return preferredLanguage({ req } as Context);
};

/** What a browser asks before a request of another origin: only a success lets it send that, and read why it is refused. */
const isPreflight = ({ method, headers }: Request): boolean =>
  method === 'OPTIONS' && headers.has('Access-Control-Request-Method');

const corsHeaders = ({ headers }: Request): Record<string, string> => ({
  'Access-Control-Allow-Methods': headers.get('Access-Control-Request-Method') ?? '',
  'Access-Control-Allow-Headers': headers.get('Access-Control-Request-Headers') ?? '',
});

/** A refusal as its path speaks, in the language that the request prefers. */
export const refuseAtClinic = (
  request: Request,
  code: ClinicRefusal,
  formats: readonly FailureFormat[],
  {
    retryAfterSeconds = code === 'clinic_closed' ? closedForSeconds : 1,
    origins = [],
  }: { retryAfterSeconds?: number; origins?: readonly string[] } = {},
): Response => {
  const { status, ...words } = refusals[code];
  const allowed = forOrigin(request.headers.get('Origin'), origins);
  if ('Vary' in allowed && isPreflight(request))
    return new Response(null, { status: 204, headers: { ...allowed, ...corsHeaders(request) } });
  const given = request.headers.get('X-Request-Id');
  const { body, ...answer } = writeEarlyFailure(
    {
      code,
      status,
      words,
      headers: {
        ...allowed,
        ...(status === 503 && { 'Retry-After': String(retryAfterSeconds) }),
        ...(status === 401 && { 'WWW-Authenticate': 'Bearer realm="janji", error="invalid_token"' }),
      },
    },
    {
      path: new URL(request.url).pathname,
      method: request.method,
      language: readLanguage(request),
      requestId: given !== null && requestIdForm.test(given) ? given : crypto.randomUUID(),
    },
    formats,
  );
  return new Response(body, answer);
};
