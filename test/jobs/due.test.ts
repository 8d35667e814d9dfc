import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { bookings } from '../../src/core/tables/bookings.ts';
import { replays } from '../../src/core/tables/idempotency.ts';
import { mailOutbox } from '../../src/core/tables/mail.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { doctorNotices } from '../../src/core/tables/queues.ts';
import { bookingEvents } from '../../src/core/tables/webhooks.ts';
import { createRounds } from '../../src/jobs/rounds.ts';
import { seedDemo } from '../../src/modules/demo/demo.ts';
import { book, idleClinic, minute, settle, watchJobs } from '../support/due-work.ts';
import { createGuarded } from '../support/factors.ts';
import { createEndpoint } from '../support/receiver.ts';
import { createWorld, secretsOf, secret as testSecret, type World } from '../support/world.ts';

const day = 86_400_000;

afterEach(() => void vi.restoreAllMocks());

describe('work that becomes due', () => {
  const replayUntil = (expiresAt: number) => ({
    ...{ userId: 'u', key: 'k', fingerprint: '', status: 201, body: '{}', createdAt: 0 },
    expiresAt,
  });
  const sources: [job: string, make: (world: World, bookingId: string) => Promise<number>][] = [
    [
      'expire bookings',
      async (world, id) => {
        const [booking] = await world.db.select().from(bookings).where(eq(bookings.id, id));
        return booking?.endsAt ?? 0;
      },
    ],
    [
      'mail',
      async (world) => {
        const dueAt = world.clock.now + 10 * minute;
        const mail = { id: world.deps.newId(), kind: 'email_code', userId: 'u', language: 'id' } as const;
        const times = { createdAt: 0, expiresAt: dueAt + minute, dueAt };
        await world.db.insert(mailOutbox).values({ ...mail, ...times, attempts: 0 });
        return dueAt;
      },
    ],
    [
      'retention',
      async (world) => {
        const expiresAt = world.clock.now + 20 * minute;
        await world.db.insert(replays).values(replayUntil(expiresAt));
        return expiresAt;
      },
    ],
    [
      'retention',
      async (world) => {
        const [booking] = await world.db.select().from(bookings);
        const notice = {
          doctorId: booking?.doctorId ?? '',
          date: '2026-10-25',
          delayMinutes: 5,
          message: '',
        };
        await world.db.insert(doctorNotices).values({ ...notice, version: 1, updatedAt: 0 });
        return Date.parse('2026-10-26T00:00:00Z') + 30 * day;
      },
    ],
  ];
  it.each(sources)('is %s, at its time and not before', async (job, make) => {
    const { world, bookingId } = await idleClinic();
    const dueAt = await make(world, bookingId);
    const ran = watchJobs();
    const round = createRounds(world.deps, async () => 'unchanged');
    world.clock.now = dueAt - 1;
    await round();
    expect(ran).not.toContain(job);
    world.clock.now = dueAt;
    await round();
    expect(ran).toContain(job);
    ran.splice(0);
    await createRounds(world.deps)();
    expect(ran).not.toContain(job);
  });

  it('is seen by a process that did not write it, as soon as it sees a change', async () => {
    const { world } = await idleClinic();
    let mark = 'before';
    const round = createRounds(world.deps, async () => mark);
    await round();
    await world.db.insert(replays).values(replayUntil(world.clock.now));
    await round();
    expect(await world.db.$count(replays, eq(replays.userId, 'u'))).toBe(1);
    mark = 'after';
    await round();
    expect(await world.db.$count(replays, eq(replays.userId, 'u'))).toBe(0);
  });

  it('is asked for again after a round in which the database did not answer', async () => {
    const { world } = await idleClinic();
    const failed: string[] = [];
    world.deps.metrics = { ...world.deps.metrics, jobFailed: (job) => void failed.push(job) };
    vi.spyOn(world.deps.log, 'error').mockImplementation(() => {});
    let mark = 'before';
    const round = createRounds(world.deps, async () => mark);
    await round();
    await world.db.insert(replays).values(replayUntil(world.clock.now));
    mark = 'after';
    const batch = vi.spyOn(world.deps.db, 'batch').mockRejectedValueOnce(new Error('gone'));
    await round();
    batch.mockRestore();
    await round();
    expect([failed, await world.db.$count(replays, eq(replays.userId, 'u'))]).toEqual([['due'], 0]);
  });

  it('is an old booking on the first date of the clinic on which its retention ends', async () => {
    const { world, bookingId } = await idleClinic({ RETENTION_YEARS: '1' });
    await world.db.update(bookings).set({ status: 'approved' });
    // The newest event is another one’s.
    const [event] = await world.db.select().from(bookingEvents).where(eq(bookingEvents.bookingId, bookingId));
    if (event === undefined) throw new Error('No event.');
    const another = {
      sequence: 99,
      bookingId: 'another',
      writeId: 'another',
      type: 'patient.updated' as const,
    };
    await world.db.insert(bookingEvents).values({ ...event, ...another });
    const ran = watchJobs();
    const round = createRounds(world.deps);
    world.clock.now = Date.parse('2027-12-02T00:00:00+07:00') - 1;
    await round();
    expect(ran).not.toContain('old bookings');
    world.clock.now += 1;
    await round();
    expect(ran).toContain('old bookings');
    expect(await world.db.$count(bookings)).toBe(0);
  });

  it('is the audit trail as soon as there is a line, and an event for webhooks', async () => {
    const { world } = await idleClinic();
    await createEndpoint(world);
    const woken = vi.fn();
    world.deps.eventsWritten = woken;
    await world.db.update(bookings).set({ status: 'approved' });
    await settle(world);
    woken.mockClear();
    await book(world);
    woken.mockClear();
    const ran = watchJobs();
    await createRounds(world.deps)();
    expect(ran).toEqual(expect.arrayContaining(['audit', 'webhooks']));
    expect(woken).toHaveBeenCalled();
  });

  it('is whatever an older key sealed, until it is sealed by the present one', async () => {
    const { world } = await idleClinic();
    await createEndpoint(world);
    await createGuarded(world);
    await world.db
      .update(patients)
      .set({ insuranceNumber: await world.deps.secretBox.seal('0001234567890') });
    const rotated = {
      DATA_KEY: secretsOf('x'.repeat(40)).dataKey,
      DATA_KEY_PREVIOUS: secretsOf(testSecret).dataKey,
    };
    const other = await createWorld(rotated, world.clock.now, world.db);
    const ran = watchJobs();
    const round = createRounds(other.deps);
    await round();
    const sealing = ['audit', 'patient numbers', 'second factors', 'webhook secrets'];
    expect(ran).toEqual(expect.arrayContaining(sealing));
    ran.splice(0);
    await round();
    expect(ran.filter((job) => sealing.includes(job))).toEqual([]);
  });

  it('is the day of the demo, at once and with each new day', async () => {
    const world = await createWorld();
    await seedDemo(world.db, world.deps.hasher, world.clock.now);
    const ran = watchJobs();
    const round = createRounds(world.deps);
    await round();
    expect(ran).toContain('demo');
    for (const [at, isDue] of [
      ['2026-11-23T23:59:59.999+07:00', false],
      ['2026-11-24T00:00:00+07:00', true],
    ] as const) {
      ran.splice(0);
      world.clock.now = Date.parse(at);
      await round();
      expect(ran.includes('demo')).toBe(isDue);
    }
  });
});
