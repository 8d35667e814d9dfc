import type { PartnerAnswer, PartnerRequest } from '../../../core/deps.ts';
import { readStart } from '../../../core/read-start.ts';
import { answered, attemptTimeoutMs } from '../../webhooks/delivery/rules.ts';

/** Sends a request to a health system with `fetch`, on both runtimes: follows no redirects, and reads the answer whole unless it is too long. */
export const askByFetch = async (
  { url, ...request }: PartnerRequest,
  ending: AbortSignal,
  timeoutMs = attemptTimeoutMs,
): Promise<PartnerAnswer> => {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      ...request,
      redirect: 'manual',
      signal: AbortSignal.any([limit, ending]),
    });
    const body = await readStart(response);
    return { ...answered(response.status, response.headers.get('Retry-After')), body };
  } catch {
    return { failure: limit.aborted ? 'timeout' : 'connection' };
  }
};
