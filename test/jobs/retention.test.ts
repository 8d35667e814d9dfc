import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { maxSteps, rowsAStep, sweepExpired, sweepMs } from '../../src/jobs/retention.ts';
import { sweeps } from '../../src/jobs/retention-queries.ts';
import { deviceLogins, passwordResets, refreshTokens } from '../../src/tables/accounts.ts';
import { replays } from '../../src/tables/idempotency.ts';
import { mailOutbox } from '../../src/tables/mail.ts';
import { doctorNotices } from '../../src/tables/queues.ts';
import { knownNetworks, throttles } from '../../src/tables/throttle.ts';
import { webhookDeliveries } from '../../src/tables/webhooks.ts';
import { deliverWebhooks } from '../../src/webhooks/delivery/deliver.ts';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createEndpoint, createReceiver } from '../support/receiver.ts';
import { createWorld, type World } from '../support/world.ts';

const day = 86_400_000;

const replayOf = (at: number, expiresAt: number) => ({
  userId: 'u',
  key: `k${at}`,
  fingerprint: '',
  status: 201,
  body: '{}',
  createdAt: 0,
  expiresAt,
});
/** As many replays that have expired; made by the database, since D1 takes few values at once. */
const expireReplays = async (world: World, count: number) => {
  await world.db.insert(replays).values(replayOf(0, world.clock.now));
  for (let rows = 1; rows < count; rows *= 2)
    await world.db.insert(replays).select(
      sql`select user_id, key || '-' || ${sql.raw(String(rows))}, fingerprint, status, body, created_at, expires_at
        from replays limit ${sql.raw(String(Math.min(rows, count - rows)))}`,
    );
};

it('sweeps replays that have expired, however many, and leaves those that have not', async () => {
  const world = await createWorld();
  const { now } = world.clock;
  await expireReplays(world, 3 * rowsAStep + 100);
  await world.db.insert(replays).values([replayOf(-1, now + 1), replayOf(-2, now + day)]);
  expect(await world.db.$count(replays)).toBe(3 * rowsAStep + 102);
  const batch = vi.spyOn(world.deps.db, 'batch');
  await sweepExpired(world.deps, now);
  // Each table once, and this one until a step found less than it may take.
  expect(batch).toHaveBeenCalledTimes(sweeps.length + 3);
  batch.mockRestore();
  expect((await world.db.select().from(replays)).map(({ key }) => key).sort()).toEqual(['k-1', 'k-2']);
});

it('ends a sweep when its time is over, having given every table its turn, and goes on in the next round', async () => {
  const world = await createWorld();
  const { now } = world.clock;
  await expireReplays(world, 4 * rowsAStep);
  const batch = vi.spyOn(world.deps.db, 'batch');
  const { clock } = world.deps;
  // The first look says when it began; each step takes an equal part of the time, but for two of them.
  world.deps.clock = () => now + Math.max(0, (batch.mock.calls.length * sweepMs) / (sweeps.length + 2));
  await sweepExpired(world.deps, now);
  expect(batch).toHaveBeenCalledTimes(sweeps.length + 2);
  batch.mockRestore();
  world.deps.clock = clock;
  expect(await world.db.$count(replays)).toBe(rowsAStep);
  await sweepExpired(world.deps, now);
  expect(await world.db.$count(replays)).toBe(0);
});

it('sweeps in a bounded number of steps a round, and in none once nobody waits for it any more', async () => {
  const world = await createWorld();
  const { now } = world.clock;
  await expireReplays(world, maxSteps * rowsAStep);
  await sweepExpired(world.deps, now, AbortSignal.abort());
  expect(await world.db.$count(replays)).toBe(maxSteps * rowsAStep);
  await sweepExpired(world.deps, now);
  // Every other table had one step of them.
  expect(await world.db.$count(replays)).toBe((sweeps.length - 1) * rowsAStep);
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

it('sweeps a doctor’s notice a month after its date, however early it was written', async () => {
  const world = await createWorld();
  const { doctorId } = await createPractice(world);
  const notice = { doctorId, delayMinutes: 10, message: '', version: 1, updatedAt: at };
  const dates = ['2026-11-20', '2026-11-21', '2027-03-01'];
  await world.db.insert(doctorNotices).values(dates.map((date) => ({ ...notice, date })));
  await sweepExpired(world.deps, Date.parse('2026-12-21T12:00:00Z'));
  const left = await world.db.select().from(doctorNotices);
  expect(left.map(({ date }) => date)).toEqual(['2026-11-21', '2027-03-01']);
});

describe('what is done with is kept', () => {
  it.each([
    ['counters of attempts', 0, throttles, { key: 'k', emptyAt: 0, blockedUntil: 0, expiresAt: at }],
    ['known networks', 0, knownNetworks, { account: 'a', network: 'n', expiresAt: at }],
    ['password resets', 1, passwordResets, { hash: 'h', createdAt: 0, expiresAt: at }],
    ['mail', 30, mailOutbox, { ...mail, expiresAt: at }],
  ] as const)('%s for %d days', async (_what, days, table, row) => {
    const world = await createWorld();
    const { id: userId } = await createPerson(world);
    const whole = { userId, ...row };
    await world.db.insert(table).values(whole);
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
  await world.request('/v1/bookings', { token, body: bookingInput(practice) });
  await deliverWebhooks(world.deps);
  receiver.answer = () => ({ status: 500 });
  const other = await createPerson(world);
  const body = bookingInput(practice, { schedule_time: '10:00:00' });
  await world.request('/v1/bookings', { token: other.token, body });
  await deliverWebhooks(world.deps);
  await sweepExpired(world.deps, world.clock.now + 30 * day - 1);
  expect(await world.db.$count(webhookDeliveries)).toBe(2);
  await sweepExpired(world.deps, world.clock.now + 30 * day);
  expect((await world.db.select().from(webhookDeliveries)).map(({ state }) => state)).toEqual(['pending']);
});
