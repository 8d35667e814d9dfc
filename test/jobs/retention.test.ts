import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { deviceLogins, passwordResets, refreshTokens } from '../../src/core/tables/accounts.ts';
import { replays } from '../../src/core/tables/idempotency.ts';
import { mailOutbox } from '../../src/core/tables/mail.ts';
import { doctorNotices } from '../../src/core/tables/queues.ts';
import { knownNetworks, throttles } from '../../src/core/tables/throttle.ts';
import { webhookDeliveries } from '../../src/core/tables/webhooks.ts';
import { maxSteps, rowsAStep, sweepExpired, sweepMs } from '../../src/jobs/retention.ts';
import { sweeps } from '../../src/jobs/retention-queries.ts';
import { deliverWebhooks } from '../../src/modules/webhooks/delivery/deliver.ts';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createEndpoint, createReceiver } from '../support/receiver.ts';
import { createWorld, registerPatient, type World } from '../support/world.ts';

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

describe('logins and their tokens', () => {
  const left = async ({ db }: World) => (await db.select().from(deviceLogins)).map(({ id }) => id).sort();

  it('go a day after the login can be used no longer, whatever is done with it', async () => {
    const world = await createWorld({ SESSION_MAX_DAYS: '180' });
    const { refreshToken } = await registerPatient(world);
    const end = world.clock.now + 180 * day;
    world.clock.now += 29 * day;
    const body = { refresh_token: refreshToken };
    expect((await world.request('/v1/auth/refresh', { body })).status).toBe(200);
    const tables = async () => [await world.db.$count(refreshTokens), await world.db.$count(deviceLogins)];
    await sweepExpired(world.deps, end + day - 1);
    expect(await tables()).toEqual([2, 1]);
    await sweepExpired(world.deps, end + day);
    expect(await tables()).toEqual([0, 0]);
  });

  it.each([
    ['before', '00000000-0000-4000-8000-000000000000'],
    ['after', 'f0000000-0000-4000-8000-000000000000'],
  ])(
    'go also where an id of before, which tells nothing of the time, lies %s all others',
    async (_side, id) => {
      const world = await createWorld();
      const { id: userId } = await createPerson(world);
      const [own] = await left(world);
      const { now } = world.clock;
      const times = { createdAt: now - 182 * day, lastSeenAt: 1, expiresAt: now - 40 * day };
      await world.db.insert(deviceLogins).values({ ...times, id, userId, deviceId: '', userAgent: '' });
      await sweepExpired(world.deps, now - day - 1);
      expect(await left(world)).toHaveLength(2);
      await sweepExpired(world.deps, now - day);
      expect(await left(world)).toEqual([own]);
    },
  );

  it('stay while the login is in use, though it was to end long ago', async () => {
    const world = await createWorld();
    await createPerson(world);
    await world.db.update(deviceLogins).set({ endsAt: 1, expiresAt: world.clock.now });
    await sweepExpired(world.deps, world.clock.now + day - 1);
    expect(await left(world)).toHaveLength(1);
  });

  it('wait for nobody, however many tokens a login has', async () => {
    const world = await createWorld();
    await createPerson(world);
    await createPerson(world);
    const [first = ''] = await left(world);
    await world.db.insert(refreshTokens).select(
      sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.raw(String(rowsAStep + 10))})
        select 'h' || i, ${first}, i, 0, 0, null from n`,
    );
    const later = world.clock.now + 400 * day;
    await sweepExpired(world.deps, later);
    expect(await world.db.$count(refreshTokens)).toBe(0);
    await sweepExpired(world.deps, later);
    expect(await left(world)).toEqual([]);
  });
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

describe('finished rows are kept', () => {
  it.each([
    ['counters of attempts', 0, throttles, { key: 'k', emptyAt: 0, blockedUntil: 0, expiresAt: at }],
    ['known networks', 0, knownNetworks, { account: 'a', network: 'n', expiresAt: at }],
    ['password resets', 1, passwordResets, { hash: 'h', createdAt: 0, expiresAt: at }],
    ['mail', 30, mailOutbox, { ...mail, expiresAt: at }],
    ['an address to be told', 0, mailOutbox, { ...mail, expiresAt: at, address: 'a@klinik.example' }],
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
