import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';
import type { WebhookMessage, WebhookOutcome } from '../../src/core/deps.ts';
import { createPractice } from './clinic.ts';
import { createPerson } from './people.ts';
import type { World } from './world.ts';

export interface Received {
  id: string;
  bookingId: string;
  version: number;
  type: string;
  headers: Record<string, string>;
  body: string;
}

/** Throws unless the message is signed by the secret, as the reference verifier has it, at the time `now`. */
export const verifyMessage = (secret: string, now: number, body: string, headers: Record<string, string>) => {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now);
  try {
    return new Webhook(secret).verify(body, headers);
  } finally {
    clock.mockRestore();
  }
};

/** A receiver that a test plays: it answers what `answer` says and keeps what it acknowledged. */
export const createReceiver = (world: World) => {
  const received: Received[] = [];
  const attempts: string[] = [];
  const receiver = {
    received,
    attempts,
    secret: '',
    answer: (_message: WebhookMessage): WebhookOutcome | Promise<WebhookOutcome> => ({ status: 204 }),
  };
  world.deps.sendWebhook = async (message) => {
    const { headers, body } = message;
    attempts.push(headers['webhook-id'] ?? '');
    const outcome = await receiver.answer(message);
    if ('status' in outcome && outcome.status < 300) {
      verifyMessage(receiver.secret, world.clock.now, body, headers);
      const { type, data } = JSON.parse(body);
      const id = headers['webhook-id'] ?? '';
      received.push({ id, bookingId: data.booking_id, version: data.version, type, headers, body });
    }
    return outcome;
  };
  return receiver;
};

export const createEndpoint = async (world: World, fields: Record<string, unknown> = {}) => {
  const { token } = await createPerson(world, 'admin');
  const body = { url: 'https://hooks.klinik.example/janji', ...fields };
  const { status, body: answer } = await world.request('/v1/admin/webhooks', { token, body });
  if (status !== 201) throw new Error(`The endpoint was not added: ${JSON.stringify(answer)}`);
  return { token, id: answer.data.id as string, secret: answer.data.secret as string };
};

/** A practice with free slots, and a receiver with an endpoint. */
export const createReceiving = async (world: World) => {
  const practice = await createPractice(world, { capacity: 20 });
  const receiver = createReceiver(world);
  const endpoint = await createEndpoint(world);
  receiver.secret = endpoint.secret;
  return { practice, receiver, endpoint };
};
