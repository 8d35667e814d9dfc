import { beforeEach, describe, expect, it } from 'vitest';
import { webhookEndpoints } from '../../src/core/tables/webhooks.ts';
import { deliverWebhooks } from '../../src/modules/webhooks/delivery/deliver.ts';
import { bookingInput } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createEndpoint, createReceiving } from '../support/receiver.ts';
import { createWorld, type World } from '../support/world.ts';

const hour = 3_600_000;

let world: World;
type Receiving = Awaited<ReturnType<typeof createReceiving>>;
let practice: Receiving['practice'];
let receiver: Receiving['receiver'];
let endpoint: Receiving['endpoint'];

beforeEach(async () => {
  world = await createWorld();
  ({ practice, receiver, endpoint } = await createReceiving(world));
});

const book = async () => {
  const { token } = await createPerson(world);
  const body = bookingInput(practice, { schedule_date: '2026-12-01' });
  expect((await world.request('/v1/bookings', { token, body })).status).toBe(201);
};
const deliver = () => deliverWebhooks(world.deps);
const ask = (path = '', sent: object = {}) =>
  world.request(`/v1/admin/webhooks/${endpoint.id}${path}`, { token: endpoint.token, ...sent });
const change = (body: object) => ask('', { method: 'PATCH', body });
const row = async () => (await world.db.select().from(webhookEndpoints))[0];

describe('an endpoint that an admin pauses', () => {
  it('is sent nothing meanwhile, and all of it once it is resumed', async () => {
    const paused = await change({ status: 'paused' });
    expect(paused.body.data).toMatchObject({ status: 'paused', paused_reason: 'admin' });
    await book();
    await deliver();
    expect(receiver.attempts).toEqual([]);
    await change({ status: 'active' });
    await deliver();
    expect(receiver.received).toHaveLength(1);
  });

  it('keeps when and why it was paused when it is paused again', async () => {
    const pausedAt = world.clock.now;
    await world.db.update(webhookEndpoints).set({ pausedAt, pausedReason: 'failing' });
    world.clock.now += hour;
    expect((await change({ status: 'paused' })).body.data).toMatchObject({ paused_reason: 'failing' });
    expect(await row()).toMatchObject({ pausedAt });
  });
});

describe('an endpoint that is resumed', () => {
  it('starts again: neither its failures nor the pause after them count', async () => {
    receiver.answer = () => ({ status: 500 });
    await book();
    for (let nth = 0; nth < 4; nth++) {
      await deliver();
      world.clock.now += 5 * 60_000;
    }
    const { now } = world.clock;
    await world.db.update(webhookEndpoints).set({ pausedAt: now, holdUntil: now + hour });
    expect((await change({ status: 'active' })).body.data.failing_since).toBeNull();
    expect(await row()).toMatchObject({ failures: 0, failingSince: null, holdUntil: null });
    receiver.answer = () => ({ status: 200 });
    await deliver();
    expect(receiver.received).toHaveLength(1);
  });
});

describe('an address that may no longer be sent to', () => {
  it('is not asked, and the log says why', async () => {
    world.deps.config = { ...world.deps.config, WEBHOOK_ALLOW_PRIVATE: 'true' };
    expect((await change({ url: 'http://127.0.0.1:9/inside' })).status).toBe(200);
    world.deps.config = { ...world.deps.config, WEBHOOK_ALLOW_PRIVATE: 'false' };
    await book();
    await deliver();
    expect(receiver.attempts).toEqual([]);
    expect((await ask('/deliveries')).body.data).toMatchObject([
      { status: 'pending', attempts: 1, error: 'refused_address', response_status: null },
    ]);
  });
});

describe('a rotated secret', () => {
  it('signs beside the new one for 24 hours, to the millisecond', async () => {
    receiver.secret = (await ask('/rotate-secret', { method: 'POST' })).body.data.secret;
    const rotatedAt = world.clock.now;
    const signatures = async (now: number) => {
      world.clock.now = now;
      await book();
      await deliver();
      return receiver.received.at(-1)?.headers['webhook-signature']?.split(' ').length;
    };
    expect(await signatures(rotatedAt + 24 * hour - 1)).toBe(2);
    expect(await signatures(rotatedAt + 24 * hour)).toBe(1);
  });
});

describe('an endpoint that is removed', () => {
  it('is listed and changed no more, and its secrets are forgotten', async () => {
    await ask('/rotate-secret', { method: 'POST' });
    const other = await createEndpoint(world);
    expect((await ask('', { method: 'DELETE' })).status).toBe(200);
    const listed = (await world.request('/v1/admin/webhooks', { token: endpoint.token })).body.data;
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([other.id]);
    expect((await change({ status: 'active' })).status).toBe(404);
    const stored = (await world.db.select().from(webhookEndpoints)).find(({ id }) => id === endpoint.id);
    expect(stored).toMatchObject({ secret: '', previousSecret: null });
  });
});

describe('events that are sent again', () => {
  it('of a time range begin with its first instant and end before its last, only of the chosen types', async () => {
    const from = world.clock.now;
    for (let nth = 0; nth < 3; nth++) {
      await book();
      world.clock.now += 1_000;
    }
    await deliver();
    const replay = async (first: number, last: number, more: object = {}) => {
      const range = { from: new Date(first).toISOString(), to: new Date(last).toISOString(), ...more };
      return (await ask('/replay', { body: range })).body.data.events;
    };
    expect(await replay(from, from + 2_000)).toBe(2);
    expect(await replay(from + 1, from + 2_001)).toBe(2);
    expect(await replay(from, from + 3_000, { after: 1 })).toBe(2);
    await change({ event_types: ['booking.canceled'] });
    expect(await replay(from, from + 3_000)).toBe(0);
  });

  it('by the id of a delivery are those of the endpoint itself', async () => {
    await book();
    await deliver();
    const [delivery] = (await ask('/deliveries')).body.data;
    const other = await createEndpoint(world);
    const path = `/v1/admin/webhooks/${other.id}/deliveries/${delivery.id}/replay`;
    expect((await world.request(path, { method: 'POST', token: other.token })).status).toBe(404);
    expect((await ask(`/deliveries/${delivery.id}/replay`, { method: 'POST' })).status).toBe(202);
  });
});
