import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClinicTime } from '../../../src/core/clinic/time.ts';
import { heldUntil } from '../../../src/modules/booking/record/offer-rules.ts';
import { createPerson } from '../../support/people.ts';
import { createTaken, minuteMs } from '../../support/waitlist.ts';
import { zones } from '../../support/zones.ts';

describe('the quiet hours', () => {
  const clock = createClinicTime('Asia/Jakarta');
  const settings = { OFFER_MINUTES: 30, QUIET_HOURS: { from: 21, until: 6 } };
  const far = Date.parse('2026-12-24T00:00:00Z');
  const held = (now: string) =>
    new Date(heldUntil(Date.parse(`${now}+07:00`), far, settings, clock) ?? 0).toISOString();

  it.each([
    ['2026-11-24T20:57:59', '2026-11-24T14:27:59.000Z'],
    ['2026-11-24T20:58:00', '2026-11-24T23:30:00.000Z'],
    ['2026-11-25T05:57:59', '2026-11-24T23:30:00.000Z'],
    ['2026-11-25T05:58:00', '2026-11-24T23:30:00.000Z'],
    ['2026-11-25T05:59:59', '2026-11-24T23:30:00.000Z'],
    ['2026-11-25T06:00:00', '2026-11-24T23:30:00.000Z'],
    ['2026-11-25T06:00:01', '2026-11-24T23:30:01.000Z'],
  ])('let an offer of %s be held until %s', (now, until) => {
    expect(held(now)).toBe(until);
  });

  it('leave the recipient of an offer the whole time after them, whenever it is made', () => {
    const hour = fc.integer({ min: 0, max: 23 });
    const scene = fc.record({
      zone: fc.constantFrom(...zones),
      from: hour,
      until: hour,
      minutes: fc.constantFrom(5, 30, 90),
      now: fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2027-12-31') }),
      near: fc.integer({ min: -3 * minuteMs, max: 3 * minuteMs }),
      isNear: fc.boolean(),
    });
    fc.assert(
      fc.property(scene, ({ zone, from, until, minutes, now: some, near, isNear }) => {
        fc.pre(from !== until);
        const time = createClinicTime(zone);
        const today = time.dateOf(some);
        const end = time.instantOf(today, until * 60);
        // Hours that the clock skips on a night are none of this.
        const around = [-1, 0, 1].map((days) => time.addDays(today, days));
        fc.pre(around.every((day) => [from, until].every((at) => time.instantOf(day, at * 60) !== null)));
        const now = isNear && end !== null ? end + near : some;
        const quiet = { OFFER_MINUTES: minutes, QUIET_HOURS: { from, until } };
        const isQuiet = (instant: number) => {
          const at = Math.floor(time.minuteOf(instant) / 60);
          return from < until ? from <= at && at < until : from <= at || at < until;
        };
        let loud = now;
        while (isQuiet(loud)) loud = Math.floor(loud / minuteMs) * minuteMs + minuteMs;
        const given = heldUntil(now, now + 100 * 86_400_000, quiet, time) ?? 0;
        expect(given - loud).toBeGreaterThanOrEqual(minutes * minuteMs);
      }),
      { numRuns: 500 },
    );
  });
});

describe('an offer', () => {
  it('of the quiet hours lasts until half an hour after them', async () => {
    const { world, wait, cancel, offersOf, holder, bookingId } = await createTaken();
    const person = await createPerson(world);
    await wait(person);
    world.clock.now = Date.parse('2026-11-24T15:00:00Z');
    await cancel(holder, bookingId);
    expect(await offersOf(person)).toMatchObject([{ held_until: '2026-11-24T23:30:00.000Z' }]);
  });

  it('of the last two minutes before them too, since no notice of it is sent any more that evening', async () => {
    const { world, wait, cancel, offersOf, holder, bookingId } = await createTaken();
    const person = await createPerson(world);
    await wait(person);
    world.clock.now = Date.parse('2026-11-24T13:58:30Z');
    await cancel(holder, bookingId);
    expect(await offersOf(person)).toMatchObject([{ held_until: '2026-11-24T23:30:00.000Z' }]);
  });

  it('is not made where its slot starts before a notice may be sent: the seat stays free for all', async () => {
    const { world, wait, cancel, offersOf, holder, bookingId, book } = await createTaken({
      QUIET_HOURS: '21-9',
    });
    const [person, other] = [await createPerson(world), await createPerson(world)];
    await wait(person);
    world.clock.now = Date.parse('2026-11-24T15:00:00Z');
    await cancel(holder, bookingId);
    expect(await offersOf(person)).toEqual([]);
    expect((await book(other)).status).toBe(201);
  });
});
