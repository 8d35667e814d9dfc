import type { WebhookMessage, WebhookOutcome } from '../../../core/deps.ts';
import { answered, attemptTimeoutMs } from './rules.ts';

/** Sends with `fetch`, for Workers: follows no redirects and does not read the body of the answer. */
export const sendByFetch = async (
  { url, headers, body }: WebhookMessage,
  ending?: AbortSignal,
): Promise<WebhookOutcome> => {
  const limit = AbortSignal.timeout(attemptTimeoutMs);
  const signal = ending === undefined ? limit : AbortSignal.any([limit, ending]);
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    // Not awaited, because the receiver decides how long it takes.
    response.body?.cancel().catch(() => {});
    return answered(response.status, response.headers.get('Retry-After'));
  } catch {
    return { failure: limit.aborted ? 'timeout' : 'connection' };
  }
};
