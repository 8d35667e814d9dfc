import { describe, expect, it } from 'vitest';
import { mailOutbox } from '../../src/auth/mail/tables.ts';
import { deviceLogins, passwordResets, refreshTokens, securityEvents } from '../../src/auth/tables.ts';
import { knownNetworks, throttles } from '../../src/auth/throttle/tables.ts';
import { deliverWebhooks } from '../../src/booking/events/deliver.ts';
import { webhookDeliveries } from '../../src/booking/events/tables.ts';
import { replays } from '../../src/idempotency/tables.ts';
import { rowsASweep, sweepExpired } from '../../src/retention.ts';
import { createPractice, wish } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createEndpoint, createReceiver } from '../support/receiver.ts';
import { createWorld } from '../support/world.ts';

const day = 86_400_000;

it('sweeps replays that have expired, a bounded number at once, and leaves those that have not', async () => {
  const world = await createWorld();
  const { now } = world.clock;
  const rowOf = (at: number, expiresAt: number) => ({
    userId: 'u',
    key: `k${at}`,
    fingerprint: '',
    status: 201,
    body: '{}',
    createdAt: 0,
    expiresAt,
  });
  const dead = Array.from({ length: rowsASweep + 100 }, (_, at) => rowOf(at, now));
  const live = [rowOf(-1, now + 1), rowOf(-2, now + day)];
  for (let at = 0; at < dead.length; at += 10) await world.db.insert(replays).values(dead.slice(at, at + 10));
  await world.db.insert(replays).values(live);
  await sweepExpired(world.deps, now);
  expect(await world.db.$count(replays)).toBe(102);
  await sweepExpired(world.deps, now);
  expect((await world.db.select().from(replays)).map(({ key }) => key).sort()).toEqual(['k-1', 'k-2']);
});

it('sweeps tokens a day and logins a month after they ended, never a login before its tokens', async () => {
  const world = await createWorld();
  await createPerson(world);
  const tables = async () => [await world.db.$count(refreshTokens), await world.db.$count(deviceLogins)];
  const expiry = world.clock.now + 30 * day;
  await sweepExpired(world.deps, expiry + day - 1);
  expect(await tables()).toEqual([1, 1]);
  await sweepExpired(world.deps, expiry + day);
  expect(await tables()).toEqual([0, 1]);
  await sweepExpired(world.deps, expiry + 30 * day - 1);
  expect(await tables()).toEqual([0, 1]);
  await sweepExpired(world.deps, expiry + 30 * day);
  expect(await tables()).toEqual([0, 0]);
});

it('keeps a login, however old, while a token of it is kept', async () => {
  const world = await createWorld();
  await createPerson(world);
  const expiry = world.clock.now + 30 * day;
  await world.db.update(refreshTokens).set({ expiresAt: expiry + 300 * day });
  await sweepExpired(world.deps, expiry + 100 * day);
  expect(await world.db.$count(deviceLogins)).toBe(1);
});

const at = 1_700_000_000_000;
const mail = {
  id: 'm',
  kind: 'password_reset',
  language: 'id',
  attempts: 0,
  dueAt: 0,
  createdAt: 0,
} as const;

describe('what is done with is kept', () => {
  it.each([
    ['counters of attempts', 0, throttles, { key: 'k', emptyAt: 0, blockedUntil: 0, expiresAt: at }],
    ['known networks', 0, knownNetworks, { account: 'a', network: 'n', expiresAt: at }],
    ['password resets', 1, passwordResets, { hash: 'h', createdAt: 0, expiresAt: at }],
    ['mail', 30, mailOutbox, { ...mail, expiresAt: at }],
    ['security events', 730, securityEvents, { writeId: 'w', type: 'login', occurredAt: at }],
  ] as const)('%s for %d days', async (_what, days, table, row) => {
    const world = await createWorld();
    const { id: userId } = await createPerson(world);
    await world.db.insert(table).values({ userId, ...row });
    await sweepExpired(world.deps, at + days * day - 1);
    expect(await world.db.$count(table)).toBe(1);
    await sweepExpired(world.deps, at + days * day);
    expect(await world.db.$count(table)).toBe(0);
  });
});

it('keeps a delivery in the log for 30 days and one that waits for ever', async () => {
  const world = await createWorld();
  const receiver = createReceiver(world);
  receiver.secret = (await createEndpoint(world)).secret;
  const practice = await createPractice(world);
  const { token } = await createPerson(world);
  await world.request('/v1/bookings', { token, body: wish(practice) });
  await deliverWebhooks(world.deps);
  receiver.answer = () => ({ status: 500 });
  const other = await createPerson(world);
  const body = wish(practice, { schedule_time: '10:00:00' });
  await world.request('/v1/bookings', { token: other.token, body });
  await deliverWebhooks(world.deps);
  await sweepExpired(world.deps, world.clock.now + 30 * day - 1);
  expect(await world.db.$count(webhookDeliveries)).toBe(2);
  await sweepExpired(world.deps, world.clock.now + 30 * day);
  expect((await world.db.select().from(webhookDeliveries)).map(({ state }) => state)).toEqual(['pending']);
});
