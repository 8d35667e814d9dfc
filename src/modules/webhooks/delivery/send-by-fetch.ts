import type { WebhookMessage, WebhookOutcome } from '../../../core/deps.ts';
import { withinLimit } from '../../../core/time-limit.ts';
import { answered, attemptTimeoutMs, maxTextBytes, textTimeoutMs } from './rules.ts';

/** The beginning of an answer: as much as came in time. */
const readStart = async ({ body }: Response): Promise<string> => {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  const reading = async (): Promise<void> => {
    while (bytes < maxTextBytes) {
      const { value, done } = await reader.read();
      if (done) return;
      const part = value.subarray(0, maxTextBytes - bytes);
      bytes += part.length;
      text += decoder.decode(part, { stream: true });
    }
  };
  await withinLimit(
    textTimeoutMs,
    reading().catch(() => {}),
  );
  // Not awaited, because the receiver decides how long it takes.
  reader.cancel().catch(() => {});
  return text;
};

/** Sends with `fetch`, for Workers: follows no redirects. */
export const sendByFetch = async (
  { url, headers, body }: WebhookMessage,
  ending?: AbortSignal,
): Promise<WebhookOutcome> => {
  const limit = AbortSignal.timeout(attemptTimeoutMs);
  const signal = ending === undefined ? limit : AbortSignal.any([limit, ending]);
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    const text = await readStart(response);
    return {
      ...answered(response.status, response.headers.get('Retry-After')),
      ...(text !== '' && { text }),
    };
  } catch {
    return { failure: limit.aborted ? 'timeout' : 'connection' };
  }
};
