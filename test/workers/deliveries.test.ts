import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createEndpoint } from '../support/receiver.ts';
import { freshWorker } from '../support/worker-isolate.ts';
import { createWorld, secret, secretsOf, type World } from '../support/world.ts';

const bindings = {
  DB: env.DB,
  JWT_SECRET: secret,
  DATA_KEY: secretsOf(secret).dataKey,
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'silent',
};

let world: World;
let worker: Awaited<ReturnType<typeof freshWorker>>;
let practice: Awaited<ReturnType<typeof createPractice>>;
/** The types of the events that left by fetch. */
let sent: string[];

beforeEach(async () => {
  // The Worker's own clock is the real one.
  world = await createWorld({}, Date.now());
  practice = await createPractice(world, { capacity: 20 });
  await createEndpoint(world);
  worker = await freshWorker();
  sent = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    sent.push(JSON.parse(String(init?.body)).type);
    return new Response(null, { status: 204 });
  });
  return () => void vi.restoreAllMocks();
});

const dayAfterTomorrow = () => new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
const booking = () => bookingInput(practice, { schedule_date: dayAfterTomorrow() });

const until = (countOf: () => number, count: number) =>
  expect.poll(countOf, { timeout: 20_000, interval: 1 }).toBeGreaterThanOrEqual(count);
const all = (count: number) => until(() => sent.length, count);

describe('a Worker', () => {
  it('sends an event after the answer that made it', async () => {
    const { token } = await createPerson(world);
    const answer = await worker.fetch(
      new Request('http://localhost/v1/bookings', {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(booking()),
      }),
      bindings,
    );
    expect(answer.status).toBe(201);
    await answer.text();
    await all(1);
    expect(sent).toEqual(['booking.created']);
  });

  it('sends by the minute what was missed, while the jobs end without it', async () => {
    const { token } = await createPerson(world);
    expect((await world.request('/v1/bookings', { token, body: booking() })).status).toBe(201);
    let release = () => {};
    vi.mocked(fetch).mockImplementation(async (_url, init) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      sent.push(JSON.parse(String(init?.body)).type);
      return new Response(null, { status: 204 });
    });
    await worker.scheduled(null, bindings);
    expect(sent).toEqual([]);
    await until(() => vi.mocked(fetch).mock.calls.length, 1);
    release();
    await all(1);
  });
});
