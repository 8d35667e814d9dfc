import { Failure } from './errors.ts';
import type { Sentence } from './sentences.ts';

/** The answer to a person whose login has ended. */
export const sessionEnded = {
  id: 'Sesi Anda telah berakhir. Silakan masuk kembali.',
  en: 'Your session has ended. Please log in again.',
} as const satisfies Sentence;

/** The answer to a presented token that is not valid (RFC 6750, 3.1). */
export const refusedToken = (sentence: Sentence = sessionEnded): Failure =>
  new Failure('unauthenticated', {
    sentence,
    headers: { 'WWW-Authenticate': 'Bearer realm="janji", error="invalid_token"' },
  });
