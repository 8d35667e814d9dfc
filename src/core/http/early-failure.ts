import type { Language } from '../endpoint/messages.ts';
import { type Format, isBelow } from './format.ts';
import { jsonContent, personalHeaders } from './respond.ts';

/** How failures are written below the paths that do not speak as `/v1` does. */
export type FailureFormat = Pick<Format, 'base' | 'language' | 'writeFailure'>;

interface EarlyFailure {
  code: string;
  status: number;
  /** The sentences, one a language. */
  words: Readonly<Record<Language, string>>;
  headers?: Readonly<Record<string, string>>;
}

interface EarlyRequest {
  path: string;
  method: string;
  language: Language;
  requestId: string;
}

/** The headers that a browser needs to show another origin's page such a failure. */
export const forOrigin = (origin: string | null | undefined, allowed: readonly string[]) =>
  typeof origin === 'string' && allowed.includes(origin)
    ? {
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After, X-Sandbox',
        Vary: 'Origin',
      }
    : {};

/**
 * A failure that is answered before any service was asked (no such clinic, overload), as its path speaks: below that of a
 * format as the format writes it, elsewhere as the envelope of `/v1`.
 */
export const writeEarlyFailure = (
  { code, status, words, headers: own = {} }: EarlyFailure,
  { path, method, requestId, language: preferred }: EarlyRequest,
  formats: readonly FailureFormat[],
): { status: number; headers: Record<string, string>; body: string } => {
  const format = formats.find((each) => isBelow(each, path));
  const language = format?.language ?? preferred;
  const message = words[language];
  const headers = { 'Content-Language': language, 'X-Request-Id': requestId, ...own };
  if (format === undefined)
    return {
      status,
      headers: { ...personalHeaders, ...jsonContent, ...headers },
      body: JSON.stringify({ status: 'error', code, message, request_id: requestId }),
    };
  const nothing = (): undefined => undefined;
  const written = format.writeFailure(
    { code, status, message, issues: [], extras: {}, headers },
    { language, requestId, method, path, header: nothing, query: nothing, publicUrl: nothing },
  );
  return { status: written.status, headers: { ...personalHeaders, ...written.headers }, body: written.raw };
};
