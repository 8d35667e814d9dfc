import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { bookingEvents, webhookDeliveries, webhookEndpoints } from '../../src/core/tables/webhooks.ts';
import { deliverWebhooks } from '../../src/modules/webhooks/delivery/deliver.ts';
import { maxReplayed } from '../../src/modules/webhooks/queries.ts';
import { bookingInput } from '../support/clinic.ts';
import { copyRow, otherId } from '../support/copies.ts';
import { createPerson } from '../support/people.ts';
import { createReceiving } from '../support/receiver.ts';
import { createWorld, type World } from '../support/world.ts';

const hour = 3_600_000;

let world: World;
type Receiving = Awaited<ReturnType<typeof createReceiving>>;
let practice: Receiving['practice'];
let receiver: Receiving['receiver'];
let endpoint: Receiving['endpoint'];
let written = 0;

beforeEach(async () => {
  world = await createWorld();
  ({ practice, receiver, endpoint } = await createReceiving(world));
  written = 0;
  world.deps.eventsWritten = () => {
    written += 1;
  };
});

const deliver = () => deliverWebhooks(world.deps);
/** Tokens end after a day, and some of these tests take longer. */
const ask = async (path = '', sent: object = {}) => {
  const { token } = await createPerson(world, 'admin');
  return world.request(`/v1/admin/webhooks/${endpoint.id}${path}`, { token, ...sent });
};
const change = (body: object) => ask('', { method: 'PATCH', body });
const deliveries = async (query = '') => (await ask(`/deliveries${query}`)).body;
const book = async () => {
  const { token } = await createPerson(world);
  const body = bookingInput(practice, { schedule_date: '2026-12-20' });
  expect((await world.request('/v1/bookings', { token, body })).status).toBe(201);
};
const wholeDay = { from: '2026-11-23T00:00:00Z', to: '2026-11-24T00:00:00Z' };
const replayRange = async (fields: object = {}) =>
  (await ask('/replay', { body: { ...wholeDay, ...fields } })).body.data;

describe('events of a time range that are sent again', () => {
  it('are those that the endpoint was already given, not those that come to it anyway', async () => {
    await book();
    expect(await replayRange()).toEqual({ events: 0, continue_after: null });
    await deliver();
    expect(receiver.received).toHaveLength(1);
    expect(await replayRange()).toEqual({ events: 1, continue_after: null });
    await deliver();
    expect(receiver.received).toHaveLength(2);
  });

  it('come in parts of a thousand, and the answer says where to go on', async () => {
    await book();
    await copyRow(world, bookingEvents, maxReplayed, {
      sequence: sql`null`,
      writeId: otherId('write_id'),
      version: sql`b.version + i`,
    });
    await world.db.update(webhookEndpoints).set({ lastSequence: maxReplayed + 1 });
    expect(maxReplayed).toBe(1_000);
    expect(await replayRange()).toEqual({ events: 1_000, continue_after: 1_000 });
    expect(await replayRange({ after: 1_000 })).toEqual({ events: 1, continue_after: null });
    expect(await world.db.$count(webhookDeliveries)).toBe(1_001);
  });
});

describe('a range of events to send again', () => {
  it('is given in UTC or with an offset, as RFC 3339 has it', async () => {
    await book();
    await deliver();
    const at = Date.parse('2026-11-23T00:00:00Z');
    expect(world.clock.now).toBe(at);
    for (const [from, to] of [
      ['2026-11-23T00:00:00Z', '2026-11-23T00:00:01Z'],
      ['2026-11-23T07:00:00+07:00', '2026-11-23T07:00:01+07:00'],
      ['2026-11-22T23:59:59.999999+00:00', '2026-11-22t19:00:01.5-05:00'],
    ])
      expect(await replayRange({ from, to })).toEqual({ events: 1, continue_after: null });
    const later = { from: '2026-11-23T00:00:00+06:00', to: '2026-11-23T00:00:00+00:00' };
    expect(await replayRange(later)).toMatchObject({ events: 0 });
  });

  it('ends after it begins: 422 for one that does not, and for a time without a zone', async () => {
    const refused = async (from: string, to: string) => {
      const { status, body } = await ask('/replay', { body: { from, to } });
      return [status, body.code, body.errors];
    };
    const order = { to: ['Harus setelah waktu awal.'] };
    const [early, late] = ['2026-11-23T00:00:00Z', '2026-11-23T09:00:00+07:00'];
    expect(await refused(late, early)).toEqual([422, 'validation_failed', order]);
    expect(await refused(early, early)).toEqual([422, 'validation_failed', order]);
    expect(await refused('2026-11-23T00:00:00', late)).toMatchObject([
      422,
      'validation_failed',
      { from: [expect.any(String)] },
    ]);
  });
});

describe('what is asked of an endpoint', () => {
  it('is done at once, not with the next minute: a replay of one, of a range, and a resumption', async () => {
    await book();
    await deliver();
    const [{ id }] = (await deliveries()).data;
    written = 0;
    await ask(`/deliveries/${id}/replay`, { method: 'POST' });
    expect(written).toBe(1);
    await replayRange();
    expect(written).toBe(2);
    await change({ status: 'paused' });
    expect(written).toBe(2);
    await change({ status: 'active' });
    expect(written).toBe(3);
  });
});

describe('an endpoint that is left in peace after failures', () => {
  it.each(['an event', 'a range'])(
    'is asked at once where %s is sent again, and sent all that waits once it answers',
    async (what) => {
      await book();
      await book();
      receiver.answer = () => ({ status: 500 });
      for (let nth = 0; nth < 3; nth++) {
        await deliver();
        world.clock.now += 6_000;
      }
      receiver.answer = () => ({ status: 204 });
      await deliver();
      expect(receiver.received).toHaveLength(0);
      const [{ id }] = (await deliveries()).data;
      if (what === 'an event') await ask(`/deliveries/${id}/replay`, { method: 'POST' });
      else await replayRange();
      await deliver();
      expect(receiver.received).toHaveLength(2);
    },
  );
});

describe('a whole day of attempts is before', () => {
  const failFor = async (hours: number) => {
    for (let passed = 0; passed < hours * 4; passed++) {
      await deliver();
      world.clock.now += hour / 4;
    }
  };

  it('an event that was given up and is sent again', async () => {
    await book();
    receiver.answer = () => ({ status: 422 });
    await failFor(1);
    await world.db.update(webhookDeliveries).set({ state: 'given_up', firstAttemptAt: 1, settledAt: 1 });
    const [{ id }] = (await deliveries('?status=given_up')).data;
    await ask(`/deliveries/${id}/replay`, { method: 'POST' });
    await deliver();
    expect((await deliveries()).data).toMatchObject([{ id, status: 'pending' }]);
  });

  it('an event that waits at an endpoint that is resumed', async () => {
    await book();
    receiver.answer = () => ({ status: 500 });
    await failFor(20);
    await change({ status: 'paused' });
    world.clock.now += 5 * hour;
    await change({ status: 'active' });
    await deliver();
    expect((await deliveries()).data).toMatchObject([{ status: 'pending' }]);
  });
});

describe('the list of deliveries', () => {
  it('shows each once, the newest first, page by page', async () => {
    for (let nth = 0; nth < 5; nth++) await book();
    await deliver();
    const whole = (await deliveries()).data.map(({ id }: { id: string }) => id);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { data, meta } = await deliveries(`?limit=2${cursor}`);
      seen.push(...data.map(({ id }: { id: string }) => id));
      cursor = meta.next_cursor === null ? '' : `&cursor=${meta.next_cursor}`;
    } while (cursor !== '' && seen.length < 20);
    expect(seen).toEqual(whole);
    expect(new Set(seen).size).toBe(5);
  });
});
