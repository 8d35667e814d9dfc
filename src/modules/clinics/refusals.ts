import type { Context } from 'hono';
import { catalogue } from '../../core/endpoint/errors.ts';
import { preferredLanguage } from '../../core/http/language.ts';
import { requestIdForm } from '../../core/http/observed.ts';
import { jsonContent, personalHeaders } from '../../core/http/respond.ts';

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
  unavailable: catalogue.unavailable,
} as const;

export type ClinicRefusal = keyof typeof refusals;

const readLanguage = (request: Request) => {
  // It reads only this header of the context.
  const req = { header: (name: string) => request.headers.get(name) ?? undefined } as Context['req'];
  return preferredLanguage({ req } as Context);
};

/** A refusal in the envelope of all failures, in the language that the request prefers. */
export const refuseAtClinic = (
  request: Request,
  code: ClinicRefusal,
  { retryAfterSeconds = 1 }: { retryAfterSeconds?: number } = {},
): Response => {
  const language = readLanguage(request);
  const { status, [language]: message } = refusals[code];
  const given = request.headers.get('X-Request-Id');
  const request_id = given !== null && requestIdForm.test(given) ? given : crypto.randomUUID();
  return new Response(JSON.stringify({ status: 'error', code, message, request_id }), {
    status,
    headers: {
      ...personalHeaders,
      ...jsonContent,
      'Content-Language': language,
      'X-Request-Id': request_id,
      ...(status === 503 && { 'Retry-After': String(retryAfterSeconds) }),
    },
  });
};
