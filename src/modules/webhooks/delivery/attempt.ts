import type { Deps, WebhookOutcome } from '../../../core/deps.ts';
import { overdue, withinLimit } from '../../../core/time-limit.ts';
import type { findClaimed, findDueEndpoints } from './attempt-queries.ts';
import { exchangeView, sealExchange } from './exchange.ts';
import { attemptTimeoutMs, isReceipt, mayReceive } from './rules.ts';
import { signedMessage } from './signing.ts';

export type Endpoint = ReturnType<typeof findDueEndpoints>['_']['result'][number];
type Claimed = ReturnType<typeof findClaimed>['_']['result'][number];

/** An attempt and its outcome; null if a stop of the service aborted it, so that its outcome is unknown. */
export interface Attempt {
  delivery: Claimed;
  outcome: WebhookOutcome | null;
  /** The request and its answer, sealed; null if nothing was sent. */
  exchange: string | null;
}

/** The secrets that sign now: the current one and, for a while after a rotation, the previous one. */
export const openSecrets = async (
  deps: Deps,
  endpoint: Pick<Endpoint, 'secret' | 'previousSecret' | 'previousSecretUntil'>,
  now: number,
): Promise<string[] | null> => {
  const secret = await deps.secretBox.open(endpoint.secret);
  if (secret === null) return null;
  const { previousSecret, previousSecretUntil } = endpoint;
  if (previousSecret === null || previousSecretUntil === null || previousSecretUntil <= now) return [secret];
  const previous = await deps.secretBox.open(previousSecret);
  return previous === null ? [secret] : [secret, previous];
};

/** Ends at the time limit or when it is aborted, even if the sender does not end. */
export const sendWithin = async (
  send: (signal: AbortSignal) => Promise<WebhookOutcome>,
  cut: AbortSignal | undefined,
): Promise<WebhookOutcome | null> => {
  if (cut?.aborted) return null;
  const ending = new AbortController();
  const wasCut = new Promise<null>((resolve) => {
    cut?.addEventListener('abort', () => resolve(null), { signal: ending.signal });
  });
  try {
    const outcome = await withinLimit(attemptTimeoutMs, Promise.race([send(ending.signal), wasCut]));
    return outcome === overdue ? { failure: 'timeout' } : outcome;
  } finally {
    // Ends the request and removes the listener.
    ending.abort();
  }
};

/** Makes an attempt. Its time, in the log and in the signed header, is the time of the claim. */
export const makeAttempt = async (
  deps: Deps,
  { url }: Endpoint,
  delivery: Claimed,
  {
    secrets,
    claimedAt,
    cut,
  }: { secrets: readonly string[]; claimedAt: number; cut?: AbortSignal | undefined },
): Promise<Attempt> => {
  if (!mayReceive(url, deps.config.WEBHOOK_ALLOW_PRIVATE === 'true'))
    return { delivery, outcome: { failure: 'refused_address' }, exchange: null };
  const message = await signedMessage(url, delivery, secrets, claimedAt);
  const outcome = await sendWithin((signal) => deps.sendWebhook(message, signal), cut);
  if (outcome !== null) deps.metrics.webhookAttempt(isReceipt(outcome));
  const exchange = outcome === null ? null : await sealExchange(deps, exchangeView(message, outcome));
  return { delivery, outcome, exchange };
};
