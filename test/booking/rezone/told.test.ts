import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { notices } from '../../../src/core/tables/mail.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import {
  act,
  book,
  createTelling,
  hour,
  logOf,
  mailing,
  minute,
  tell,
  tellAt,
} from '../../support/notices.ts';
import { moveTo, restartIn } from '../../support/rezone.ts';
import { mondayMorning, type World } from '../../support/world.ts';

const thursday = { schedule_date: '2026-11-26', schedule_time: '12:00:00' };
const start = Date.parse('2026-11-26T05:00:00Z');
const evening = mondayMorning + 15 * hour;
const morning = mondayMorning + 24 * hour;
const awake = { ...mailing, QUIET_HOURS: 'off' };

const remindersOf = async (world: World) =>
  (await logOf(world)).filter((line) => line.startsWith('reminder'));

/** The starts that notices speak of, each as far from its booking's own as it is. */
const apartIn = async ({ db }: World) => {
  const rows = await db.select().from(notices).innerJoin(bookings, eq(bookings.id, notices.bookingId));
  return rows.map((row) => (row.notices.startsAt - row.bookings.startsAt) / hour).sort();
};

/** A patient who got the notice of an approval, and has notices of another approval and of a cancellation waiting. */
const createPending = async () => {
  const telling = await createTelling();
  const { world } = telling;
  const [told, canceled, moved] = [
    await book(telling, thursday),
    await book(telling, { ...thursday, schedule_time: '13:00:00' }),
    await book(telling, { ...thursday, schedule_time: '14:00:00' }),
  ];
  for (const id of [told, canceled, moved]) await act(telling, id, 'approve');
  await tell(world);
  await act(telling, moved, 'reschedule', { ...thursday, schedule_time: '15:00:00' });
  world.clock.now = evening;
  await act(telling, canceled, 'cancel');
  await tell(world);
  return telling;
};

describe('notices, when the clinic moves to another time zone,', () => {
  it.each(['Asia/Jayapura', 'Asia/Karachi'])(
    'waits for the morning and leaves there, in %s too',
    async (zone) => {
      const { world } = await createPending();
      const before = await logOf(world);
      expect(before).toContain('canceled email pending');
      await moveTo(world, zone);
      await restartIn(world, zone);
      await tellAt(world, morning + 4 * hour);
      expect(await logOf(world)).toEqual(before.map((line) => line.replace('pending', 'sent')));
    },
  );

  it('is planned there where nobody had planned it yet', async () => {
    const telling = await createTelling();
    const { world } = telling;
    const approved = await book(telling, thursday);
    const moved = await book(telling, { ...thursday, schedule_time: '13:00:00' });
    await act(telling, approved, 'approve');
    await act(telling, moved, 'approve');
    await act(telling, moved, 'reschedule', { ...thursday, schedule_time: '10:00:00' });
    await moveTo(world, 'Asia/Makassar');
    await restartIn(world, 'Asia/Makassar');
    await tell(world);
    expect((await logOf(world)).sort()).toEqual([
      'approved email dropped moved',
      'approved email sent',
      'moved email sent',
    ]);
  });

  it('is urgent until the visit begins there', async () => {
    const telling = await createTelling();
    const { world } = telling;
    const soon = { schedule_date: '2026-11-23', schedule_time: '13:00:00' };
    const [planned, unplanned] = [
      await book(telling, { ...soon, schedule_time: '12:00:00' }),
      await book(telling, soon),
    ];
    world.deps.mailer = { reachesPeople: true, send: () => Promise.reject(new Error('down')) };
    await act(telling, planned, 'cancel');
    await tell(world);
    await act(telling, unplanned, 'reschedule', thursday);
    await moveTo(world, 'Asia/Karachi');
    await restartIn(world, 'Asia/Karachi');
    await tell(world);
    const rows = await world.db.select().from(notices);
    const noon = Date.parse('2026-11-23T12:00:00+05:00');
    expect(rows.map(({ urgentUntil }) => urgentUntil).sort()).toEqual([noon, noon + hour]);
  });

  it('speaks of the start that it spoke of before, wherever the move was broken off and undone', async () => {
    for (const goal of ['Asia/Makassar', 'Asia/Jakarta'])
      for (let breaksAt = 3; ; breaksAt += 2) {
        const { world } = await createPending();
        const before = await apartIn(world);
        expect(before).toEqual([-1, 0, 0, 0, 0]);
        const own = world.db;
        beforeRoundTrip(world, breaksAt, async () => {
          throw new Error('killed');
        });
        world.db = world.deps.db;
        const ended = await moveTo(world, 'Asia/Makassar', 1).then(
          () => true,
          () => false,
        );
        world.db = world.deps.db = own;
        expect(await apartIn(world)).toEqual(before);
        if (ended) break;
        await moveTo(world, goal, 1);
        expect(await apartIn(world)).toEqual(before);
      }
  });
});

describe('a reminder, when the clinic moves to another time zone,', () => {
  const moments = [30, 24.2, 23.4, 2.2, 1.4];
  const zones = ['Asia/Jayapura', 'Asia/Kathmandu', 'Europe/London'];

  it.each(zones.flatMap((zone) => moments.map((hours) => [zone, hours] as const)))(
    'is sent once: to %s, %d hours before the visit',
    async (zone, hours) => {
      const telling = await createTelling(awake);
      const { world } = telling;
      await act(telling, await book(telling, thursday), 'approve');
      await tell(world);
      const movedAt = start - hours * hour;
      for (let now = start - 31 * hour; now < movedAt; now += 30 * minute) await tellAt(world, now);
      world.clock.now = movedAt;
      await moveTo(world, zone);
      await restartIn(world, zone);
      for (let now = movedAt + minute; now < start + 8 * hour; now += 30 * minute) await tellAt(world, now);
      expect(await remindersOf(world)).toEqual(['reminder_early email sent', 'reminder_late email sent']);
    },
  );

  it('waits for the morning and is sent once, there and back again', async () => {
    const telling = await createTelling({ ...mailing, QUIET_HOURS: '9-15' });
    const { world } = telling;
    await act(telling, await book(telling, thursday), 'approve');
    await tell(world);
    await tellAt(world, start - 24 * hour);
    expect(await remindersOf(world)).toEqual(['reminder_early email pending']);
    for (const zone of ['Asia/Makassar', 'Asia/Jakarta']) {
      await moveTo(world, zone);
      await restartIn(world, zone);
      await tellAt(world, world.clock.now + minute);
    }
    for (let now = world.clock.now; now < start - 3 * hour; now += hour) await tellAt(world, now);
    expect(await remindersOf(world)).toEqual(['reminder_early email sent']);
  });

  it('is left to the server in the new zone by one that runs on in the zone before', async () => {
    const telling = await createTelling(awake);
    const { world } = telling;
    await act(telling, await book(telling, { ...thursday, schedule_time: '13:00:00' }), 'approve');
    await tell(world);
    const inNewYork = start + 13 * hour;
    world.clock.now = start - 14.5 * hour;
    await moveTo(world, 'America/New_York');
    // By a clock in Jakarta this visit is on Friday, at one at night.
    for (let now = world.clock.now; now < inNewYork - 20 * hour; now += hour) await tellAt(world, now);
    await restartIn(world, 'America/New_York');
    await tell(world);
    expect(await remindersOf(world)).toEqual(['reminder_early email sent']);
  });
});
