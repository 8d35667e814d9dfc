import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { runWaitlist } from '../../../src/booking/waitlist/job.ts';
import { users } from '../../../src/tables/accounts.ts';
import { bookings } from '../../../src/tables/bookings.ts';
import { schedules, sessions } from '../../../src/tables/catalog.ts';
import { waitlistEntries } from '../../../src/tables/queues.ts';
import { bookingEvents } from '../../../src/tables/webhooks.ts';
import {
  bookingInput,
  createClosure,
  createDoctor,
  createPractice,
  createSchedule,
} from '../../support/clinic.ts';
import { findViolations } from '../../support/invariants.ts';
import { createPerson } from '../../support/people.ts';
import { createTaken, createWaiting, date, minuteMs, morning, wishOf } from '../../support/waitlist.ts';

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

  it('is offered by a move as well, and not to whoever moved away', async () => {
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

describe('an offer', () => {
  it('is accepted as a booking with a number, and the entry is done', async () => {
    const { world, wait, cancel, answer, offersOf, holder, bookingId } = await createTaken();
    const person = await createPerson(world);
    const id = await wait(person);
    await cancel(holder, bookingId);
    const [offer] = await offersOf(person);
    const history = async () =>
      (await world.request('/v1/bookings/history', { token: person.token })).body.data;
    expect(await history()).toEqual([]);
    const held = await world.request(`/v1/bookings/${offer.booking_id}`, { token: person.token });
    expect(held.body.data).toMatchObject({
      status: 'waiting',
      queue_number: 0,
      held_until: offer.held_until,
      allowed_actions: ['cancel', 'accept'],
    });
    const accepted = await answer(person, id, 'accept');
    expect(accepted).toMatchObject({
      status: 200,
      body: { data: { id: offer.booking_id, status: 'waiting', queue_number: 2, held_until: null } },
    });
    expect(await history()).toMatchObject([{ id: offer.booking_id }]);
    expect((await world.request('/v1/waitlist', { token: person.token })).body.data).toEqual([]);
    expect(await answer(person, id, 'accept')).toMatchObject({ status: 409, body: { code: 'no_offer' } });
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is approved at once where the session approves by itself', async () => {
    const { world, wait, cancel, answer, holder, bookingId } = await createTaken();
    await world.db.update(sessions).set({ approval: 'automatic' });
    const person = await createPerson(world);
    const id = await wait(person);
    await cancel(holder, bookingId);
    expect((await answer(person, id, 'accept')).body.data.status).toBe('approved');
    expect(await findViolations(world.db)).toEqual([]);
  });

  it.each(['decline', 'cancel'] as const)('that is declined (%s) goes to the next at once', async (how) => {
    const { world, wait, cancel, answer, offersOf, holder, bookingId, runJob } = await createTaken();
    const [first, second] = [await createPerson(world), await createPerson(world)];
    const id = await wait(first);
    await wait(second);
    await cancel(holder, bookingId);
    const [{ booking_id }] = await offersOf(first);
    if (how === 'decline') expect((await answer(first, id, 'decline')).status).toBe(200);
    else expect((await cancel(first, booking_id)).status).toBe(200);
    expect(await offersOf(first)).toEqual([]);
    expect(await offersOf(second)).toHaveLength(1);
    const [row] = await world.db.select().from(bookings).where(eq(bookings.id, booking_id));
    expect(row).toMatchObject({
      status: 'canceled',
      cancelReasonCode: 'offer_declined',
      canceledBy: 'patient',
    });
    await runJob();
    expect(
      (await offersOf(first)).filter((o: { schedule_time: string }) => o.schedule_time === '09:00:00'),
    ).toEqual([]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('that is not accepted in time lapses, and goes to the next in the same step', async () => {
    const { world, wait, cancel, answer, offersOf, holder, bookingId, runJob, pass } = await createTaken();
    const [first, second] = [await createPerson(world), await createPerson(world)];
    const id = await wait(first, { latest_time: '09:00:00', earliest_time: '09:00:00' });
    await wait(second, { latest_time: '09:00:00', earliest_time: '09:00:00' });
    await cancel(holder, bookingId);
    pass(29);
    await runJob();
    expect(await offersOf(first)).toHaveLength(1);
    pass(1);
    expect(await answer(first, id, 'accept')).toMatchObject({ status: 409, body: { code: 'no_offer' } });
    expect(await offersOf(first)).toEqual([]);
    await runJob();
    expect(await offersOf(second)).toHaveLength(1);
    pass(30);
    await runJob();
    const rows = await world.db.select().from(bookings);
    expect(rows.filter(({ status }) => status !== 'canceled')).toEqual([]);
    expect(rows.map(({ cancelReasonCode }) => cancelReasonCode).sort()).toEqual([
      'canceled',
      'offer_lapsed',
      'offer_lapsed',
    ]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('holds no seat after its time though no job ran: it is listed, and booked', async () => {
    const { world, wait, cancel, offersOf, holder, bookingId, pass, book, practice } = await createTaken();
    const first = await createPerson(world);
    await wait(first);
    await cancel(holder, bookingId);
    const listed = async () => {
      const path = `/v1/doctors/${practice.doctorId}/slots?from=${date}&to=${date}`;
      const { body } = await world.request(path);
      return body.data.some((slot: { schedule_time: string }) => slot.schedule_time === '09:00:00');
    };
    expect(await listed()).toBe(false);
    pass(30);
    expect(await listed()).toBe(true);
    expect((await book(await createPerson(world))).status).toBe(201);
    expect(await offersOf(first)).toEqual([]);
    const rows = await world.db.select().from(bookings);
    expect(rows.filter(({ status }) => status !== 'canceled')).toHaveLength(1);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('that is over does not keep its own patient from another seat of that time', async () => {
    const { world, wait, cancel, holder, bookingId, pass, book } = await createTaken();
    const first = await createPerson(world);
    await wait(first);
    await cancel(holder, bookingId);
    expect(await book(first, { schedule_time: '09:00:00' })).toMatchObject({
      status: 409,
      body: { code: 'patient_busy' },
    });
    pass(30);
    expect((await book(first)).status).toBe(201);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is neither approved nor checked in, moved or rejected before it is accepted', async () => {
    const { world, wait, cancel, offersOf, holder, bookingId, staff, practice } = await createTaken();
    const person = await createPerson(world);
    await wait(person);
    await cancel(holder, bookingId);
    const [{ booking_id }] = await offersOf(person);
    for (const verb of ['approve', 'check-in', 'reject', 'no-show'])
      expect(
        await world.request(`/v1/bookings/${booking_id}/${verb}`, { method: 'POST', token: staff.token }),
      ).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    const body = bookingInput(practice, { schedule_date: date, schedule_time: '10:00:00' });
    for (const { token } of [staff, person])
      expect(await world.request(`/v1/bookings/${booking_id}/reschedule`, { token, body })).toMatchObject({
        status: 409,
        body: { code: 'invalid_transition' },
      });
  });

  it('counts for no limit while it is held, and the limit holds when it is accepted', async () => {
    const { world, wait, cancel, answer, holder, bookingId, book } = await createTaken({
      MAX_LIVE_BOOKINGS: '1',
    });
    const person = await createPerson(world);
    const id = await wait(person);
    await cancel(holder, bookingId);
    expect((await book(person, { schedule_time: '11:00:00' })).status).toBe(201);
    expect(await answer(person, id, 'accept')).toMatchObject({
      status: 409,
      body: { code: 'too_many_bookings' },
    });
  });

  it('never lasts past the start of its slot', async () => {
    const { world, wait, cancel, offersOf, staff, bookingId } = await createTaken({
      MIN_NOTICE_MINUTES: '0',
    });
    const person = await createPerson(world);
    await wait(person);
    world.clock.now = Date.parse('2026-11-25T01:45:00Z');
    await cancel(staff, bookingId);
    expect(await offersOf(person)).toMatchObject([{ held_until: '2026-11-25T02:00:00.000Z' }]);
  });

  it('of the quiet hours lasts until half an hour after them', async () => {
    const { world, wait, cancel, offersOf, holder, bookingId } = await createTaken();
    const person = await createPerson(world);
    await wait(person);
    world.clock.now = Date.parse('2026-11-24T15:00:00Z');
    await cancel(holder, bookingId);
    expect(await offersOf(person)).toMatchObject([{ held_until: '2026-11-24T23:30:00.000Z' }]);
  });

  it('of the last two minutes before them too, since nobody is told of it any more that evening', async () => {
    const { world, wait, cancel, offersOf, holder, bookingId } = await createTaken();
    const person = await createPerson(world);
    await wait(person);
    world.clock.now = Date.parse('2026-11-24T13:58:30Z');
    await cancel(holder, bookingId);
    expect(await offersOf(person)).toMatchObject([{ held_until: '2026-11-24T23:30:00.000Z' }]);
  });

  it('is not made where its slot starts before anybody may be told: the seat stays free for all', async () => {
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

  it('is not made to an account that is shut, until it is open again', async () => {
    const { world, wait, cancel, offersOf, holder, bookingId, staff } = await createTaken();
    const [shut, next, noted] = [
      await createPerson(world),
      await createPerson(world),
      await createPerson(world),
    ];
    await wait(shut);
    await world.db.update(users).set({ deactivatedAt: world.clock.now }).where(eq(users.id, shut.id));
    await wait(next);
    await cancel(holder, bookingId);
    expect(await offersOf(next)).toHaveLength(1);
    // Whom the desk put on the list is called by the desk.
    await wait(staff, { patient_id: noted.id, earliest_time: '10:00:00', latest_time: '10:00:00' });
    await world.db.update(users).set({ deactivatedAt: world.clock.now }).where(eq(users.id, noted.id));
    await runWaitlist(world.deps, world.clock.now);
    await world.db.update(users).set({ deactivatedAt: null });
    expect(await offersOf(noted)).toHaveLength(1);
    expect(await offersOf(shut)).toEqual([]);
    await runWaitlist(world.deps, world.clock.now);
    expect(await offersOf(shut)).toHaveLength(1);
  });

  it('leaves with its entry, and goes to the next', async () => {
    const { world, wait, cancel, offersOf, holder, bookingId } = await createTaken();
    const [first, second] = [await createPerson(world), await createPerson(world)];
    const id = await wait(first);
    await wait(second);
    await cancel(holder, bookingId);
    const left = await world.request(`/v1/waitlist/${id}`, { method: 'DELETE', token: first.token });
    expect(left.status).toBe(200);
    expect(await offersOf(second)).toHaveLength(1);
    expect((await world.request('/v1/waitlist', { token: first.token })).body.data).toEqual([]);
    expect(await findViolations(world.db)).toEqual([]);
  });
});

describe('the job by the minute', () => {
  it('offers seats of more capacity and of a removed closure, each to somebody else', async () => {
    const { world, wait, offersOf, book, runJob, practice } = await createWaiting();
    await createClosure(world, { startDate: date, startTime: '09:30:00', endTime: '24:00:00' });
    await createClosure(world, { startDate: date, startTime: '00:00:00', endTime: '09:00:00' });
    await book(await createPerson(world));
    const people = await Promise.all(Array.from({ length: 4 }, () => createPerson(world)));
    for (const person of people) await wait(person);
    await runJob();
    const counts = () => Promise.all(people.map(async (person) => (await offersOf(person)).length));
    expect(await counts()).toEqual([0, 0, 0, 0]);
    await world.db.update(schedules).set({ capacity: 4 }).where(eq(schedules.doctorId, practice.doctorId));
    await runJob();
    expect(await counts()).toEqual([1, 1, 1, 0]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('looks as far ahead as may be booked, however far ahead somebody waits', async () => {
    const { world, wait, offersOf, runJob, practice } = await createWaiting();
    const [near, far] = [await createPerson(world), await createPerson(world)];
    const id = await wait(far);
    await wait(near);
    const dates = { fromDate: '9000-01-01', toDate: '9000-02-01' };
    await world.db.update(waitlistEntries).set(dates).where(eq(waitlistEntries.id, id));
    await runJob();
    expect(await offersOf(near)).toHaveLength(1);
    const later = { session_id: practice.sessionId, from: '2028-11-01', to: '2028-11-23' };
    const ask = () => world.request('/v1/waitlist', { token: near.token, body: later });
    expect(await ask()).toMatchObject({ status: 422, body: { errors: { to: [expect.any(String)] } } });
    later.to = '2028-11-22';
    expect((await ask()).body.errors).toBeUndefined();
  });

  it('looks at no more slots than somebody waits for', async () => {
    const { world, wait, offersOf, runJob, practice } = await createWaiting();
    const { sessionId } = practice;
    const doctorId = await createDoctor(world);
    // Of the other doctor 96 slots a day are free, more than are looked at.
    for (let weekday = 1; weekday <= 7; weekday++)
      await createSchedule(world, { doctorId: practice.doctorId, sessionId, weekday, slotMinutes: 15 });
    await createSchedule(world, { doctorId, sessionId, weekday: 5 });
    const person = await createPerson(world);
    const friday = { doctor_id: doctorId, from: '2026-11-24', to: '2027-02-19', latest_time: '09:00:00' };
    await wait(person, friday);
    await runJob();
    expect(await offersOf(person)).toMatchObject([{ schedule_date: '2026-11-27' }]);
  });

  it('ends what nobody can be offered any more', async () => {
    const { world, wait, runJob } = await createWaiting();
    const person = await createPerson(world);
    await wait(person);
    world.clock.now = Date.parse('2026-11-26T01:00:00Z');
    await runJob();
    expect((await world.request('/v1/waitlist', { token: person.token })).body.data).toEqual([]);
  });
});

describe('the desk', () => {
  it('waits for a patient, sees everybody and orders them', async () => {
    const { world, staff, wait, cancel, offersOf, holder, bookingId, practice } = await createTaken();
    const people = await Promise.all(Array.from({ length: 3 }, () => createPerson(world)));
    const ids: string[] = [];
    for (const person of people.slice(0, 2)) ids.push(await wait(person));
    const last = people[2] as (typeof people)[number];
    const made = await world.request('/v1/waitlist', {
      token: staff.token,
      body: wishOf(practice, { patient_id: last.id }),
    });
    ids.push(made.body.data.id);
    const order = async () =>
      (await world.request('/v1/admin/waitlist', { token: staff.token })).body.data.map(
        ({ id }: { id: string }) => ids.indexOf(id),
      );
    const put = (at: number, before: number | null) =>
      world.request(`/v1/admin/waitlist/${ids[at]}/move`, {
        token: staff.token,
        body: { before_id: before === null ? null : ids[before], reason: 'urgent' },
      });
    expect(await order()).toEqual([0, 1, 2]);
    await put(0, null);
    expect(await order()).toEqual([1, 2, 0]);
    await put(0, 2);
    expect(await order()).toEqual([1, 0, 2]);
    await put(2, 1);
    expect(await order()).toEqual([2, 1, 0]);
    await cancel(holder, bookingId);
    expect(await offersOf(last)).toHaveLength(1);
  });
});
