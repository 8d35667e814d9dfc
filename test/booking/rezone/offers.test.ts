import { describe, expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import { findViolations } from '../../support/invariants.ts';
import { createPerson } from '../../support/people.ts';
import { moveTo, restartIn } from '../../support/rezone.ts';
import { createTaken, minuteMs, wishOf } from '../../support/waitlist.ts';
import type { World } from '../../support/world.ts';

/** Wednesday 09:00 in Jakarta: the offered slot. */
const start = Date.parse('2026-11-25T02:00:00Z');

/** Somebody holds an offer, made fifty minutes before its start and held for half an hour. */
const createOffered = async () => {
  const taken = await createTaken();
  const { world, practice, wait, cancel, holder, bookingId } = taken;
  const waits = await createPerson(world);
  const nine = wishOf(practice, { earliest_time: '09:00:00', latest_time: '09:00:00' });
  const entry = await wait(waits, nine);
  world.clock.now = start - 50 * minuteMs;
  await cancel(holder, bookingId);
  return { ...taken, waits, entry };
};

const heldIn = async ({ db }: World) => {
  const rows = await db.select().from(bookings);
  return rows.flatMap(({ heldUntil }) => (heldUntil === null ? [] : [(heldUntil - start) / minuteMs]));
};

describe('an offer of the waitlist, when the clinic moves to another time zone,', () => {
  it('holds no longer than until its new start, and is over there as anywhere', async () => {
    const { world, waits, entry, answer, offersOf, runJob } = await createOffered();
    expect([await heldIn(world), (await offersOf(waits)).length]).toEqual([[-20], 1]);
    await moveTo(world, 'Asia/Makassar');
    await restartIn(world, 'Asia/Makassar');
    expect([await heldIn(world), await offersOf(waits)]).toEqual([[-60], []]);
    expect((await answer(waits, entry, 'accept')).status).toBe(409);
    await runJob();
    expect(await findViolations(world.db)).toEqual([]);
    expect((await world.db.select().from(bookings)).map(({ status }) => status)).toEqual([
      'canceled',
      'canceled',
    ]);
  });

  it('holds as long as was said where it starts later, and is accepted there', async () => {
    const { world, waits, entry, answer } = await createOffered();
    await moveTo(world, 'Asia/Karachi');
    await restartIn(world, 'Asia/Karachi');
    expect(await heldIn(world)).toEqual([-20]);
    expect((await answer(waits, entry, 'accept')).status).toBe(200);
    expect([await heldIn(world), await findViolations(world.db)]).toEqual([[], []]);
  });

  it('that is over long since keeps no backup from being sound, there and back again', async () => {
    const { world, pass, runJob } = await createOffered();
    pass(31);
    await runJob();
    world.clock.now += 24 * 60 * minuteMs;
    for (const zone of ['Asia/Makassar', 'Asia/Jayapura', 'Asia/Jakarta', 'Asia/Karachi']) {
      await moveTo(world, zone);
      await restartIn(world, zone);
      expect([zone, await findViolations(world.db)]).toEqual([zone, []]);
    }
  });

  it('is sound wherever the move was broken off, and when that is undone', async () => {
    for (let breaksAt = 3; ; breaksAt++) {
      const { world } = await createOffered();
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
      expect([breaksAt, await findViolations(own)]).toEqual([breaksAt, []]);
      if (ended) break;
      await moveTo(world, 'Asia/Jakarta', 1);
      expect([breaksAt, await findViolations(own)]).toEqual([breaksAt, []]);
    }
  });
});
