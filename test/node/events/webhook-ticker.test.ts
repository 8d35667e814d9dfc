import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startWebhookTicker } from '../../../src/node/webhook-ticker.ts';
import { createPractice, wish } from '../../support/clinic.ts';
import { createPerson } from '../../support/people.ts';
import { createEndpoint, createReceiver } from '../../support/receiver.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
let receiver: ReturnType<typeof createReceiver>;
let practice: Awaited<ReturnType<typeof createPractice>>;
let ticker: ReturnType<typeof startWebhookTicker>;

beforeEach(async () => {
  world = await createWorld();
  practice = await createPractice(world, { capacity: 20 });
  receiver = createReceiver(world);
  receiver.secret = (await createEndpoint(world)).secret;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  ticker = startWebhookTicker(world.deps);
  world.deps.eventsWritten = () => ticker.kick();
});
afterEach(() => void vi.useRealTimers());

const book = async () => {
  const { token } = await createPerson(world);
  const body = wish(practice, { schedule_date: '2026-12-01' });
  expect((await world.request('/v1/bookings', { token, body })).status).toBe(201);
};

/** Lets the event loop turn, without any time passing for the ticker. */
const until = async (what: string, holds: () => boolean): Promise<void> => {
  for (let turns = 0; !holds(); turns++) {
    if (turns > 20_000) throw new Error(`It never came to this: ${what}`);
    await new Promise(setImmediate);
  }
};
const pass = async (ms: number): Promise<void> => {
  await until('a next round is planned', () => vi.getTimerCount() > 0);
  world.clock.now += ms;
  vi.advanceTimersByTime(ms);
};
const attempted = (count: number) => until(`attempt ${count}`, () => receiver.attempts.length === count);

it('sends what happened while it was sending at once after it, and so on', async () => {
  for (let round = 1; round <= 3; round++) {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    receiver.answer = () => held.then(() => ({ status: 204 }));
    if (round === 1) await book();
    await pass(50);
    await attempted(round);
    await book();
    release();
  }
  await pass(50);
  await attempted(4);
  await ticker.stop();
  expect(receiver.received).toHaveLength(4);
});

it('makes one round of any number of changes, and comes back for what failed', async () => {
  await book();
  await book();
  expect(vi.getTimerCount()).toBe(1);
  receiver.answer = () => ({ status: 500 });
  await pass(50);
  await attempted(2);
  receiver.answer = () => ({ status: 204 });
  await pass(6_000);
  await attempted(4);
  await ticker.stop();
});

it('stopped, ends the round that runs and begins no other', async () => {
  let release = () => {};
  receiver.answer = () =>
    new Promise((resolve) => {
      release = () => resolve({ status: 204 });
    });
  await book();
  await pass(50);
  await attempted(1);
  await book();
  const stopped = ticker.stop();
  release();
  await stopped;
  expect(receiver.received).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});
