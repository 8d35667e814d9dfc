import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { WebhookOutcome } from '../../src/core/deps.ts';
import { deliverWebhooks, workerLimits } from '../../src/modules/webhooks/delivery/deliver.ts';
import { attemptTimeoutMs } from '../../src/modules/webhooks/delivery/rules.ts';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { createPeople, createPerson } from '../support/people.ts';
import { createEndpoint } from '../support/receiver.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
let practice: Awaited<ReturnType<typeof createPractice>>;
beforeEach(async () => {
  world = await createWorld();
  practice = await createPractice(world, { capacity: 20 });
});

const receivers = async (...hosts: string[]) => {
  for (const host of hosts) await createEndpoint(world, { url: `https://${host}.example/` });
};
const book = async (count: number) => {
  for (const { token } of await createPeople(world, count)) {
    const body = bookingInput(practice, { schedule_date: '2026-12-01' });
    expect((await world.request('/v1/bookings', { token, body })).status).toBe(201);
  }
};

/** The log of the only endpoint. */
const deliveries = async () => {
  const { token } = await createPerson(world, 'admin');
  const { data } = (await world.request('/v1/admin/webhooks', { token })).body;
  return (await world.request(`/v1/admin/webhooks/${data[0].id}/deliveries`, { token })).body.data;
};

/** Receivers by their host's first name: how each answers, what came there, and how many were asked at once. */
const watch = (answer: (host: string) => WebhookOutcome | Promise<WebhookOutcome>) => {
  const seen = { came: {} as Record<string, number>, underWay: 0, max: 0, signals: [] as AbortSignal[] };
  world.deps.sendWebhook = async ({ url }, signal) => {
    const [host = ''] = new URL(url).hostname.split('.');
    seen.came[host] = (seen.came[host] ?? 0) + 1;
    seen.signals.push(signal);
    seen.max = Math.max(seen.max, ++seen.underWay);
    // Others have their turn meanwhile.
    await new Promise((resolve) => setTimeout(resolve));
    try {
      return await answer(host);
    } finally {
      seen.underWay -= 1;
    }
  };
  return seen;
};

describe('one run of deliveries', () => {
  it('sends everything to a well receiver before one that is slow has answered its first event', async () => {
    await receivers('slow', 'well');
    await book(12);
    let release = () => {};
    const slow = new Promise<WebhookOutcome>((resolve) => {
      release = () => resolve({ status: 204 });
    });
    const seen = watch((host) => {
      if (host === 'slow') return slow;
      // The run ends only if the well one gets all of its events while the other is silent.
      if (seen.came.well === 12) release();
      return { status: 204 };
    });
    await deliverWebhooks(world.deps);
    expect(seen.came).toEqual({ slow: 12, well: 12 });
  });

  it('gives up on a sender that never ends, and signals it to stop', async () => {
    await receivers('never');
    await book(1);
    const seen = watch(() => new Promise(() => {}));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const run = deliverWebhooks(world.deps);
      for (let turns = 0; seen.signals.length === 0; turns++) {
        if (turns > 100_000) throw new Error('Nothing was sent.');
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(seen.signals[0]?.aborted).toBe(false);
      vi.advanceTimersByTime(attemptTimeoutMs);
      await run;
    } finally {
      vi.useRealTimers();
    }
    expect(seen.signals[0]?.aborted).toBe(true);
    expect(await deliveries()).toMatchObject([{ status: 'pending', error: 'timeout', attempts: 1 }]);
  });
});

describe('a run within an invocation of a Worker', () => {
  it('has six attempts under way at most, however many receivers and events there are', async () => {
    const hosts = Array.from({ length: 8 }, (_, at) => `host${at}`);
    await receivers(...hosts);
    await book(3);
    const six = Promise.withResolvers<void>();
    let came = 0;
    // None of the first six is answered before all of them have come.
    const seen = watch(async () => {
      came += 1;
      if (came === 6) six.resolve();
      await six.promise;
      return { status: 204 };
    });
    for (let runs = 0; runs < 3; runs++) await deliverWebhooks(world.deps, workerLimits);
    expect(seen.max).toBe(6);
    expect(seen.came).toEqual(Object.fromEntries(hosts.map((host) => [host, 3])));
  });

  it('gives all six to a single receiver', async () => {
    await receivers('one');
    await book(12);
    const seen = watch(() => ({ status: 204 }));
    await deliverWebhooks(world.deps, workerLimits);
    expect([seen.max, seen.came]).toEqual([6, { one: 12 }]);
  });

  it('runs less than 250 statements, and goes on where it stopped', async () => {
    const hosts = Array.from({ length: 6 }, (_, at) => `host${at}`);
    await receivers(...hosts);
    await book(8);
    const seen = watch(() => ({ status: 204 }));
    const batch = vi.spyOn(world.deps.db, 'batch');
    await deliverWebhooks(world.deps, workerLimits);
    const sent = () => Object.values(seen.came).reduce((sum, count) => sum + count, 0);
    const statements = batch.mock.calls.reduce((sum, [given]) => sum + given.length, 0);
    batch.mockRestore();
    expect(statements).toBeLessThan(250);
    expect(sent()).toBeLessThan(48);
    for (let runs = 0; runs < 3; runs++) await deliverWebhooks(world.deps, workerLimits);
    expect(sent()).toBe(48);
  });

  it('claims nothing once its time is over', async () => {
    await receivers('slow');
    await book(20);
    const seen = watch(() => {
      world.clock.now += 4_000;
      return { status: 204 };
    });
    await deliverWebhooks(world.deps, { ...workerLimits, attemptsAtOnce: 1 });
    expect(seen.came).toEqual({ slow: 4 });
  });
});
