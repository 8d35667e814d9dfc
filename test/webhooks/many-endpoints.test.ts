import { beforeEach, describe, expect, it } from 'vitest';
import { webhookDeliveries, webhookEndpoints } from '../../src/core/tables/webhooks.ts';
import { deliverWebhooks } from '../../src/modules/webhooks/delivery/deliver.ts';
import { readBacklog } from '../../src/modules/webhooks/delivery/report.ts';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createEndpoint } from '../support/receiver.ts';
import { createWorld, type World } from '../support/world.ts';

const second = 1_000;
const minute = 60 * second;

let world: World;
let practice: Awaited<ReturnType<typeof createPractice>>;
type Endpoint = Awaited<ReturnType<typeof createEndpoint>>;
let one: Endpoint;
let two: Endpoint;

beforeEach(async () => {
  world = await createWorld();
  practice = await createPractice(world, { capacity: 20 });
  one = await createEndpoint(world, { url: 'https://one.example/' });
  two = await createEndpoint(world, { url: 'https://two.example/' });
});

const deliver = () => deliverWebhooks(world.deps);
const ask = ({ id, token }: Endpoint, path = '', sent: object = {}) =>
  world.request(`/v1/admin/webhooks/${id}${path}`, { token, ...sent });
const change = (at: Endpoint, body: object) => ask(at, '', { method: 'PATCH', body });

const book = async (schedule_time = '09:00:00') => {
  const { token } = await createPerson(world);
  const body = bookingInput(practice, { schedule_date: '2026-12-01', schedule_time });
  const booked = await world.request('/v1/bookings', { token, body });
  return { id: booked.body.data.id as string, token };
};
const bookAndCancel = async () => {
  const { id, token } = await book();
  expect((await world.request(`/v1/bookings/${id}/cancel`, { method: 'POST', token })).status).toBe(200);
};

/** Receivers by their host's first name: how each answers, and what came there in a run. */
const deliverTo = async (answer: (host: string, type: string) => number | Promise<number>) => {
  const came: Record<string, string[]> = {};
  world.deps.sendWebhook = async ({ url, body }) => {
    const [host = ''] = new URL(url).hostname.split('.');
    const type = JSON.parse(body).type.replace('booking.', '') as string;
    came[host] = [...(came[host] ?? []), type];
    return { status: await answer(host, type) };
  };
  await deliver();
  return came;
};

describe('of several endpoints', () => {
  it('each is sent every event in one run, whatever becomes of it at the others', async () => {
    await createEndpoint(world, { url: 'https://three.example/' });
    await bookAndCancel();
    const came = await deliverTo((host) => (host === 'one' ? 500 : 200));
    const both = ['created', 'canceled'];
    expect(came).toEqual({ one: ['created'], two: both, three: both });
  });

  it('one that is paused goes on where it was, though another is sent on', async () => {
    await change(one, { status: 'paused' });
    await bookAndCancel();
    expect(await deliverTo(() => 200)).toEqual({ two: ['created', 'canceled'] });
    await change(one, { status: 'active' });
    expect(await deliverTo(() => 200)).toEqual({ one: ['created', 'canceled'] });
  });

  it('one that answers again, or is resumed, makes nothing due at another', async () => {
    await book();
    // After its fifth failure an endpoint is left in peace for 5 minutes, and the event waits for 15.
    for (const pause of [6 * second, 34 * second, 3 * minute, 6 * minute, 5 * minute]) {
      await deliverTo(() => 500);
      world.clock.now += pause;
    }
    const waiting = async (at: Endpoint) => {
      const rows = await world.db.select().from(webhookDeliveries);
      return rows.find(({ endpointId, sequence }) => endpointId === at.id && sequence === 1);
    };
    const before = await waiting(two);
    expect(before?.nextAttemptAt).toBeGreaterThan(world.clock.now + 8 * minute);
    await book('10:00:00');
    await deliverTo((host) => (host === 'one' ? 200 : 500));
    expect(await waiting(one)).toMatchObject({ state: 'delivered' });
    expect(await waiting(two)).toEqual(before);
    await change(one, { status: 'paused' });
    await change(one, { status: 'active' });
    expect(await waiting(two)).toEqual(before);
  });
});

describe('an endpoint that an admin paused while an attempt was under way', () => {
  it('stays paused for that reason, whatever the attempt says', async () => {
    await book();
    await deliverTo(async (host) => {
      if (host === 'one') await change(one, { status: 'paused' });
      return host === 'one' ? 410 : 200;
    });
    expect((await ask(one)).body.data).toMatchObject({ status: 'paused', paused_reason: 'admin' });
  });
});

describe('an attempt that comes back after its lease', () => {
  it('changes nothing of what the process wrote that took it over', async () => {
    await change(two, { status: 'paused' });
    await book();
    let tries = 0;
    await deliverTo(async () => {
      tries += 1;
      if (tries > 1) return 200;
      world.clock.now += minute;
      await deliver();
      return 500;
    });
    const [delivery] = (await ask(one, '/deliveries')).body.data;
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 2, response_status: 200 });
    world.clock.now += 10 * minute;
    expect(await deliverTo(() => 200)).toEqual({});
  });
});

describe('the backlog', () => {
  it('is what waits at endpoints in service, with the age of the oldest and how many are paused', async () => {
    await book();
    await deliverTo(() => 500);
    world.clock.now += 6 * second;
    await book('10:00:00');
    await deliverTo(() => 500);
    const now = world.clock.now + 4 * second;
    expect(await readBacklog(world.deps, now)).toEqual({
      pending: 4,
      oldestAgeSeconds: 10,
      pausedEndpoints: 0,
    });
    await change(one, { status: 'paused' });
    await change(two, { status: 'paused' });
    await ask(two, '', { method: 'DELETE' });
    expect(await readBacklog(world.deps, now)).toMatchObject({ pending: 2, pausedEndpoints: 1 });
    expect(await world.db.select().from(webhookEndpoints)).toHaveLength(2);
  });
});
