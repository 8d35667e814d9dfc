import { randomUUID } from 'node:crypto';
import { catalogue } from '../../../core/endpoint/errors.ts';
import type { Language } from '../../../core/endpoint/messages.ts';
import { jsonContent, personalHeaders } from '../../../core/http/respond.ts';

/** Requests that Node's server refuses itself, before the app sees them. */
const refusals = {
  invalid_header: catalogue.invalid_header,
  internal: catalogue.internal,
  unavailable: catalogue.unavailable,
  demo_not_public: {
    status: 403,
    id: 'Layanan ini berisi data contoh dengan kata sandi umum dan hanya melayani komputer ini (DEMO=on membukanya).',
    en: 'This service holds demo data with public passwords and serves this machine alone (DEMO=on opens it).',
  },
  request_timeout: {
    status: 408,
    id: 'Permintaan tidak diterima lengkap tepat waktu. Silakan coba lagi.',
    en: 'The request did not arrive in time. Please try again.',
  },
  headers_too_large: {
    status: 431,
    id: 'Header permintaan terlalu besar.',
    en: 'The headers of the request are too large.',
  },
} as const;

export type Refusal = keyof typeof refusals;

/** A refusal in the envelope of all failures; in Indonesian unless the client prefers another language. */
export const refuse = (code: Refusal, language: Language = 'id', request_id: string = randomUUID()) => {
  const { status, [language]: message } = refusals[code];
  const headers = {
    ...personalHeaders,
    ...jsonContent,
    'Content-Language': language,
    'X-Request-Id': request_id,
  };
  return { status, headers, body: JSON.stringify({ status: 'error', code, message, request_id }) };
};

export const asResponse = ({ status, headers, body }: ReturnType<typeof refuse>): Response =>
  new Response(body, { status, headers });
