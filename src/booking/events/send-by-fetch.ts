import { answered, attemptTimeoutMs, type Outcome } from './rules.ts';
import type { Message } from './signing.ts';

/** Sends by `fetch`, as Workers do: redirects are not followed, the answer's body is not read. */
export const sendByFetch = async ({ url, headers, body }: Message): Promise<Outcome> => {
  const signal = AbortSignal.timeout(attemptTimeoutMs);
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    await response.body?.cancel();
    return answered(response.status, response.headers.get('Retry-After'));
  } catch {
    return { failure: signal.aborted ? 'timeout' : 'connection' };
  }
};
