import { catalogue, Failure } from './errors.ts';
import { say, secondsInWords } from './sentences.ts';

/** Too many attempts or requests; `seconds` until the next one is allowed. */
export const rateLimited = (seconds: number, headers: Readonly<Record<string, string>>): Failure =>
  new Failure('rate_limited', {
    headers: { ...headers, 'Retry-After': String(seconds) },
    sentence: say(catalogue.rate_limited, { wait: secondsInWords(seconds) }),
  });
