import { Webhook } from 'standardwebhooks';

export interface Message {
  url: string;
  headers: Record<string, string>;
  body: string;
}

interface Event {
  writeId: string;
  type: string;
  occurredAt: number;
  requestId: string;
  payload: string;
}

/** A new signing secret, as Standard Webhooks writes them: 32 random bytes. */
export const newSigningSecret = (): string =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;

/** The signed request of an event (Standard Webhooks): one signature for each secret in force. */
export const signedMessage = (
  url: string,
  event: Event,
  secrets: readonly string[],
  now: number,
): Message => {
  const at = new Date(now);
  const timestamp = new Date(event.occurredAt).toISOString();
  const body = JSON.stringify({ type: event.type, timestamp, data: JSON.parse(event.payload) });
  const signatures = secrets.map((secret) => new Webhook(secret).sign(event.writeId, at, body));
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Janji-Webhooks/1',
    'webhook-id': event.writeId,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': signatures.join(' '),
    'X-Request-Id': event.requestId,
  };
  return { url, headers, body };
};
