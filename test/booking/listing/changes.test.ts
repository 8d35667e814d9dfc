import { asc, eq, lte, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { eventsLookedThrough } from '../../../src/core/events/feed-queries.ts';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { act, book, type Clinic, createClinic } from '../../support/clinic-people.ts';
import { copyRow, otherId } from '../../support/copies.ts';
import { createPeople } from '../../support/people.ts';
import { createWorld, type World } from '../../support/world.ts';

interface Change {
  sequence: number;
  type: string;
  by: string;
  booking_id: string;
  gone: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the detail holds.
  booking: any;
  previous: object | null;
}

const ask = (world: World, who: { token: string }, after: number, limit = 50) =>
  world.request(`/v1/bookings/changes?after=${after}&limit=${limit}`, { token: who.token });

/** Everything since, page by page, until no more follows. */
const since = async (world: World, who: { token: string }, after: number, limit = 50) => {
  const all: Change[] = [];
  let from = after;
  let more = true;
  while (more) {
    const { status, body } = await ask(world, who, from, limit);
    if (status !== 200) throw new Error(JSON.stringify(body));
    if (body.meta.sequence < from) throw new Error('It goes back.');
    all.push(...body.data);
    from = body.meta.sequence;
    more = body.meta.more;
  }
  return { all, sequence: from };
};

const toOthers = (clinic: Clinic) => ({
  doctor_id: clinic.others.doctorId,
  session_id: clinic.others.sessionId,
  schedule_date: '2026-11-24',
  schedule_time: '09:00:00',
});

describe('the changes since', () => {
  it('begin where the list ends: one item an event, in order, each with the booking as it is now', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { capacity: 3 });
    const before = await book(world, clinic);
    const list = await world.request('/v1/bookings', { token: clinic.staff.token });
    const start = list.body.meta.sequence;
    expect((await ask(world, clinic.staff, start)).body).toMatchObject({
      data: [],
      meta: { sequence: start, more: false },
    });
    await act(world, clinic.staff, before, 'approve');
    const made = await book(world, clinic, {}, clinic.stranger.token);
    await act(world, clinic.stranger, made, 'cancel');
    const { all, sequence } = await since(world, clinic.staff, start);
    expect(all.map(({ type, by, booking_id }) => [type, by, booking_id])).toEqual([
      ['booking.approved', 'staff', before],
      ['booking.created', 'patient', made],
      ['booking.canceled', 'patient', made],
    ]);
    expect(all.map((change) => change.sequence)).toEqual([start + 1, start + 2, start + 3]);
    expect(sequence).toBe(start + 3);
    const whole = await world.request('/v1/bookings?date=2026-11-23', { token: clinic.staff.token });
    for (const { booking, gone } of all) {
      expect(gone).toBe(false);
      expect(whole.body.data).toContainEqual(booking);
    }
    for (const limit of [1, 2]) expect((await since(world, clinic.staff, start, limit)).all).toEqual(all);
    expect((await ask(world, clinic.patient, 0)).status).toBe(403);
  });

  it('show a doctor only the own bookings, and of a booking that moved to another doctor only its id', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { capacity: 3 });
    const stays = await book(world, clinic);
    const leaves = await book(world, clinic, {}, clinic.stranger.token);
    const strange = await book(world, { ...clinic, practice: clinic.others }, { schedule_time: '10:00:00' });
    await act(world, clinic.staff, leaves, 'reschedule', toOthers(clinic));
    await act(world, clinic.staff, leaves, 'approve');
    const seen = async (who: { token: string }) =>
      (await since(world, who, 0)).all.map(({ type, booking_id, gone, booking }) => [
        type.slice(8),
        booking_id,
        gone,
        booking?.id,
      ]);
    expect(await seen(clinic.doctor)).toEqual([
      ['created', stays, false, stays],
      ['created', leaves, true, undefined],
      ['rescheduled', leaves, true, undefined],
    ]);
    expect(await seen(clinic.otherDoctor)).toEqual([
      ['created', leaves, false, leaves],
      ['created', strange, false, strange],
      ['rescheduled', leaves, false, leaves],
      ['approved', leaves, false, leaves],
    ]);
    expect(await seen(clinic.admin)).toHaveLength(5);
    const sequences = await Promise.all(
      [clinic.doctor, clinic.otherDoctor, clinic.staff].map(
        async (who) => (await since(world, who, 0)).sequence,
      ),
    );
    expect(new Set(sequences).size).toBe(1);
  });

  it('say of a move where the booking was, also to the doctor whom it left', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { capacity: 3 });
    const id = await book(world, clinic);
    await act(world, clinic.staff, id, 'reschedule', toOthers(clinic));
    const was = {
      doctor_id: clinic.practice.doctorId,
      schedule_date: '2026-11-23',
      schedule_time: '09:00:00',
    };
    for (const who of [clinic.staff, clinic.doctor, clinic.otherDoctor]) {
      const { all } = await since(world, who, 0);
      expect(all.find(({ type }) => type === 'booking.rescheduled')?.previous).toMatchObject(was);
      expect(
        all.filter(({ type }) => type !== 'booking.rescheduled').every((one) => one.previous === null),
      ).toBe(true);
    }
  });

  it('go on also where nothing was for the caller, and look through so many events a request and no more', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const strange = await book(world, { ...clinic, practice: clinic.others });
    await copyRow(world, bookingEvents, eventsLookedThrough + 20, {
      sequence: sql`null`,
      writeId: otherId('write_id'),
      bookingId: otherId('booking_id'),
    });
    const last = eventsLookedThrough + 21;
    const own = await book(world, clinic, { schedule_time: '11:00:00' });
    const first = await ask(world, clinic.doctor, 0);
    expect(first.body).toMatchObject({ data: [], meta: { sequence: eventsLookedThrough, more: true } });
    const { all, sequence } = await since(world, clinic.doctor, 0);
    expect(all).toMatchObject([{ booking_id: own, sequence: last + 1 }]);
    expect(sequence).toBe(last + 1);
    // Events without a booking: their bookings are gone for everybody.
    const whole = (await since(world, clinic.staff, 0, 100)).all;
    expect(whole).toHaveLength(last + 1);
    expect(whole.filter(({ gone }) => gone)).toHaveLength(last - 1);
    expect(whole[0]?.booking_id).toBe(strange);
  });

  it('are only those of bookings, and continue past the others', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    const other = { sequence: sql`null`, writeId: otherId('write_id'), bookingId: otherId('booking_id') };
    await copyRow(world, bookingEvents, 2, { ...other, type: sql`'patient.updated'` });
    expect((await since(world, clinic.staff, 0)).all.map(({ booking_id }) => booking_id)).toEqual([id]);
    expect((await ask(world, clinic.staff, 1)).body).toMatchObject({
      data: [],
      meta: { sequence: 3, more: false },
    });
  });

  it('are 410 where later events are no longer stored, and where the database is older than the number', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    await act(world, clinic.staff, id, 'approve');
    await act(world, clinic.staff, id, 'cancel');
    await world.db.delete(bookingEvents).where(lte(bookingEvents.sequence, 1));
    expect((await ask(world, clinic.staff, 0)).body).toMatchObject({ code: 'changes_gone' });
    expect((await ask(world, clinic.staff, 0)).status).toBe(410);
    expect((await since(world, clinic.staff, 1)).all).toHaveLength(2);
    expect((await since(world, clinic.staff, 3)).all).toEqual([]);
    expect((await ask(world, clinic.staff, 4)).status).toBe(410);
    for (const after of ['', 'x', '-1', '1.5', '99999999999999999999'])
      expect(
        (await world.request(`/v1/bookings/changes?after=${after}`, { token: clinic.staff.token })).status,
      ).toBe(400);
    expect((await world.request('/v1/bookings/changes', { token: clinic.staff.token })).status).toBe(400);
  });

  it('skip nothing while many write at once: a reader gets every event, once and in order', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { capacity: 40 });
    const people = await createPeople(world, 30);
    let isOver = false;
    const reader = async (who: { token: string }, limit: number): Promise<Change[]> => {
      const all: Change[] = [];
      let after = 0;
      while (true) {
        const last = isOver;
        const { body } = await ask(world, who, after, limit);
        all.push(...body.data);
        after = body.meta.sequence;
        if (last && !body.meta.more) return all;
      }
    };
    const write = async ({ token }: { token: string }, at: number) => {
      const id = await book(world, clinic, {}, token);
      await act(world, clinic.staff, id, 'approve');
      if (at % 2 === 0) await act(world, { token }, id, 'cancel');
      if (at % 3 === 0 && at % 2 !== 0) await act(world, clinic.staff, id, 'reschedule', toOthers(clinic));
    };
    const reading = [reader(clinic.staff, 3), reader(clinic.admin, 100), reader(clinic.doctor, 7)];
    await Promise.allSettled(people.map(write));
    isOver = true;
    const [few, many, own] = await Promise.all(reading);
    const written = await world.db.select().from(bookingEvents).orderBy(asc(bookingEvents.sequence));
    const expected = written.map(({ sequence, bookingId }) => [sequence, bookingId]);
    const seen = (all: Change[] = []) => all.map(({ sequence, booking_id }) => [sequence, booking_id]);
    expect(written.length).toBeGreaterThan(60);
    expect(seen(few)).toEqual(expected);
    expect(seen(many)).toEqual(expected);
    const theirs = await world.db
      .select({ id: bookings.id })
      .from(bookings)
      .where(eq(bookings.doctorId, clinic.practice.doctorId));
    const ids = new Set(theirs.map(({ id }) => id));
    const ofTheirs = expected.filter(([, id]) => ids.has(`${id}`));
    expect(seen(own).filter(([, id]) => ids.has(`${id}`))).toEqual(ofTheirs);
  });
});
