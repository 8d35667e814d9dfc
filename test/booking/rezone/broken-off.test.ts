import { describe, expect, it } from 'vitest';
import { ensureClinic } from '../../../src/core/clinic/row.ts';
import { bookingInput } from '../../support/clinic.ts';
import { act, book, createClinic, detail } from '../../support/clinic-people.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import { findViolations } from '../../support/invariants.ts';
import { moveTo, restartIn } from '../../support/rezone.ts';
import { expectAllIn, fullNight } from '../../support/rezone-night.ts';
import { createWorld } from '../../support/world.ts';

describe('moving the clinic to another time zone', () => {
  it('broken off anywhere, serves no slot until it is ended or undone', async () => {
    for (const goal of ['Asia/Makassar', 'Asia/Jakarta'])
      for (let breaksAt = 3; ; breaksAt += 2) {
        const world = await createWorld();
        const { practice, people } = await fullNight(world);
        const own = world.db;
        const dies = async () => {
          throw new Error('killed');
        };
        beforeRoundTrip(world, breaksAt, dies);
        world.db = world.deps.db;
        const ended = await moveTo(world, 'Asia/Makassar', 2).then(
          () => true,
          () => false,
        );
        world.db = world.deps.db = own;
        if (ended) {
          expect(breaksAt).toBeGreaterThan(6);
          break;
        }
        await expect(ensureClinic(own, 'Asia/Jakarta')).rejects.toThrow('rezone --to Asia/Makassar --apply');
        await expect(ensureClinic(own, 'Asia/Makassar')).rejects.toThrow('on its way');
        const body = bookingInput(practice, { schedule_date: '2026-11-26' });
        expect(await world.request(`/v1/doctors/${practice.doctorId}/slots`)).toMatchObject({ status: 503 });
        expect((await world.request('/v1/bookings', { token: people[0]?.token, body })).status).toBe(503);
        await moveTo(world, goal, 2);
        await restartIn(world, goal);
        await expectAllIn(world, goal);
        expect((await world.request('/v1/bookings', { token: people[0]?.token, body })).status).toBe(201);
      }
  });

  it.each([1, 2, 3])(
    'lets no seat be taken on the old zone, when it changes before round trip %i',
    async (nth) => {
      const world = await createWorld();
      const people = await createClinic(world);
      const id = await book(world, people, { schedule_date: '2026-11-25' });
      const asked = [
        () =>
          world.request('/v1/bookings', {
            token: people.stranger.token,
            body: bookingInput(people.practice),
          }),
        () => act(world, people.patient, id, 'reschedule', bookingInput(people.practice)),
      ];
      const goals = ['Asia/Makassar', 'Asia/Kathmandu'];
      for (const [at, ask] of asked.entries()) {
        const seen = beforeRoundTrip(world, nth, () => moveTo(world, goals[at] as string));
        const { status } = await ask();
        world.deps.db = world.db;
        // The third round trip comes after the write of a booking: that booking is moved too.
        if (seen.roundTrips >= nth) expect(status === 503 || nth > 2).toBe(true);
        await moveTo(world, goals[at] as string);
        await restartIn(world, goals[at] as string);
        await expectAllIn(world, goals[at] as string);
      }
    },
  );

  it('lets a change of a past booking that was decided before see where the booking is now', async () => {
    const world = await createWorld();
    const people = await createClinic(world);
    const id = await book(world, people);
    await act(world, people.staff, id, 'approve');
    world.clock.now = Date.parse('2026-11-23T04:00:00Z');
    // The login is noted as seen now, so that the next request makes no round trip for that.
    await detail(world, people.staff, id);
    await Promise.all(world.background);
    const seen = beforeRoundTrip(world, 2, () => moveTo(world, 'Asia/Makassar'));
    const canceled = await act(world, people.staff, id, 'cancel');
    expect([canceled.status, seen.roundTrips >= 2]).toEqual([200, true]);
    expect((await detail(world, people.staff, id)).starts_at).toBe('2026-11-23T01:00:00.000Z');
    expect(await findViolations(world.db)).toEqual([]);
  });
});
