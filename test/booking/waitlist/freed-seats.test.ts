import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { schedules, sessions } from '../../../src/core/tables/catalog.ts';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { bookingInput, createClosure, createPractice } from '../../support/clinic.ts';
import { findViolations } from '../../support/invariants.ts';
import { createPerson } from '../../support/people.ts';
import { createTaken, createWaiting, date, minuteMs, morning } from '../../support/waitlist.ts';

describe('a seat that comes free', () => {
  it('is offered by its cancellation to the first who waits, and held for half an hour', async () => {
    const { world, wait, cancel, offersOf, holder, bookingId, book } = await createTaken();
    const [first, second, passer] = [
      await createPerson(world),
      await createPerson(world),
      await createPerson(world),
    ];
    await wait(first);
    await wait(second);
    expect((await cancel(holder, bookingId)).status).toBe(200);
    expect(await offersOf(first)).toMatchObject([
      {
        schedule_date: date,
        schedule_time: '09:00:00',
        held_until: new Date(morning + 30 * minuteMs).toISOString(),
      },
    ]);
    expect(await offersOf(second)).toEqual([]);
    expect(await book(passer)).toMatchObject({ status: 409, body: { code: 'slot_full' } });
    const events = await world.db.select().from(bookingEvents).orderBy(bookingEvents.sequence);
    expect(events.map(({ type, actorRole }) => `${type} by ${actorRole}`)).toEqual([
      'booking.created by patient',
      'booking.offered by system',
      'booking.canceled by patient',
    ]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is offered by a move as well, and not to the patient who moved away', async () => {
    const { world, wait, offersOf, holder, bookingId, practice } = await createTaken();
    await wait(holder);
    const other = await createPerson(world);
    await wait(other);
    const moved = await world.request(`/v1/bookings/${bookingId}/reschedule`, {
      token: holder.token,
      body: bookingInput(practice, { schedule_date: date, schedule_time: '10:00:00' }),
    });
    expect(moved.status).toBe(200);
    expect(await offersOf(holder)).toEqual([]);
    expect(await offersOf(other)).toMatchObject([{ schedule_time: '09:00:00' }]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is offered on each date of a series that is given back, in its one step', async () => {
    const { world, wait, offersOf, practice } = await createWaiting();
    const [holder, first, second] = [
      await createPerson(world),
      await createPerson(world),
      await createPerson(world),
    ];
    const body = { ...bookingInput(practice, { schedule_date: date }), every_days: 1, count: 2 };
    const series = await world.request('/v1/bookings/series', { token: holder.token, body });
    expect(series.status).toBe(200);
    await wait(first);
    await wait(second, { from: '2026-11-26', to: '2026-11-26' });
    const path = `/v1/bookings/series/${series.body.data.id}/cancel`;
    expect((await world.request(path, { method: 'POST', token: holder.token })).status).toBe(200);
    expect(await offersOf(first)).toMatchObject([{ schedule_date: date, schedule_time: '09:00:00' }]);
    expect(await offersOf(second)).toMatchObject([
      { schedule_date: '2026-11-26', schedule_time: '09:00:00' },
    ]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('goes to whom it suits: session, doctor, dates, time of day, nobody who is busy, nobody twice', async () => {
    const { world, wait, cancel, offersOf, holder, bookingId, practice, book } = await createTaken();
    const elsewhere = await createPractice(world);
    const people = await Promise.all(Array.from({ length: 7 }, () => createPerson(world)));
    const [otherDoctor, otherDay, early, late, busy, wanted, next] = people as typeof people & [];
    await world.db
      .update(schedules)
      .set({ sessionId: practice.sessionId })
      .where(eq(schedules.doctorId, elsewhere.doctorId));
    await wait(otherDoctor as never, { doctor_id: elsewhere.doctorId });
    await wait(otherDay as never, { from: '2026-11-26', to: '2026-11-27' });
    await wait(early as never, { latest_time: '08:59:59' });
    await wait(late as never, { earliest_time: '09:00:01' });
    await wait(busy as never);
    await book(busy as never, { doctor_id: elsewhere.doctorId });
    await wait(wanted as never, {
      doctor_id: practice.doctorId,
      earliest_time: '09:00:00',
      latest_time: '09:00:00',
    });
    await wait(next as never);
    await cancel(holder, bookingId);
    const offered = await Promise.all(people.map(async (person) => (await offersOf(person)).length));
    expect(offered).toEqual([0, 0, 0, 0, 0, 1, 0]);
  });

  it.each([
    ['has begun too soon', async () => '2026-11-25T01:45:00Z'],
    ['has begun', async () => '2026-11-25T02:10:00Z'],
  ])('is not offered where it %s', async (_what, at) => {
    const { world, wait, staff, cancel, offersOf, bookingId } = await createTaken();
    const waiting = await createPerson(world);
    await wait(waiting);
    world.clock.now = Date.parse(await at());
    await cancel(staff, bookingId);
    expect(await offersOf(waiting)).toEqual([]);
  });

  it('is not offered in leave, by a retired session, or beyond a lowered capacity', async () => {
    const { world, wait, staff, cancel, offersOf, book, practice, runJob } = await createWaiting({}, 2);
    const waiting = await createPerson(world);
    await wait(waiting);
    const bookAt = async (time: string) =>
      (await book(await createPerson(world), { schedule_time: time })).body.data.id as string;
    const [onLeave, first] = [await bookAt('09:00:00'), await bookAt('10:00:00')];
    await bookAt('10:00:00');
    await createClosure(world, {
      startDate: date,
      doctorId: practice.doctorId,
      startTime: '09:15:00',
      endTime: '09:20:00',
    });
    await cancel(staff, onLeave);
    expect(await offersOf(waiting)).toEqual([]);
    await world.db.update(schedules).set({ capacity: 1 });
    await cancel(staff, first);
    const rows = await world.db.select().from(bookings);
    expect(rows.filter(({ heldUntil }) => heldUntil !== null)).toEqual([]);
    await world.db.update(sessions).set({ retiredAt: world.clock.now });
    await runJob();
    expect(await offersOf(waiting)).toEqual([]);
  });
});
