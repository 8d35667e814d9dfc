import type { Deps, WebhookMessage, WebhookOutcome } from '../../../core/deps.ts';

// A request to a receiver and its answer, as the log stores them: sealed, for seven days.

/** The signatures are left out: they are of no use in the log. */
const shownHeaders = ({ 'webhook-signature': _, ...headers }: WebhookMessage['headers']) => headers;

export const exchangeView = ({ url, headers, body }: WebhookMessage, outcome: WebhookOutcome) => ({
  sent: { url, headers: shownHeaders(headers), body },
  received: 'status' in outcome ? { status: outcome.status, body: outcome.text ?? '' } : null,
});

type Exchange = ReturnType<typeof exchangeView>;

export const sealExchange = ({ secretBox }: Pick<Deps, 'secretBox'>, exchange: Exchange): Promise<string> =>
  secretBox.seal(JSON.stringify(exchange));

/** Null if none is stored, or if its key is lost. */
export const openExchange = async (
  { secretBox }: Pick<Deps, 'secretBox'>,
  sealed: string | null,
): Promise<Exchange | null> => {
  const text = sealed === null ? null : await secretBox.open(sealed);
  return text === null ? null : JSON.parse(text);
};
