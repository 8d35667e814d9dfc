import { describe, expect, it } from 'vitest';
import { deliverWebhooks } from '../../src/modules/webhooks/delivery/deliver.ts';
import { bookingInput } from '../support/clinic.ts';
import { createDelivering } from '../support/delivering.ts';
import { createPerson } from '../support/people.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('delivery of events', () => {
  it('sends each event once, in order, with ids, times and states and no word of a person', async () => {
    const { world, practice, receiver } = await createDelivering();
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
    const { world, receiver, endpoint, path, bookAndCancel } = await createDelivering();
    await world.request(path, {
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
      const { receiver, bookAndCancel, pass, inOrderPerBooking } = await createDelivering();
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
    const { world, receiver, bookAndCancel, pass, inOrderPerBooking } = await createDelivering();
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
    const { receiver, bookAndCancel, pass, webhook, deliveries } = await createDelivering();
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
    const { world, receiver, bookAndCancel, pass, inOrderPerBooking } = await createDelivering();
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
    const { world, receiver, bookAndCancel, inOrderPerBooking } = await createDelivering();
    for (let n = 0; n < 8; n++) await bookAndCancel();
    await Promise.all(Array.from({ length: 10 }, () => deliverWebhooks(world.deps)));
    await deliverWebhooks(world.deps);
    expect(receiver.attempts).toHaveLength(16);
    expect(new Set(receiver.attempts).size).toBe(16);
    inOrderPerBooking();
  });

  it('takes over an attempt of a process that died, not before its lease has ended', async () => {
    const { world, receiver, bookAndCancel, pass, inOrderPerBooking } = await createDelivering();
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
