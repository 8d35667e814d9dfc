import type { WebhookMessage, WebhookOutcome } from '../../../core/deps.ts';
import { readStart } from '../../../core/read-start.ts';
import { answered, attemptTimeoutMs, maxTextBytes, textTimeoutMs } from './rules.ts';

/** Sends with `fetch`, for Workers: follows no redirects. */
export const sendByFetch = async (
  { url, headers, body }: WebhookMessage,
  ending?: AbortSignal,
): Promise<WebhookOutcome> => {
  const limit = AbortSignal.timeout(attemptTimeoutMs);
  const signal = ending === undefined ? limit : AbortSignal.any([limit, ending]);
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    const text = await readStart(response, maxTextBytes, AbortSignal.timeout(textTimeoutMs));
    return {
      ...answered(response.status, response.headers.get('Retry-After')),
      ...(text !== '' && { text }),
    };
  } catch {
    return { failure: limit.aborted ? 'timeout' : 'connection' };
  }
};
