import { expect, it } from 'vitest';
import { webhookDeliveries, webhookEndpoints } from '../../src/core/tables/webhooks.ts';
import { sweepExpired } from '../../src/jobs/retention.ts';
import { deliverWebhooks } from '../../src/modules/webhooks/delivery/deliver.ts';
import { bookingInput } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createReceiving, verifyMessage } from '../support/receiver.ts';
import { createWorld } from '../support/world.ts';

const day = 86_400_000;

const setUp = async () => {
  const world = await createWorld();
  const receiving = await createReceiving(world);
  const { token, id } = receiving.endpoint;
  const path = `/v1/admin/webhooks/${id}`;
  return {
    world,
    ...receiving,
    path,
    ask: (end: string, method = 'GET') => world.request(`${path}${end}`, { token, method }),
  };
};

it('the log shows what was sent and what came back, sealed and for seven days', async () => {
  const { world, practice, receiver, ask } = await setUp();
  receiver.answer = () => ({ status: 500, text: 'Basis data penuh' });
  const { token } = await createPerson(world);
  await world.request('/v1/bookings', { token, body: bookingInput(practice) });
  await deliverWebhooks(world.deps);
  const list = (await ask('/deliveries')).body.data;
  const one = list.find(({ type }: { type: string }) => type === 'booking.created');
  expect(Object.keys(one)).not.toContain('exchange');
  const { exchange } = (await ask(`/deliveries/${one.id}`)).body.data;
  expect(JSON.parse(exchange.sent.body)).toMatchObject({
    type: 'booking.created',
    data: { status: 'waiting' },
  });
  expect(exchange.sent.headers).toMatchObject({ 'webhook-id': one.event_id });
  expect(exchange.sent.headers['webhook-signature']).toBeUndefined();
  expect(exchange.received).toEqual({ status: 500, body: 'Basis data penuh' });
  const stored = JSON.stringify(await world.db.select().from(webhookDeliveries));
  expect(stored).not.toContain('Basis data');
  expect(stored).not.toContain('booking.created');
  const kept = async () => (await ask(`/deliveries/${one.id}`)).body.data.exchange !== null;
  await sweepExpired(world.deps, world.clock.now + 7 * day - 1);
  expect(await kept()).toBe(true);
  await sweepExpired(world.deps, world.clock.now + 7 * day);
  expect(await kept()).toBe(false);
});

it('a receiver that did not answer has sent nothing back, and an unknown delivery is not found', async () => {
  const { world, practice, receiver, ask } = await setUp();
  receiver.answer = () => ({ failure: 'timeout' });
  const { token } = await createPerson(world);
  await world.request('/v1/bookings', { token, body: bookingInput(practice) });
  await deliverWebhooks(world.deps);
  const [one] = (await ask('/deliveries')).body.data;
  expect((await ask(`/deliveries/${one.id}`)).body.data).toMatchObject({
    error: 'timeout',
    exchange: { received: null },
  });
  expect((await ask(`/deliveries/${world.deps.newId()}`)).status).toBe(404);
});

it('a test is sent at once and signed, also to a paused receiver, and leaves no event', async () => {
  const { world, receiver, endpoint, path, ask } = await setUp();
  const messages: string[] = [];
  receiver.answer = ({ body, headers }) => {
    verifyMessage(receiver.secret, world.clock.now, body, headers);
    messages.push(body);
    return { status: 200, text: 'ok' };
  };
  await world.request(path, { method: 'PATCH', token: endpoint.token, body: { status: 'paused' } });
  const { status, body } = await ask('/test', 'POST');
  expect([status, body.message]).toEqual([200, 'Pesan percobaan telah diterima.']);
  expect(body.data).toMatchObject({
    delivered: true,
    error: null,
    exchange: { received: { status: 200, body: 'ok' } },
  });
  expect(messages.map((text) => JSON.parse(text))).toMatchObject([
    { type: 'webhook.test', data: { webhook_id: endpoint.id, actor_role: 'admin' } },
  ]);
  expect((await ask('/deliveries')).body.data).toEqual([]);
  expect((await ask('')).body.data).toMatchObject({ status: 'paused' });
  receiver.answer = () => ({ failure: 'connection' });
  expect((await ask('/test', 'POST')).body).toMatchObject({
    message: 'Pesan percobaan tidak diterima.',
    data: { delivered: false, error: 'connection' },
  });
});

it('a test to a receiver whose secret cannot be read says so, and sends nothing', async () => {
  const { world, receiver, endpoint, ask } = await setUp();
  await world.db.update(webhookEndpoints).set({ secret: 'unreadable' });
  const { status, body } = await ask('/test', 'POST');
  expect([status, body.data]).toEqual([200, { delivered: false, error: 'secret_lost', exchange: null }]);
  expect(receiver.attempts).toEqual([]);
  const rotated = await world.request(`/v1/admin/webhooks/${endpoint.id}/rotate-secret`, {
    method: 'POST',
    token: endpoint.token,
  });
  expect(rotated.status).toBe(200);
  receiver.secret = rotated.body.data.secret;
  receiver.answer = () => ({ status: 200 });
  expect((await ask('/test', 'POST')).body.data).toMatchObject({ delivered: true, error: null });
});
