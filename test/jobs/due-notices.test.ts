import { afterEach, describe, expect, it, vi } from 'vitest';
import { bookings } from '../../src/core/tables/bookings.ts';
import { notices } from '../../src/core/tables/mail.ts';
import { createRounds } from '../../src/jobs/rounds.ts';
import { idleClinic, minute, settle, statementsOfAnHour, watchJobs } from '../support/due-work.ts';
import { mailing, openBox } from '../support/notices.ts';

afterEach(() => void vi.restoreAllMocks());

describe('notices that wait', () => {
  const channels = { ...mailing, ...openBox().settings };
  const night = Date.parse('2026-11-23T22:30:00+07:00');
  const morning = Date.parse('2026-11-24T06:00:00+07:00');
  /** An idle clinic with an approved visit ahead, and a notice that waits. */
  const createWaiting = async (
    fields: Partial<typeof notices.$inferInsert> = {},
    settings: Record<string, string> = channels,
  ) => {
    const { world, bookingId } = await idleClinic(settings);
    await world.db.update(bookings).set({ status: 'approved' });
    const [booking] = await world.db.select().from(bookings);
    if (booking === undefined) throw new Error('There is no booking.');
    await world.db.insert(notices).values({
      ...{ id: world.deps.newId(), bookingId, version: 9, kind: 'approved', channel: 'email' },
      ...{ personId: booking.patientId, startsAt: booking.startsAt, urgentUntil: 0, state: 'pending' },
      ...{ attempts: 0, dueAt: world.clock.now, createdAt: world.clock.now },
      ...fields,
    });
    const round = createRounds(world.deps, async () => 'unchanged');
    /** Whether the job runs in a round at an instant. */
    const runsAt = async (now: number): Promise<boolean> => {
      world.clock.now = now;
      const ran = watchJobs();
      await round();
      vi.restoreAllMocks();
      return ran.includes('notices');
    };
    return { world, round, runsAt };
  };
  it('for nothing: approved visits ahead of a clinic that has channels ask nothing in an hour', async () => {
    const { world } = await idleClinic(channels);
    await world.db.update(bookings).set({ status: 'approved' });
    await settle(world);
    const round = createRounds(world.deps, async () => 'unchanged');
    await round();
    expect(await statementsOfAnHour(world, round)).toBe(0);
  });

  it('by a channel that is not set any more are not due, though another is set', async () => {
    const { world, round, runsAt } = await createWaiting({ channel: 'email' }, openBox().settings);
    expect(await runsAt(world.clock.now)).toBe(false);
    expect(await statementsOfAnHour(world, round)).toBe(0);
  });

  it('are due at once by day', async () => {
    const { world, runsAt } = await createWaiting();
    expect(await runsAt(world.clock.now)).toBe(true);
  });

  it('are due at the end of the quiet hours, and all night nothing is asked for them', async () => {
    const { world, round, runsAt } = await createWaiting();
    expect(await runsAt(night)).toBe(false);
    expect(await statementsOfAnHour(world, round)).toBe(0);
    expect(await runsAt(morning - 1)).toBe(false);
    expect(await runsAt(morning)).toBe(true);
  });

  it('are due in quiet hours as long as one of them is urgent', async () => {
    const urgentUntil = night + 30 * minute;
    const urgent = await createWaiting({ urgentUntil });
    expect(await urgent.runsAt(night)).toBe(true);
    const urgentNoMore = await createWaiting({ urgentUntil });
    expect(await urgentNoMore.runsAt(urgentUntil)).toBe(false);
  });

  it('are due when their channel has rested', async () => {
    const { world, runsAt } = await createWaiting();
    const { now } = world.clock;
    world.deps.rests.set('email', { until: now + 5 * minute, silent: 0, rests: 0 });
    expect(await runsAt(now)).toBe(false);
    expect(await runsAt(now + 5 * minute - 1)).toBe(false);
    expect(await runsAt(now + 5 * minute)).toBe(true);
  });
});
