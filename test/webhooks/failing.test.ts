import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { bookingEvents, webhookDeliveries, webhookEndpoints } from '../../src/core/tables/webhooks.ts';
import { deliverWebhooks } from '../../src/modules/webhooks/delivery/deliver.ts';
import { bookingInput } from '../support/clinic.ts';
import { copyRow, otherId } from '../support/copies.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { createPeople } from '../support/people.ts';
import { createReceiving } from '../support/receiver.ts';
import { createWorld, type World } from '../support/world.ts';

const second = 1_000;
const minute = 60 * second;

let world: World;
type Receiving = Awaited<ReturnType<typeof createReceiving>>;
let practice: Receiving['practice'];
let receiver: Receiving['receiver'];
let endpoint: Receiving['endpoint'];

beforeEach(async () => {
  world = await createWorld();
  ({ practice, receiver, endpoint } = await createReceiving(world));
});

const deliver = () => deliverWebhooks(world.deps);
const change = (body: object) =>
  world.request(`/v1/admin/webhooks/${endpoint.id}`, { method: 'PATCH', token: endpoint.token, body });
const endpointRow = async () => (await world.db.select().from(webhookEndpoints))[0];

/** As many bookings of one person each: events that do not wait for each other. */
const bookSome = async (count: number, hour = '09') => {
  const ids: string[] = [];
  for (const [at, { token }] of (await createPeople(world, count)).entries()) {
    const schedule_time = at < 20 ? `${hour}:00:00` : '10:00:00';
    const body = bookingInput(practice, { schedule_date: '2026-12-01', schedule_time });
    ids.push((await world.request('/v1/bookings', { token, body })).body.data.id);
  }
  return ids;
};

/** The bookings whose events are tried in a run, each answered with `status`. */
const triedIn = async (status: number) => {
  const tried: string[] = [];
  receiver.answer = ({ body }) => {
    tried.push(JSON.parse(body).data.booking_id);
    return { status };
  };
  await deliver();
  return tried;
};

/** An endpoint with 25 events that has failed three times, and how it was asked each time. */
const failedThrice = async () => {
  const ids = await bookSome(25);
  const rounds = [await triedIn(500)];
  for (const hold of [5, 15]) {
    world.clock.now += hold * second;
    rounds.push(await triedIn(500));
  }
  return { ids, rounds };
};

describe('an endpoint that answers nothing', () => {
  it('is asked with ten events once, and then with one at a time: the one that waits longest', async () => {
    const { ids, rounds } = await failedThrice();
    // The ten are of ten bookings, and on their way at once.
    const [first, ...later] = rounds;
    expect(new Set(first)).toEqual(new Set(ids.slice(0, 10)));
    expect(later).toEqual([[ids[10]], [ids[11]]]);
  });

  it('is left in peace for longer with each hold, to the millisecond, though events are due', async () => {
    await failedThrice();
    world.clock.now += 30 * second - 1;
    expect(await triedIn(500)).toEqual([]);
    world.clock.now += 1;
    expect(await triedIn(500)).toHaveLength(1);
  });

  it('is left in peace by a process that found it due before it was', async () => {
    await bookSome(25);
    await triedIn(500);
    world.clock.now += 5 * second;
    // One run reads the due deliveries; before it claims an event, another run fails.
    beforeRoundTrip(world, 3, deliver);
    expect(await triedIn(500)).toHaveLength(1);
    expect((await endpointRow())?.failures).toBe(2);
  });

  it('that failed for four seconds, in however many rounds, has all that waits a second later', async () => {
    const ids = await bookSome(12);
    await triedIn(500);
    for (let at = 0; at < 4; at++) {
      world.clock.now += second;
      expect(await triedIn(500)).toEqual([]);
    }
    world.clock.now += second;
    expect(new Set(await triedIn(200))).toEqual(new Set(ids));
  });

  it('has deliveries that say when they are tried, which is never before the hold ends', async () => {
    await bookSome(12);
    await triedIn(500);
    const nextAttempts = async () => {
      const path = `/v1/admin/webhooks/${endpoint.id}/deliveries`;
      const { body } = await world.request(path, { token: endpoint.token });
      return body.data.map((each: { next_attempt_at: string }) => Date.parse(each.next_attempt_at));
    };
    const end = world.clock.now + 5 * second;
    for (const at of await nextAttempts()) expect(at).toBeGreaterThanOrEqual(end);
    world.clock.now += minute;
    for (const at of await nextAttempts()) expect(at).toBe(world.clock.now);
  });

  it('that answers again is sent all that waits in the same run, and counts as well', async () => {
    const { ids } = await failedThrice();
    world.clock.now += 30 * second;
    expect(new Set(await triedIn(200))).toEqual(new Set(ids));
    expect(receiver.received).toHaveLength(25);
    expect(await endpointRow()).toMatchObject({ failures: 0, failingSince: null, holdUntil: null });
    // So the next failure is the first one again.
    await bookSome(3, '11');
    expect(await triedIn(500)).toHaveLength(3);
    expect(await endpointRow()).toMatchObject({ failures: 1, holdUntil: world.clock.now + 5 * second });
  });
});

describe('events that nobody was sent for long', () => {
  it('are all made ready in one run, however many', async () => {
    await bookSome(1);
    await copyRow(world, bookingEvents, 1_100, {
      sequence: sql`null`,
      writeId: otherId('write_id'),
      version: sql`b.version + i`,
    });
    await triedIn(500);
    expect(await world.db.$count(webhookDeliveries)).toBe(1_101);
  });
});

describe('an endpoint that answers some events', () => {
  it('does not count as failing, and what it refused waits for its turn', async () => {
    const [refused] = await bookSome(4);
    receiver.answer = ({ body }) => ({ status: body.includes(refused ?? '') ? 422 : 200 });
    await deliver();
    expect(receiver.attempts).toHaveLength(4);
    expect(await endpointRow()).toMatchObject({ failures: 0, failingSince: null });
    world.clock.now += 4 * second;
    await deliver();
    expect(receiver.attempts).toHaveLength(4);
    world.clock.now += 2 * second;
    await deliver();
    expect(receiver.attempts).toHaveLength(5);
  });
});

describe('an attempt of a process that died', () => {
  it('is made again when its lease ends, to the millisecond', async () => {
    await bookSome(1);
    receiver.answer = () => Promise.reject(new Error('killed'));
    await expect(deliver()).rejects.toThrow('killed');
    world.clock.now += minute - 1;
    expect(await triedIn(200)).toEqual([]);
    world.clock.now += 1;
    expect(await triedIn(200)).toHaveLength(1);
  });
});

describe('between the reading of what is due and the attempt', () => {
  it.each([
    ['paused', () => change({ status: 'paused' })],
    [
      'removed',
      () => world.request(`/v1/admin/webhooks/${endpoint.id}`, { method: 'DELETE', token: endpoint.token }),
    ],
  ] as const)('an endpoint that is %s is sent nothing more', async (_how, stop) => {
    await bookSome(2);
    await triedIn(500);
    world.clock.now += 6 * second;
    beforeRoundTrip(world, 3, stop);
    expect(await triedIn(200)).toEqual([]);
  });
});

describe('an endpoint that was removed while events waited', () => {
  it('is not even looked at', async () => {
    await bookSome(2);
    await triedIn(500);
    await world.request(`/v1/admin/webhooks/${endpoint.id}`, { method: 'DELETE', token: endpoint.token });
    world.clock.now += 6 * second;
    const logged: string[] = [];
    world.deps.log.error = (message) => void logged.push(message);
    expect(await triedIn(200)).toEqual([]);
    expect(logged).toEqual([]);
    expect(await endpointRow()).toMatchObject({ pausedAt: null });
    expect(await deliver()).toEqual({ pending: false });
  });
});
