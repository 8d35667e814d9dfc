import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { doctors, schedules } from '../../../src/core/tables/catalog.ts';
import { bookingInput, createPractice } from '../../support/clinic.ts';
import { findViolations } from '../../support/invariants.ts';
import { passedOverIn } from '../../support/passed-over.ts';
import { createPerson } from '../../support/people.ts';
import { createTaken, createWaiting, date } from '../../support/waitlist.ts';

const nine = { earliest_time: '09:00:00', latest_time: '09:00:00' };

describe('an offer that is over, before any job has run,', () => {
  it('does not keep the first of the list from a seat that comes free elsewhere', async () => {
    const { world, wait, cancel, offersOf, holder, bookingId, practice, pass } = await createTaken();
    const other = await createPractice(world);
    const ofOther = eq(schedules.doctorId, other.doctorId);
    await world.db.update(schedules).set({ sessionId: practice.sessionId }).where(ofOther);
    const [first, second, elsewhere] = [
      await createPerson(world),
      await createPerson(world),
      await createPerson(world),
    ];
    const body = bookingInput(
      { ...practice, doctorId: other.doctorId },
      { schedule_date: date, schedule_time: '10:00:00' },
    );
    const booked = await world.request('/v1/bookings', { token: elsewhere.token, body });
    await wait(first);
    await wait(second, { doctor_id: other.doctorId });
    await cancel(holder, bookingId);
    expect(await offersOf(first)).toMatchObject([{ schedule_time: '09:00:00' }]);
    pass(31);
    await cancel(elsewhere, booked.body.data.id);
    expect(await offersOf(first)).toMatchObject([{ schedule_time: '10:00:00' }]);
    expect(await offersOf(second)).toEqual([]);
    expect(await passedOverIn(world.db)).toEqual([]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('does not keep a seat beside it from being offered', async () => {
    const { world, wait, cancel, book, offersOf, pass } = await createWaiting({}, 2);
    const holders = [await createPerson(world), await createPerson(world)] as const;
    const ids = [(await book(holders[0])).body.data.id, (await book(holders[1])).body.data.id];
    const [first, second] = [await createPerson(world), await createPerson(world)];
    await wait(first, nine);
    await cancel(holders[0], ids[0]);
    expect(await offersOf(first)).toHaveLength(1);
    await world.db.update(schedules).set({ capacity: 1 });
    await world.db.update(doctors).set({ calendarVersion: sql`${doctors.calendarVersion} + 1` });
    await wait(second, nine);
    pass(31);
    await cancel(holders[1], ids[1]);
    expect(await offersOf(second)).toHaveLength(1);
    expect(await findViolations(world.db)).toEqual([]);
  });
});

it('an offer that is declined after its time goes to the next', async () => {
  const { world, wait, cancel, answer, offersOf, holder, bookingId, pass } = await createTaken();
  const [first, second] = [await createPerson(world), await createPerson(world)];
  const entry = await wait(first, nine);
  await wait(second, nine);
  await cancel(holder, bookingId);
  pass(31);
  expect((await answer(first, entry, 'decline')).status).toBe(200);
  expect(await offersOf(first)).toEqual([]);
  expect(await offersOf(second)).toMatchObject([{ schedule_time: '09:00:00' }]);
  expect(await passedOverIn(world.db)).toEqual([]);
  expect(await findViolations(world.db)).toEqual([]);
});

describe('a patient who never answers', () => {
  const createSilent = async () => {
    const waiting = await createWaiting();
    const person = await createPerson(waiting.world);
    const entry = await waiting.wait(person, { to: '2026-12-10' });
    /** Lets the time of an offer pass, and the job go on. */
    const stayAway = async (times: number) => {
      for (let at = 0; at < times; at++) {
        waiting.pass(30);
        await waiting.runJob();
      }
    };
    await waiting.runJob();
    const listed = async () =>
      (await waiting.world.request('/v1/waitlist', { token: person.token })).body.data;
    return { ...waiting, person, entry, stayAway, listed };
  };

  it('is offered three seats in a row and no more, sees so in the list, and may remove it', async () => {
    const { world, person, entry, stayAway, listed, staff } = await createSilent();
    await stayAway(2);
    expect(await listed()).toMatchObject([{ ended_as: null, offer: { schedule_date: date } }]);
    await stayAway(20);
    expect(await listed()).toMatchObject([{ id: entry, ended_as: 'unanswered', offer: null }]);
    const rows = await world.db.select().from(bookings);
    expect(rows.map(({ cancelReasonCode }) => cancelReasonCode)).toEqual(Array(3).fill('offer_lapsed'));
    expect((await world.request('/v1/admin/waitlist', { token: staff.token })).body.data).toEqual([]);
    const path = `/v1/waitlist/${entry}`;
    const remove = () => world.request(path, { method: 'DELETE', token: person.token });
    expect((await remove()).status).toBe(200);
    expect(await listed()).toEqual([]);
    expect((await remove()).status).toBe(404);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('stays on the list where an answer came in between', async () => {
    const { person, entry, answer, runJob, stayAway, listed } = await createSilent();
    await stayAway(2);
    expect((await answer(person, entry, 'decline')).status).toBe(200);
    await runJob();
    await stayAway(2);
    expect(await listed()).toMatchObject([{ ended_as: null, offer: { schedule_date: date } }]);
    await stayAway(1);
    expect(await listed()).toMatchObject([{ ended_as: 'unanswered' }]);
  });

  it('is out of the way of the next at the moment at which the third offer is over', async () => {
    const { world, person, stayAway, pass, cancel, book, wait, offersOf } = await createSilent();
    const [holder, next] = [await createPerson(world), await createPerson(world)];
    const { body } = await book(holder, { schedule_time: '15:00:00' });
    await wait(next, { earliest_time: '15:00:00' });
    await stayAway(2);
    pass(30);
    await cancel(holder, body.data.id);
    expect(await offersOf(person)).toEqual([]);
    expect(await offersOf(next)).toMatchObject([{ schedule_time: '15:00:00' }]);
  });
});
