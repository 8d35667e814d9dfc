import { beforeEach, describe, expect, it } from 'vitest';
import { deliverWebhooks } from '../../src/webhooks/delivery/deliver.ts';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createEndpoint, createReceiving, verifyMessage } from '../support/receiver.ts';
import { createWorld, type World } from '../support/world.ts';

const minute = 60_000;
const hour = 60 * minute;

let world: World;
type Receiving = Awaited<ReturnType<typeof createReceiving>>;
let practice: Receiving['practice'];
let receiver: Receiving['receiver'];
let endpoint: Receiving['endpoint'];
const path = () => `/v1/admin/webhooks/${endpoint.id}`;

beforeEach(async () => {
  world = await createWorld();
  ({ practice, receiver, endpoint } = await createReceiving(world));
});

/** Books and cancels: two events of one booking. */
const bookAndCancel = async () => {
  const { token } = await createPerson(world);
  const booked = await world.request('/v1/bookings', {
    token,
    body: bookingInput(practice, { schedule_date: '2026-12-01' }),
  });
  const id = booked.body.data.id as string;
  await world.request(`/v1/bookings/${id}/cancel`, { method: 'POST', token });
  return id;
};

const pass = async (ms: number, stepMs: number) => {
  for (let passed = 0; passed < ms; passed += stepMs) {
    world.clock.now += stepMs;
    await deliverWebhooks(world.deps);
  }
};

const inOrderPerBooking = () => {
  const versions = new Map<string, number>();
  for (const { bookingId, version } of receiver.received) {
    expect(version).toBe((versions.get(bookingId) ?? 0) + 1);
    versions.set(bookingId, version);
  }
  return versions;
};

/** Tokens end after a day, and some of these tests take longer. */
const adminToken = async () => (await createPerson(world, 'admin')).token;

const webhook = async () =>
  (await world.request(path(), { token: await adminToken() })).body.data as Record<string, unknown>;
const deliveries = async (query = '') =>
  (await world.request(`${path()}/deliveries${query}`, { token: await adminToken() })).body;

describe('delivery of events', () => {
  it('sends each event once, in order, with ids, times and states and no word of a person', async () => {
    const { token } = await createPerson(world);
    const headers = { 'X-Request-Id': 'permintaan-1' };
    await world.request('/v1/bookings', { token, headers, body: bookingInput(practice, { notes: 'Batuk' }) });
    await deliverWebhooks(world.deps);
    await deliverWebhooks(world.deps);
    expect(receiver.received).toHaveLength(1);
    const [event] = receiver.received;
    expect(event?.headers['X-Request-Id']).toBe('permintaan-1');
    const { type, timestamp, data } = JSON.parse(event?.body ?? '');
    expect({ type, timestamp }).toEqual({ type: 'booking.created', timestamp: '2026-11-23T00:00:00.000Z' });
    expect(Object.keys(data).filter((key) => /name|note|phone|mail/.test(key))).toEqual([]);
    expect(event?.body).not.toContain('Batuk');
  });

  it('sends only the types that were chosen', async () => {
    await world.request(path(), {
      method: 'PATCH',
      token: endpoint.token,
      body: { event_types: ['booking.canceled'] },
    });
    await bookAndCancel();
    await deliverWebhooks(world.deps);
    expect(receiver.received.map(({ type }) => type)).toEqual(['booking.canceled']);
  });

  it.each([
    ['answers 500', { status: 500 }],
    ['hangs', { failure: 'timeout' as const }],
    ['closes early', { failure: 'connection' as const }],
    ['redirects', { status: 302 }],
  ])(
    'reaches a receiver that %s for an hour, in order per booking, once it is back',
    async (_how, outcome) => {
      receiver.answer = () => outcome;
      const ids = [];
      for (let n = 0; n < 6; n++) {
        ids.push(await bookAndCancel());
        await pass(10 * minute, 5 * minute);
      }
      expect(receiver.received).toEqual([]);
      receiver.answer = () => ({ status: 200 });
      await pass(hour, 5 * minute);
      expect(inOrderPerBooking()).toEqual(new Map(ids.map((id) => [id, 2])));
    },
  );

  it('holds a booking’s next event back while the one before waits, and lets other bookings pass', async () => {
    const [stuck, free] = [await bookAndCancel(), await bookAndCancel()];
    receiver.answer = ({ body }) => ({ status: body.includes(stuck) ? 500 : 200 });
    await deliverWebhooks(world.deps);
    expect(receiver.received.map(({ bookingId }) => bookingId)).toEqual([free, free]);
    expect(new Set(receiver.attempts).size).toBe(3);
    receiver.answer = () => ({ status: 200 });
    await pass(minute, 10_000);
    expect(inOrderPerBooking()).toEqual(
      new Map([
        [free, 2],
        [stuck, 2],
      ]),
    );
  });

  it('gives up after a day what a living receiver refuses, says so, and goes on with the booking', async () => {
    const stuck = await bookAndCancel();
    receiver.answer = ({ body }) => ({
      status: body.includes(stuck) && body.includes('"booking.created"') ? 422 : 200,
    });
    for (let hours = 0; hours < 26; hours++) {
      await bookAndCancel();
      await pass(hour, 20 * minute);
    }
    const { data } = await deliveries('?status=given_up');
    expect(data).toMatchObject([{ booking_id: stuck, type: 'booking.created', response_status: 422 }]);
    expect(data[0].attempts).toBeGreaterThan(9);
    expect(receiver.received.filter(({ bookingId }) => bookingId === stuck)).toMatchObject([
      { type: 'booking.canceled' },
    ]);
    expect(await webhook()).toMatchObject({ status: 'active' });
  });

  it('keeps the pause that a receiver asks for by Retry-After', async () => {
    await bookAndCancel();
    receiver.answer = () => ({ status: 503, retryAfterMs: 20 * minute });
    await deliverWebhooks(world.deps);
    expect(receiver.attempts).toHaveLength(1);
    await pass(19 * minute, minute);
    expect(receiver.attempts).toHaveLength(1);
    receiver.answer = () => ({ status: 200 });
    await pass(2 * minute, minute);
    expect(inOrderPerBooking().size).toBe(1);
  });

  it('gives no attempt to two of ten runs at once', async () => {
    for (let n = 0; n < 8; n++) await bookAndCancel();
    await Promise.all(Array.from({ length: 10 }, () => deliverWebhooks(world.deps)));
    await deliverWebhooks(world.deps);
    expect(receiver.attempts).toHaveLength(16);
    expect(new Set(receiver.attempts).size).toBe(16);
    inOrderPerBooking();
  });

  it('takes over an attempt of a process that died, not before its lease has ended', async () => {
    await bookAndCancel();
    receiver.answer = () => Promise.reject(new Error('killed'));
    await expect(deliverWebhooks(world.deps)).rejects.toThrow('killed');
    receiver.answer = () => ({ status: 200 });
    await pass(50_000, 10_000);
    expect(receiver.received).toEqual([]);
    await pass(20_000, 10_000);
    expect(inOrderPerBooking().size).toBe(1);
  });
});

describe('an endpoint', () => {
  it('that lets nothing through for a day is paused, and loses nothing once it is resumed', async () => {
    receiver.answer = () => ({ status: 500 });
    const first = await bookAndCancel();
    await deliverWebhooks(world.deps);
    await pass(25 * hour, 30 * minute);
    expect(await webhook()).toMatchObject({ status: 'paused', paused_reason: 'failing' });
    const tried = receiver.attempts.length;
    const second = await bookAndCancel();
    await pass(2 * hour, 30 * minute);
    expect(receiver.attempts).toHaveLength(tried);
    receiver.answer = () => ({ status: 200 });
    const body = { status: 'active' };
    await world.request(path(), { method: 'PATCH', token: await adminToken(), body });
    await deliverWebhooks(world.deps);
    expect(inOrderPerBooking()).toEqual(
      new Map([
        [first, 2],
        [second, 2],
      ]),
    );
    expect(await webhook()).toMatchObject({ status: 'active', paused_reason: null, failing_since: null });
  });

  it('that is gone (410) is paused at once', async () => {
    receiver.answer = () => ({ status: 410 });
    await bookAndCancel();
    await deliverWebhooks(world.deps);
    expect(await webhook()).toMatchObject({ status: 'paused', paused_reason: 'gone' });
  });

  it('signs by the new secret and, for a day, by the one before', async () => {
    const rotated = await world.request(`${path()}/rotate-secret`, { method: 'POST', token: endpoint.token });
    const { secret } = rotated.body.data;
    expect(secret).not.toBe(endpoint.secret);
    await bookAndCancel();
    await deliverWebhooks(world.deps);
    const [event] = receiver.received;
    verifyMessage(secret, world.clock.now, event?.body ?? '', event?.headers ?? {});
    world.clock.now += 25 * hour;
    receiver.secret = secret;
    practice = await createPractice(world);
    await bookAndCancel();
    await deliverWebhooks(world.deps);
    const last = receiver.received.at(-1);
    expect(receiver.received).toHaveLength(4);
    expect(() =>
      verifyMessage(endpoint.secret, world.clock.now, last?.body ?? '', last?.headers ?? {}),
    ).toThrow('No matching signature');
  });

  it('sends one event again under its id, and those of a time range, also from before it was added', async () => {
    await bookAndCancel();
    await deliverWebhooks(world.deps);
    const page = await deliveries('?limit=1');
    expect(page.meta.next_cursor).not.toBeNull();
    const [delivery] = page.data;
    const sent = { method: 'POST', token: endpoint.token };
    const replay = await world.request(`${path()}/deliveries/${delivery.id}/replay`, sent);
    expect(replay.status).toBe(202);
    await deliverWebhooks(world.deps);
    expect(receiver.received.at(-1)?.id).toBe(delivery.event_id);

    const late = await createEndpoint(world);
    receiver.secret = late.secret;
    const range = { from: '2026-11-22T00:00:00Z', to: '2026-11-24T00:00:00Z' };
    const asked = await world.request(`/v1/admin/webhooks/${late.id}/replay`, {
      token: late.token,
      body: range,
    });
    expect(asked.body.data).toEqual({ events: 2, continue_after: null });
    await deliverWebhooks(world.deps);
    expect(receiver.received.slice(-2).map(({ type }) => type)).toEqual([
      'booking.created',
      'booking.canceled',
    ]);
  });

  it('is sent nothing more once it is removed', async () => {
    await bookAndCancel();
    const removed = await world.request(path(), { method: 'DELETE', token: endpoint.token });
    expect(removed.status).toBe(200);
    await deliverWebhooks(world.deps);
    expect(receiver.attempts).toEqual([]);
    expect((await world.request(path(), { token: endpoint.token })).status).toBe(404);
  });

  it('is the business of admins alone, and never shows its secret again', async () => {
    for (const role of ['patient', 'staff', 'doctor'] as const) {
      const { token } = await createPerson(world, role);
      expect((await world.request('/v1/admin/webhooks', { token })).status).toBe(403);
      expect((await world.request(`${path()}/rotate-secret`, { method: 'POST', token })).status).toBe(403);
    }
    const { data } = (await world.request('/v1/admin/webhooks', { token: endpoint.token })).body;
    expect(JSON.stringify([data, await webhook()])).not.toContain('whsec_');
  });
});
