import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { securityEvents } from '../../../src/core/tables/accounts.ts';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { bookingInput, createSchedule } from '../../support/clinic.ts';
import { act, book, type Clinic, detail } from '../../support/clinic-people.ts';
import { close, monday, resolve, setUp } from '../../support/closures.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import { findViolations } from '../../support/invariants.ts';
import { createPerson } from '../../support/people.ts';
import type { World } from '../../support/world.ts';

/** Each a patient of its own. */
const bookAt = async (world: World, clinic: Clinic, ...times: string[]) => {
  const ids: string[] = [];
  for (const schedule_time of times)
    ids.push(await book(world, clinic, { schedule_time }, (await createPerson(world)).token));
  return ids;
};

const resultsOf = (answer: { body: { data: { booking_id: string; result: string }[] } }) =>
  answer.body.data.map(({ booking_id, result }) => [booking_id, result]);

describe('the bookings under a closure', () => {
  it('are canceled, each with its event, reason and the role that did it', async () => {
    const { world, clinic } = await setUp();
    const [first = '', second = ''] = await bookAt(world, clinic, '09:00:00', '10:00:00');
    const closure = await close(world, clinic);
    const done = await resolve(world, clinic.doctor, closure, { action: 'cancel' });
    expect([done.status, done.body.meta]).toEqual([200, { remaining: 0 }]);
    expect(resultsOf(done)).toEqual([
      [first, 'canceled'],
      [second, 'canceled'],
    ]);
    expect((await detail(world, clinic.staff, first)).cancellation).toMatchObject({
      by: 'doctor',
      reason_code: 'closure',
    });
    const events = (await world.db.select().from(bookingEvents)).filter(
      ({ type }) => type === 'booking.canceled',
    );
    expect(events.map(({ bookingId, actorRole }) => [bookingId, actorRole])).toEqual([
      [first, 'doctor'],
      [second, 'doctor'],
    ]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('are moved to the next open slot of their session, each to one of its own, and nobody to an earlier one', async () => {
    const { world, clinic } = await setUp();
    await bookAt(world, clinic, '09:00:00', '09:30:00');
    const closure = await close(world, clinic, { startTime: '09:00:00', endTime: '10:00:00' });
    const moved = await resolve(world, clinic.staff, closure, { action: 'move' });
    expect(moved.body.data.map(({ moved_to }: { moved_to: object }) => moved_to)).toEqual([
      { doctor_id: clinic.practice.doctorId, schedule_date: monday, schedule_time: '10:00:00' },
      { doctor_id: clinic.practice.doctorId, schedule_date: monday, schedule_time: '10:30:00' },
    ]);
    expect((await resolve(world, clinic.staff, closure, { action: 'move' })).body.data).toEqual([]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('are moved to the next day where the doctor is away the whole day', async () => {
    const { world, clinic } = await setUp();
    const [id = ''] = await bookAt(world, clinic, '15:30:00');
    const closure = await close(world, clinic);
    const moved = await resolve(world, clinic.admin, closure, { action: 'move' });
    expect(moved.body.data).toMatchObject([
      {
        booking_id: id,
        result: 'moved',
        moved_to: { schedule_date: '2026-11-24', schedule_time: '08:00:00' },
      },
    ]);
  });

  it('are moved to another doctor who holds the session, and otherwise left as they are', async () => {
    const { world, clinic } = await setUp();
    const { practice, others } = clinic;
    const [id = ''] = await bookAt(world, clinic, '09:00:00');
    const closure = await close(world, clinic);
    const body = { action: 'move', to_doctor_id: others.doctorId };
    const left = await resolve(world, clinic.staff, closure, body);
    expect([resultsOf(left), left.body.meta.remaining]).toEqual([[[id, 'no_slot']], 0]);
    expect((await detail(world, clinic.staff, id)).version).toBe(1);
    const hours = { doctorId: others.doctorId, sessionId: practice.sessionId };
    await createSchedule(world, { ...hours, startTime: '17:00:00', endTime: '18:00:00' });
    const moved = await resolve(world, clinic.staff, closure, body);
    expect(moved.body.data[0]).toMatchObject({
      result: 'moved',
      moved_to: { doctor_id: others.doctorId, schedule_time: '17:00:00' },
    });
  });

  it('are not moved onto another booking of the patient, nor before the notice', async () => {
    const { world, clinic } = await setUp();
    const token = clinic.patient.token;
    await book(world, clinic, { schedule_time: '09:00:00' });
    const other = bookingInput(clinic.others, { schedule_time: '10:00:00' });
    expect((await world.request('/v1/bookings', { token, body: other })).status).toBe(201);
    world.clock.now += 75 * 60_000;
    const closure = await close(world, clinic, { startTime: '09:00:00', endTime: '10:00:00' });
    const moved = await resolve(world, clinic.staff, closure, { action: 'move' });
    // 08:15: 08:30 is within the notice, at 10:00 the patient is elsewhere.
    expect(moved.body.data[0].moved_to.schedule_time).toBe('10:30:00');
  });

  it('are previewed by a dry run, which changes nothing and is what then happens', async () => {
    const { world, clinic } = await setUp();
    await bookAt(world, clinic, '09:00:00', '09:30:00', '10:00:00');
    const closure = await close(world, clinic);
    const before = await world.db.select().from(bookings);
    const preview = await resolve(world, clinic.staff, closure, { action: 'move', dry_run: true });
    expect(await world.db.select().from(bookings)).toEqual(before);
    const done = await resolve(world, clinic.staff, closure, { action: 'move' });
    expect(preview.body.data).toEqual(done.body.data);
    expect(preview.body.message).not.toBe(done.body.message);
  });
});

describe('a long list of bookings', () => {
  it('is dealt with fifty a call, and asked again it goes on', async () => {
    const { world, clinic } = await setUp({ capacity: 60 });
    await bookAt(world, clinic, ...Array.from({ length: 53 }, () => '09:00:00'));
    const closure = await close(world, clinic);
    const first = await resolve(world, clinic.staff, closure, { action: 'cancel' });
    expect([first.body.data.length, first.body.meta.remaining]).toEqual([50, 3]);
    const second = await resolve(world, clinic.staff, closure, { action: 'move' });
    expect([second.body.data.length, second.body.meta.remaining]).toEqual([3, 0]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('that cannot be moved does not keep those behind it from being moved', async () => {
    const { world, clinic } = await setUp({ capacity: 60 });
    const times = Array.from({ length: 52 }, () => '09:00:00');
    const ids = await bookAt(world, clinic, ...times);
    for (const id of ids.slice(0, 51)) {
      await act(world, clinic.staff, id, 'approve');
      await act(world, clinic.staff, id, 'check-in');
    }
    const closure = await close(world, clinic);
    const body = { action: 'move', to_doctor_id: clinic.others.doctorId };
    const done = await resolve(world, clinic.staff, closure, body);
    expect([done.body.data.length, done.body.meta.remaining]).toEqual([52, 0]);
  });

  it('goes on after a crash in the middle, under the same idempotency key too', async () => {
    const { world, clinic } = await setUp();
    await bookAt(world, clinic, '09:00:00', '10:00:00', '11:00:00');
    const closure = await close(world, clinic);
    const headers = { 'Idempotency-Key': 'tutup-1' };
    beforeRoundTrip(world, 5, () => Promise.reject(new Error('crash')));
    const crashed = await resolve(world, clinic.staff, closure, { action: 'cancel' }, headers);
    expect(crashed.status).toBe(500);
    const canceled = async () =>
      (await world.db.select().from(bookings)).filter(({ status }) => status === 'canceled').length;
    expect(await canceled()).toBe(1);
    const again = await resolve(world, clinic.staff, closure, { action: 'cancel' }, headers);
    expect([again.status, again.body.data.length, await canceled()]).toEqual([200, 2, 3]);
    const replayed = await resolve(world, clinic.staff, closure, { action: 'cancel' }, headers);
    expect([replayed.headers.get('Idempotency-Replayed'), replayed.body]).toEqual(['true', again.body]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('leaves out bookings canceled meanwhile', async () => {
    const { world, clinic } = await setUp();
    const [first = ''] = await bookAt(world, clinic, '09:00:00', '10:00:00');
    const closure = await close(world, clinic);
    beforeRoundTrip(world, 4, () => act(world, clinic.admin, first, 'cancel'));
    const done = await resolve(world, clinic.staff, closure, { action: 'cancel' });
    expect([done.body.data.length, done.body.meta.remaining]).toEqual([1, 1]);
    const again = await resolve(world, clinic.staff, closure, { action: 'cancel' });
    expect([again.body.data, again.body.meta]).toEqual([[], { remaining: 0 }]);
    expect((await detail(world, clinic.staff, first)).cancellation.reason_code).toBe('canceled');
  });

  it.each([
    ['cancel', 3],
    ['cancel', 4],
    ['move', 3],
    ['move', 5],
  ])('leaves out whoever the desk moved away meanwhile (%s, at step %i)', async (action, step) => {
    const { world, clinic } = await setUp();
    const [first = ''] = await bookAt(world, clinic, '09:00:00', '10:00:00');
    const closure = await close(world, clinic);
    const to = { schedule_date: '2026-12-01', schedule_time: '11:00:00' };
    beforeRoundTrip(world, step, () => act(world, clinic.admin, first, 'reschedule', to));
    const done = await resolve(world, clinic.staff, closure, { action });
    expect(done.body.data.map(({ booking_id }: { booking_id: string }) => booking_id)).not.toContain(first);
    // It was not looked at in its new version: the next call does.
    expect(done.body.meta.remaining).toBe(1);
    const again = await resolve(world, clinic.staff, closure, { action });
    expect([again.body.data, again.body.meta]).toEqual([[], { remaining: 0 }]);
    expect(await detail(world, clinic.staff, first)).toMatchObject({ ...to, cancellation: null });
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('leaves a booking that changed under its closure for the next call', async () => {
    const { world, clinic } = await setUp();
    const [first = ''] = await bookAt(world, clinic, '09:00:00', '10:00:00');
    const closure = await close(world, clinic);
    beforeRoundTrip(world, 4, () => act(world, clinic.admin, first, 'approve'));
    const done = await resolve(world, clinic.staff, closure, { action: 'cancel' });
    expect([done.body.data.length, done.body.meta.remaining]).toEqual([1, 1]);
    const again = await resolve(world, clinic.staff, closure, { action: 'cancel' });
    expect([resultsOf(again), again.body.meta.remaining]).toEqual([[[first, 'canceled']], 0]);
  });
});

it('writes one line into the audit trail for a call, only with counts and ids', async () => {
  const { world, clinic } = await setUp();
  await bookAt(world, clinic, '09:00:00');
  const closure = await close(world, clinic);
  await resolve(world, clinic.staff, closure, { action: 'cancel' });
  const [line] = await world.db
    .select()
    .from(securityEvents)
    .where(eq(securityEvents.type, 'closure_resolved'));
  expect(JSON.parse(line?.detail ?? '')).toEqual({ closure_id: closure, action: 'cancel', bookings: 1 });
});
