import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { users } from '../../../src/core/tables/accounts.ts';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { sessions } from '../../../src/core/tables/catalog.ts';
import { runWaitlist } from '../../../src/modules/booking/waitlist/job.ts';
import { bookingInput } from '../../support/clinic.ts';
import { findViolations } from '../../support/invariants.ts';
import { createPerson } from '../../support/people.ts';
import { createTaken, date } from '../../support/waitlist.ts';

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
    // A patient without an account, added by the desk, is called by the desk.
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
