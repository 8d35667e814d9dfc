import { describe, expect, it } from 'vitest';
import { createSecretBox } from '../../src/core/crypto/sealing.ts';
import { webhookEndpoints } from '../../src/core/tables/webhooks.ts';
import { deliverWebhooks } from '../../src/modules/webhooks/delivery/deliver.ts';
import { resealSecrets } from '../../src/modules/webhooks/delivery/reseal.ts';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { createPerson } from '../support/people.ts';
import { createEndpoint, createReceiver } from '../support/receiver.ts';
import { createWorld, findKeys, secret } from '../support/world.ts';

const newer = 'a-newer-secret-that-is-used-by-tests-only-012345';

/** A world with one endpoint and one event that waits for it. */
const worldWithEvent = async () => {
  const world = await createWorld();
  const receiver = createReceiver(world);
  const endpoint = await createEndpoint(world);
  receiver.secret = endpoint.secret;
  const { token } = await createPerson(world);
  await world.request('/v1/bookings', { token, body: bookingInput(await createPractice(world)) });
  return { world, receiver, endpoint };
};

describe('a webhook’s secret at rest', () => {
  it('is not readable in the database, nor the same when sealed twice', async () => {
    const { world, endpoint } = await worldWithEvent();
    const [row] = await world.db.select().from(webhookEndpoints);
    expect(row?.secret).not.toContain(endpoint.secret.slice(6, 20));
    expect(await world.deps.secretBox.seal('x')).not.toBe(await world.deps.secretBox.seal('x'));
    const sealed = await world.deps.secretBox.seal('x');
    expect(
      await world.deps.secretBox.open(
        `${sealed.slice(0, -3)}${sealed.at(-3) === 'A' ? 'B' : 'A'}${sealed.slice(-2)}`,
      ),
    ).toBeNull();
  });

  it('outlives a rotation of JWT_SECRET, also once the previous one is gone', async () => {
    const { world, receiver } = await worldWithEvent();
    world.deps.secretBox = await createSecretBox(await findKeys(newer, secret));
    await resealSecrets(world.deps);
    world.deps.secretBox = await createSecretBox(await findKeys(newer));
    await deliverWebhooks(world.deps);
    expect(receiver.received).toHaveLength(1);
  });

  it('is the new one where it was rotated while it was sealed by another key', async () => {
    const { world, receiver, endpoint } = await worldWithEvent();
    world.deps.secretBox = await createSecretBox(await findKeys(newer, secret));
    const path = `/v1/admin/webhooks/${endpoint.id}/rotate-secret`;
    beforeRoundTrip(world, 2, async () => {
      const rotated = await world.request(path, { method: 'POST', token: endpoint.token });
      receiver.secret = rotated.body.data.secret;
    });
    await resealSecrets(world.deps);
    await deliverWebhooks(world.deps);
    expect(receiver.received).toHaveLength(1);
    expect(receiver.secret).not.toBe(endpoint.secret);
  });

  it('pauses the endpoint when it cannot be opened, and a new secret goes on without a loss', async () => {
    const { world, receiver, endpoint } = await worldWithEvent();
    world.deps.log = { ...world.deps.log, error: () => {} };
    world.deps.secretBox = await createSecretBox(await findKeys(newer));
    await deliverWebhooks(world.deps);
    const path = `/v1/admin/webhooks/${endpoint.id}`;
    const sent = { token: endpoint.token };
    expect((await world.request(path, sent)).body.data.paused_reason).toBe('secret_lost');
    const rotated = await world.request(`${path}/rotate-secret`, { ...sent, method: 'POST' });
    receiver.secret = rotated.body.data.secret;
    await world.request(path, { ...sent, method: 'PATCH', body: { status: 'active' } });
    await deliverWebhooks(world.deps);
    expect(receiver.received).toHaveLength(1);
  });
});
