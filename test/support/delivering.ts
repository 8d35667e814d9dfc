import { expect } from 'vitest';
import { deliverWebhooks } from '../../src/modules/webhooks/delivery/deliver.ts';
import { bookingInput } from './clinic.ts';
import { createPerson } from './people.ts';
import { createReceiving } from './receiver.ts';
import { createWorld } from './world.ts';

/** A clinic with a receiver, its events, and the endpoint as an admin sees it. */
export const createDelivering = async () => {
  const world = await createWorld();
  const { practice, receiver, endpoint } = await createReceiving(world);
  const path = `/v1/admin/webhooks/${endpoint.id}`;

  /** Books and cancels: two events of one booking. */
  const bookAndCancel = async (at = practice) => {
    const { token } = await createPerson(world);
    const booked = await world.request('/v1/bookings', {
      token,
      body: bookingInput(at, { schedule_date: '2026-12-01' }),
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
    (await world.request(path, { token: await adminToken() })).body.data as Record<string, unknown>;
  const deliveries = async (query = '') =>
    (await world.request(`${path}/deliveries${query}`, { token: await adminToken() })).body;

  return {
    world,
    practice,
    receiver,
    endpoint,
    path,
    bookAndCancel,
    pass,
    inOrderPerBooking,
    adminToken,
    webhook,
    deliveries,
  };
};
