import { randomUUID } from 'node:crypto';
import { catalogue } from '../../../core/endpoint/errors.ts';
import type { Language } from '../../../core/endpoint/messages.ts';
import { writeEarlyFailure } from '../../../core/http/early-failure.ts';
import { failureFormats } from '../../../interface/dialects.ts';

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

/** What is known of a refused request; of one that could not be read it may be nothing. */
interface RefusedRequest {
  path?: string;
  method?: string;
  language?: Language;
  requestId?: string;
}

/** A refusal as its path speaks; in Indonesian unless the client prefers another language. */
export const refuse = (
  code: Refusal,
  { path = '/', method = 'GET', language = 'id', requestId = randomUUID() }: RefusedRequest = {},
) => {
  const { status, ...words } = refusals[code];
  return writeEarlyFailure({ code, status, words }, { path, method, language, requestId }, failureFormats);
};

/** The path of a request line or of a target, without the query. */
export const pathOf = (target = ''): string => target.split(/[?#\s]/, 1)[0] || '/';

export const asResponse = ({ status, headers, body }: ReturnType<typeof refuse>): Response =>
  new Response(body, { status, headers });
