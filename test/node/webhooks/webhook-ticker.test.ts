import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WebhookOutcome } from '../../../src/core/deps.ts';
import { webhookDeliveries, webhookEndpoints } from '../../../src/core/tables/webhooks.ts';
import { createRounds } from '../../../src/jobs/rounds.ts';
import { startWebhookTicker } from '../../../src/runtime/node/webhooks/webhook-ticker.ts';
import { bookingInput, createPractice } from '../../support/clinic.ts';
import { turnUntil, written } from '../../support/node/turns.ts';
import { createPerson } from '../../support/people.ts';
import { createEndpoint } from '../../support/receiver.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
let practice: Awaited<ReturnType<typeof createPractice>>;
let ticker: ReturnType<typeof startWebhookTicker>;

/** The messages to each receiver, by its host's first name, and its answer: 204 unless the test sets another. */
let attempts: Record<string, number>;
let received: Record<string, number>;
let answers: Record<string, () => Promise<WebhookOutcome>>;
let underWay = 0;
let maxUnderWay = 0;

const hangs = () => new Promise<WebhookOutcome>(() => {});
const fails = async () => ({ status: 500 });
const ofHost = (counts: Record<string, number>, host: string) => counts[host] ?? 0;

beforeEach(async () => {
  world = await createWorld();
  practice = await createPractice(world, { capacity: 20 });
  [attempts, received, answers, underWay, maxUnderWay] = [{}, {}, {}, 0, 0];
  world.deps.sendWebhook = async ({ url }, signal) => {
    const [host = ''] = new URL(url).hostname.split('.');
    attempts[host] = ofHost(attempts, host) + 1;
    underWay += 1;
    maxUnderWay = Math.max(maxUnderWay, underWay);
    signal.addEventListener('abort', () => {
      underWay -= 1;
    });
    const outcome = await (answers[host]?.() ?? { status: 204 });
    if ('status' in outcome && outcome.status < 300) received[host] = ofHost(received, host) + 1;
    return outcome;
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await ticker.stop();
});

const start = () => {
  ticker = startWebhookTicker(world.deps);
  world.deps.eventsWritten = () => ticker.kick();
};
const receivers = async (...hosts: string[]) => {
  for (const host of hosts) await createEndpoint(world, { url: `https://${host}.example/` });
};
const bookEach = async (times: number) => {
  for (let n = 0; n < times; n++) {
    const { token } = await createPerson(world);
    const body = bookingInput(practice, {
      schedule_date: '2026-12-01',
      schedule_time: n < 20 ? '09:00:00' : '10:00:00',
    });
    expect((await world.request('/v1/bookings', { token, body })).status).toBe(201);
  }
};
const book = (times = 1) => written(bookEach(times));
const pass = (ms: number): void => {
  world.clock.now += ms;
  vi.advanceTimersByTime(ms);
};
const soon = (what: string, holds: () => boolean | Promise<boolean>) => turnUntil(what, holds, pass);
const rows = () => world.db.select().from(webhookDeliveries);
const rowOf = async (host: string) => {
  const endpoints = await world.db.select().from(webhookEndpoints);
  const { id } = endpoints.find(({ url }) => url.includes(host)) ?? {};
  return {
    endpoint: endpoints.find((each) => each.id === id),
    rows: (await rows()).filter((row) => row.endpointId === id),
  };
};

it('sends what happened while it was sending at once after it, and so on', async () => {
  await receivers('one');
  start();
  for (let round = 1; round <= 3; round++) {
    let release = () => {};
    answers.one = () =>
      new Promise((resolve) => {
        release = () => resolve({ status: 204 });
      });
    await book();
    await soon(`attempt ${round}`, () => ofHost(attempts, 'one') === round);
    release();
  }
  delete answers.one;
  await book();
  await soon('the last receipt', () => ofHost(received, 'one') === 4);
});

it('sends at once what a delivery did not see any more before it ended', async () => {
  await receivers('one');
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHeld = false;
  let looks = 0;
  const { batch } = world.deps.db;
  world.deps.db.batch = new Proxy(batch, {
    apply: async (target, self, given) => {
      const results = await Reflect.apply(target, self, given);
      if (results.length === 1) looks += 1;
      // The delivery's query has found nothing more, but the result has not arrived yet.
      const isLast = received.one === 1 && Array.isArray(results[1]) && results[1].length === 0;
      if (!isHeld && isLast) {
        isHeld = true;
        await released;
      }
      return results;
    },
  });
  start();
  await book();
  await soon('the end of the delivery', () => isHeld);
  await book();
  looks = 0;
  await soon('a look that found the delivery busy', () => looks >= 2);
  await new Promise(setImmediate);
  release();
  await soon('the next event', () => ofHost(received, 'one') === 2);
});

it('comes back for what failed', async () => {
  await receivers('one');
  start();
  answers.one = fails;
  await book(2);
  await soon(
    'two attempts that fail',
    async () => (await rows()).filter((row) => row.lastStatus === 500).length === 2,
  );
  delete answers.one;
  pass(6_000);
  await soon('two receipts', () => ofHost(received, 'one') === 2);
});

it('a receiver that hangs delays no other, and is recorded as timed out', async () => {
  await receivers('one', 'two');
  start();
  answers.one = hangs;
  for (let times = 1; times <= 3; times++) {
    await book();
    await soon(`event ${times} at the other`, () => ofHost(received, 'two') === times);
  }
  expect(ofHost(attempts, 'one')).toBe(1);
  pass(10_000);
  await soon('the timeout', async () => (await rowOf('one')).rows.some((row) => row.lastError === 'timeout'));
});

it('any number of receivers that hang take a bounded number of attempts, and leave one to each other', async () => {
  const hanging = Array.from({ length: 12 }, (_, at) => `slow${at}`);
  await receivers(...hanging, 'well');
  for (const host of hanging) answers[host] = hangs;
  await book(22);
  start();
  await soon('all events at the other', () => ofHost(received, 'well') === 22);
  expect(hanging.every((host) => ofHost(attempts, host) > 0)).toBe(true);
  expect(maxUnderWay).toBeLessThanOrEqual(hanging.length + 1 + 28);
  expect(maxUnderWay).toBeGreaterThan(28);
});

it('stopped, waits for answers that come soon, writes them down, and claims nothing more', async () => {
  await receivers('one');
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  answers.one = () => released.then(() => ({ status: 204 }));
  await book(12);
  start();
  await soon('ten attempts', () => ofHost(attempts, 'one') === 10);
  const stopped = ticker.stop();
  release();
  await stopped;
  expect(Map.groupBy(await rows(), ({ state }) => state).get('delivered')).toHaveLength(10);
  expect([ofHost(attempts, 'one'), vi.getTimerCount()]).toEqual([10, 0]);
});

it('stopped, cuts an attempt that hangs: it is due again at once, and speaks against nobody', async () => {
  await receivers('one');
  answers.one = hangs;
  start();
  await book();
  await soon('an attempt', () => ofHost(attempts, 'one') === 1);
  let isStopped = false;
  const stopped = ticker.stop().then(() => {
    isStopped = true;
  });
  // Long before the attempt's own limit.
  for (let turns = 0; !isStopped && turns < 50; turns++) {
    await new Promise(setImmediate);
    vi.advanceTimersByTime(100);
  }
  await stopped;
  expect(underWay).toBe(0);
  const {
    endpoint,
    rows: [row],
  } = await rowOf('one');
  expect(row).toMatchObject({ state: 'pending', attempts: 1, leaseId: null, lastError: null });
  expect(endpoint).toMatchObject({ failures: 0, failingSince: null });
  delete answers.one;
  start();
  await soon('the receipt by the next process', () => ofHost(received, 'one') === 1);
});

it('a database that cannot answer costs a look, and no more', async () => {
  await receivers('one');
  const { batch } = world.deps.db;
  const errors: unknown[] = [];
  world.deps.log.error = (message) => void errors.push(message);
  start();
  await book();
  world.deps.db.batch = async () => {
    throw new Error('away');
  };
  await soon('a look that fails', () => errors.length > 0);
  world.deps.db.batch = batch;
  pass(5_000);
  await soon('the receipt', () => ofHost(received, 'one') === 1);
});

it('sleeps while nothing waits, until it is woken for what another process has written', async () => {
  await receivers('one');
  start();
  const batch = vi.spyOn(world.deps.db, 'batch');
  await soon('a look', () => batch.mock.calls.length > 0);
  batch.mockRestore();
  await soon('nothing to do', () => vi.getTimerCount() === 0);
  world.deps.eventsWritten = () => {};
  await book();
  await new Promise(setImmediate);
  pass(3_600_000);
  expect(ofHost(received, 'one')).toBe(0);
  world.deps.eventsWritten = () => ticker.kick();
  await createRounds(world.deps)();
  pass(50);
  await soon('the receipt', () => ofHost(received, 'one') === 1);
});
