import type { WebhookMessage } from '../../../core/deps.ts';
import { toIso } from '../../../core/endpoint/instants.ts';

interface Event {
  writeId: string;
  type: string;
  occurredAt: number;
  requestId: string;
  payload: string;
  actorRole: string;
}

/** A new signing secret in the format of Standard Webhooks: 32 random bytes. */
export const newSigningSecret = (): string =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;

const algorithm = { name: 'HMAC', hash: 'SHA-256' };

/**
 * One signature of Standard Webhooks, version 1: HMAC-SHA-256 over "id.seconds.body". It uses the platform's crypto,
 * because the standard's library would add its own SHA-256 to the Worker; the tests verify with that library.
 */
const signContent = async (secret: string, content: string): Promise<string> => {
  const bytes = Uint8Array.from(atob(secret.slice('whsec_'.length)), (character) => character.charCodeAt(0));
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign(algorithm, key, new TextEncoder().encode(content));
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`;
};

/** Members that booking events written by earlier versions do not have. */
const addedLater = (type: string) =>
  type.startsWith('booking.') ? { overbooked: false, previous: null } : {};

/** The signed request of an event (Standard Webhooks): one signature for each secret in force. */
export const signedMessage = async (
  url: string,
  event: Event,
  secrets: readonly string[],
  now: number,
): Promise<WebhookMessage> => {
  const seconds = Math.floor(now / 1000);
  const timestamp = toIso(event.occurredAt);
  const data = { ...addedLater(event.type), ...JSON.parse(event.payload), actor_role: event.actorRole };
  const body = JSON.stringify({ type: event.type, timestamp, data });
  const content = `${event.writeId}.${seconds}.${body}`;
  const signatures = await Promise.all(secrets.map((secret) => signContent(secret, content)));
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Janji-Webhooks/1',
    'webhook-id': event.writeId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
    'X-Request-Id': event.requestId,
  };
  return { url, headers, body };
};
