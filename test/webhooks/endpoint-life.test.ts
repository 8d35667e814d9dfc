import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { webhookDeliveries } from '../../src/core/tables/webhooks.ts';
import { deliverWebhooks } from '../../src/modules/webhooks/delivery/deliver.ts';
import { createPractice } from '../support/clinic.ts';
import { createDelivering } from '../support/delivering.ts';
import { createPerson } from '../support/people.ts';
import { createEndpoint, verifyMessage } from '../support/receiver.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('an endpoint', () => {
  it('that lets nothing through for a day is paused, and loses nothing once it is resumed', async () => {
    const { world, receiver, path, bookAndCancel, pass, inOrderPerBooking, adminToken, webhook } =
      await createDelivering();
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
    await world.request(path, { method: 'PATCH', token: await adminToken(), body });
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
    const { world, receiver, bookAndCancel, webhook } = await createDelivering();
    receiver.answer = () => ({ status: 410 });
    await bookAndCancel();
    await deliverWebhooks(world.deps);
    expect(await webhook()).toMatchObject({ status: 'paused', paused_reason: 'gone' });
  });

  it('signs by the new secret and, for a day, by the one before', async () => {
    const { world, receiver, endpoint, path, bookAndCancel } = await createDelivering();
    const rotated = await world.request(`${path}/rotate-secret`, { method: 'POST', token: endpoint.token });
    const { secret } = rotated.body.data;
    expect(secret).not.toBe(endpoint.secret);
    await bookAndCancel();
    await deliverWebhooks(world.deps);
    const [event] = receiver.received;
    verifyMessage(secret, world.clock.now, event?.body ?? '', event?.headers ?? {});
    world.clock.now += 25 * hour;
    receiver.secret = secret;
    await bookAndCancel(await createPractice(world));
    await deliverWebhooks(world.deps);
    const last = receiver.received.at(-1);
    expect(receiver.received).toHaveLength(4);
    expect(() =>
      verifyMessage(endpoint.secret, world.clock.now, last?.body ?? '', last?.headers ?? {}),
    ).toThrow('No matching signature');
  });

  it('sends one event again under its id, and those of a time range, also from before it was added', async () => {
    const { world, receiver, endpoint, path, bookAndCancel, deliveries } = await createDelivering();
    await bookAndCancel();
    await deliverWebhooks(world.deps);
    const page = await deliveries('?limit=1');
    expect(page.meta.next_cursor).not.toBeNull();
    const [delivery] = page.data;
    const sent = { method: 'POST', token: endpoint.token };
    const replay = await world.request(`${path}/deliveries/${delivery.id}/replay`, sent);
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

  it('leaves nothing that waits once it is removed, only what was settled', async () => {
    const { world, receiver, endpoint, path, bookAndCancel } = await createDelivering();
    await bookAndCancel();
    await deliverWebhooks(world.deps);
    receiver.answer = () => ({ status: 500 });
    const other = await createEndpoint(world);
    await bookAndCancel();
    await deliverWebhooks(world.deps);
    const statesOf = async ({ id }: { id: string }) => {
      const rows = await world.db
        .select()
        .from(webhookDeliveries)
        .where(eq(webhookDeliveries.endpointId, id));
      return [...new Set(rows.map(({ state }) => state))].sort();
    };
    expect(await statesOf(endpoint)).toEqual(['delivered', 'pending']);
    await world.request(path, { method: 'DELETE', token: endpoint.token });
    expect([await statesOf(endpoint), await statesOf(other)]).toEqual([['delivered'], ['pending']]);
  });

  it('is sent nothing more once it is removed', async () => {
    const { world, receiver, endpoint, path, bookAndCancel } = await createDelivering();
    await bookAndCancel();
    const removed = await world.request(path, { method: 'DELETE', token: endpoint.token });
    expect(removed.status).toBe(200);
    await deliverWebhooks(world.deps);
    expect(receiver.attempts).toEqual([]);
    expect((await world.request(path, { token: endpoint.token })).status).toBe(404);
  });

  it('can be managed only by admins, and never shows its secret again', async () => {
    const { world, endpoint, path, webhook } = await createDelivering();
    for (const role of ['patient', 'staff', 'doctor'] as const) {
      const { token } = await createPerson(world, role);
      expect((await world.request('/v1/admin/webhooks', { token })).status).toBe(403);
      expect((await world.request(`${path}/rotate-secret`, { method: 'POST', token })).status).toBe(403);
    }
    const { data } = (await world.request('/v1/admin/webhooks', { token: endpoint.token })).body;
    expect(JSON.stringify([data, await webhook()])).not.toContain('whsec_');
  });
});
