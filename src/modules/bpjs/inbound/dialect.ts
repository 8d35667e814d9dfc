import { Failure } from '../../../core/endpoint/errors.ts';
import { refusedToken } from '../../../core/endpoint/refused-token.ts';
import { type Sentence, say } from '../../../core/endpoint/sentences.ts';
import { identifyKey } from '../../auth/keys/use.ts';
import type { Dialect, Identify } from '../../handler.ts';
import { antreanSentences as sentences } from './sentences.ts';
import { openToken } from './token.ts';

/** The path below which BPJS calls, of both families. */
export const bpjsPath = '/bpjs';
export const tokenPaths = [`${bpjsPath}/rs/token`, `${bpjsPath}/fktp/auth`] as const;

const isTokenPath = (path: string): boolean => tokenPaths.some((one) => one === path);

/** What an answer has beside its code: `response`, and the message if it is not Ok. */
export interface Said {
  response?: unknown;
  message?: Sentence;
}

/** A refusal in BPJS's words, which the patient reads: code 201, or 202 for a patient whom the clinic does not know. */
export const refusal = (sentence: Sentence, code: 201 | 202 = 201): Failure =>
  new Failure(code === 202 ? 'not_found' : 'validation_failed', { sentence, extras: { code } });

export const blank = (field: string): Failure => refusal(say(sentences.blank, { field }));

/** At the token's path by id and key of an API key, everywhere else by the token that was given for them. */
const identify: Identify = async (deps, header, now, path) => {
  const id = header('x-username') ?? '';
  if (isTokenPath(path)) {
    const claims = await identifyKey(deps, header('x-password') ?? '', now);
    if (claims.userId !== id) throw refusedToken(sentences.wrong_login);
    return claims;
  }
  const claims = await openToken(deps, header('x-token') ?? '', now);
  if (claims === null || claims.userId !== id) throw refusedToken(sentences.wrong_token);
  return claims;
};

/** Failures that have no words of BPJS's own. */
const wordsOf: Readonly<Record<string, Sentence>> = {
  unauthenticated: sentences.wrong_token,
  validation_failed: sentences.invalid,
  malformed_json: sentences.invalid,
};

const write = (code: number, message: string, response?: unknown): string =>
  JSON.stringify({ ...(response !== undefined && { response }), metadata: { code, message } });

const json = { 'Content-Type': 'application/json; charset=UTF-8' };

/** How BPJS speaks: JSON whatever its media type says, and always HTTP 200 with the code in `metadata`. */
export const bpjsDialect: Dialect = {
  base: bpjsPath,
  language: 'id',
  identify,
  toJson: (body) => (body.trim() === '' ? '{}' : body),
  writeSuccess: ({ data, headers }) => {
    const { response, message = sentences.ok } = (data ?? {}) as Said;
    return { status: 200, raw: write(200, message.id, response), headers: { ...json, ...headers } };
  },
  writeFailure: ({ code, message, extras, headers }, { path }) => {
    const own = code === 'unauthenticated' && isTokenPath(path) ? sentences.wrong_login : undefined;
    const isOurs = typeof extras.code === 'number';
    const words = own ?? (isOurs ? undefined : wordsOf[code]);
    return {
      status: 200,
      raw: write(isOurs ? Number(extras.code) : 201, words?.id ?? message),
      headers: { ...headers, ...json },
    };
  },
};
