import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { users } from '../../../src/core/tables/accounts.ts';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { createSchedule, createSession } from '../../support/clinic.ts';
import { act, book, detail } from '../../support/clinic-people.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import { findViolations } from '../../support/invariants.ts';
import { createPeople, createPerson } from '../../support/people.ts';
import { createQueue } from '../../support/queue.ts';

const second = 1_000;

describe('calling the next patient', () => {
  it('goes by slot, then by check-in, among those who are there', async () => {
    const { world, come, does, called, next } = await createQueue();
    const [late, early, missing, waiting] = await come(['09:30', '09:00', '08:30', '08:00'], []);
    const [sooner] = await come(['09:30'], []);
    for (const id of [sooner, late, early]) {
      world.clock.now += second;
      await does(`${id}`, 'approve', 'check-in');
    }
    await does(`${missing}`, 'approve');
    expect([await called(), await called(), await called()]).toEqual([early, sooner, late]);
    expect(await next()).toMatchObject({ status: 409, body: { code: 'queue_empty' } });
    expect(waiting).toBeDefined();
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('answers with the booking, and leaves the event of a call', async () => {
    const { world, clinic, come, next } = await createQueue();
    const [id = ''] = await come(['09:00']);
    const answer = await next(clinic.doctor);
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { id, queue_label: 'A-01', version: 4, visit: { status: 'called', call_count: 1 } } },
    });
    expect(await detail(world, clinic.staff, id)).toMatchObject(answer.body.data);
    const { body } = await world.request(`/v1/bookings/${id}/events`, { token: clinic.staff.token });
    expect(body.data.at(-1)).toMatchObject({ type: 'booking.called', by: 'doctor', version: 4 });
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is of one session where that is named, and of every session otherwise', async () => {
    const { world, clinic, come, does, next } = await createQueue();
    const session = await createSession(world, 'Imunisasi');
    const { doctorId } = clinic.practice;
    await createSchedule(world, { doctorId, sessionId: session, startTime: '06:30:00', endTime: '08:00:00' });
    const [first] = await come(['09:00']);
    const { token } = await createPerson(world);
    const early = { session_id: session, schedule_time: '07:30:00' };
    const other = await book(world, clinic, early, token);
    await does(other, 'approve', 'check-in');
    const ofFirst = { session_id: clinic.practice.sessionId };
    expect((await next(clinic.staff, ofFirst)).body.data.id).toBe(first);
    expect((await next(clinic.staff, ofFirst)).body.code).toBe('queue_empty');
    expect((await next()).body.data).toMatchObject({ id: other, queue_label: 'B-01' });
  });

  it('is for reception, admin and the doctor concerned', async () => {
    const { world, clinic, come, next } = await createQueue();
    await come(['09:00', '09:30', '10:00']);
    for (const who of [clinic.staff, clinic.admin, clinic.doctor]) expect((await next(who)).status).toBe(200);
    for (const who of [clinic.otherDoctor, clinic.patient]) expect((await next(who)).status).toBe(403);
    const unknown = `/v1/doctors/${crypto.randomUUID()}/queue/next`;
    expect((await world.request(unknown, { token: clinic.staff.token, body: {} })).status).toBe(404);
  });

  it('calls each of 200 once, in 200 calls at once', async () => {
    const { world, clinic, next } = await createQueue(200);
    const ids: string[] = [];
    for (const { token } of await createPeople(world, 200)) ids.push(await book(world, clinic, {}, token));
    const there = { status: 'approved' as const, checkedInAt: world.clock.now };
    await world.db.update(bookings).set(there);
    const answers = await Promise.all(
      Array.from({ length: 201 }, (_, at) => next(at % 2 === 0 ? clinic.staff : clinic.doctor)),
    );
    const called = answers.filter(({ status }) => status === 200).map(({ body }) => body.data.id as string);
    expect(called.toSorted()).toEqual(ids.toSorted());
    expect(answers.filter(({ status }) => status !== 200).map(({ body }) => body.code)).toEqual([
      'queue_empty',
    ]);
    const rows = await world.db.select().from(bookings);
    expect(rows.every(({ callCount, version }) => callCount === 1 && version === 2)).toBe(true);
    const events = await world.db.select().from(bookingEvents).where(eq(bookingEvents.version, 2));
    expect(events).toHaveLength(200);
  });

  it('calls once under one idempotency key, also ten times at once', async () => {
    const { world, clinic, come, next } = await createQueue();
    await come(['09:00', '09:30', '10:00']);
    const headers = { 'Idempotency-Key': 'panggil' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => next(clinic.staff, {}, headers)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const called = (await world.db.select().from(bookings)).filter(({ calledAt }) => calledAt !== null);
    expect(called).toHaveLength(1);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('calls who is next at the moment of writing, not at that of reading', async () => {
    const { world, come, does, next } = await createQueue();
    const [, second] = await come(['09:00', '09:30']);
    const [early = ''] = await come(['08:30'], ['approve']);
    // Before the write somebody with an earlier slot comes, whom the reading did not see.
    const seen = beforeRoundTrip(world, 2, () => does(early, 'check-in'));
    expect((await next()).body.data.id).toBe(early);
    expect(seen.roundTrips).toBe(4);
    beforeRoundTrip(world, 2, async () => {
      const [first] = (await world.db.select().from(bookings)).filter((row) => row.queueNumber === 1);
      await does(`${first?.id}`, 'cancel');
    });
    expect((await next()).body.data.id).toBe(second);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('calls nobody again for a repeat that comes between the reading and the writing of the first', async () => {
    const { world, clinic, come, next } = await createQueue();
    await come(['09:00', '09:30']);
    const headers = { 'Idempotency-Key': 'panggil' };
    let repeated: unknown;
    beforeRoundTrip(world, 2, async () => {
      repeated = (await next(clinic.staff, {}, headers)).body;
    });
    expect((await next(clinic.staff, {}, headers)).body).toEqual(repeated);
    const called = (await world.db.select().from(bookings)).filter(({ calledAt }) => calledAt !== null);
    expect(called).toHaveLength(1);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('decides again on somebody who changed meanwhile and still is the next', async () => {
    const { world, come, does, next } = await createQueue();
    const [id = ''] = await come(['09:00']);
    beforeRoundTrip(world, 2, () => does(id, 'call', 'skip'));
    expect((await next()).body.data).toMatchObject({ id, version: 6, visit: { call_count: 1 } });
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('calls nobody for somebody who lost the role or the login meanwhile', async () => {
    const { world, clinic, come, next } = await createQueue();
    await come(['09:00']);
    const demoted = () =>
      world.db.update(users).set({ role: 'patient' }).where(eq(users.id, clinic.staff.id));
    beforeRoundTrip(world, 2, async () => void (await demoted()));
    expect((await next()).status).toBe(403);
    const colleague = await createPerson(world, 'staff');
    const out = () => world.request('/v1/auth/logout', { method: 'POST', token: colleague.token });
    beforeRoundTrip(world, 2, out);
    expect((await next(colleague)).status).toBe(401);
    const [row] = await world.db.select().from(bookings);
    expect(row?.calledAt).toBeNull();
  });

  it('is never dated before the first call, though it began before it', async () => {
    const { world, come, does, called } = await createQueue();
    const [id = ''] = await come(['09:00']);
    beforeRoundTrip(world, 2, async () => {
      world.clock.now += second;
      await does(id, 'call', 'skip');
    });
    expect(await called()).toBe(id);
    expect(await findViolations(world.db)).toEqual([]);
  });
});

describe('skipping who did not come', () => {
  it('puts the booking behind the next two who are there', async () => {
    const { world, clinic, come, does, called } = await createQueue();
    const [first = '', ...others] = await come(['09:00', '09:00', '09:30', '10:00', '10:30']);
    expect(await called()).toBe(first);
    const { body } = await act(world, clinic.staff, first, 'skip');
    expect(body.data).toMatchObject({ visit: { status: 'checked_in', called_at: null, call_count: 0 } });
    const [second, third, fourth, fifth] = others;
    const order = [await called(), await called(), await called(), await called(), await called()];
    expect(order).toEqual([second, third, first, fourth, fifth]);
    await does(first, 'complete');
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('puts it behind the last where fewer are there, and leaves it first where nobody else is', async () => {
    const { come, does, called } = await createQueue();
    const [first = '', second] = await come(['09:00', '09:30']);
    await called();
    await does(first, 'skip');
    expect([await called(), await called()]).toEqual([second, first]);
    await does(first, 'skip');
    expect(await called()).toBe(first);
  });

  it('keeps each behind two, however many are skipped after one another', async () => {
    const { world, come, does, called } = await createQueue();
    const ids = await come(['08:00', '08:00', '08:30', '09:00', '09:30', '10:00']);
    const [a = '', b = '', c, d, e, f] = ids;
    await called();
    await does(a, 'skip'); // b c a d e f
    await called();
    await does(b, 'skip'); // c a b d e f
    expect([await called(), await called()]).toEqual([c, a]);
    world.clock.now += second;
    await does(a, 'skip'); // b d a e f
    expect([await called(), await called(), await called()]).toEqual([b, d, a]);
    await does(a, 'skip'); // e f a
    expect([await called(), await called(), await called()]).toEqual([e, f, a]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is for who was called, by the clinic, in the version that is named', async () => {
    const { world, clinic, come, does } = await createQueue();
    const [id = ''] = await come(['09:00']);
    const skip = (who = clinic.staff, body = {}) => act(world, who, id, 'skip', body);
    expect((await skip()).body).toMatchObject({ code: 'invalid_transition', visit: 'checked_in' });
    await does(id, 'call');
    expect((await skip(clinic.patient)).status).toBe(403);
    expect((await skip(clinic.otherDoctor)).status).toBe(404);
    expect((await skip(clinic.staff, { version: 3 })).body.code).toBe('version_mismatch');
    expect((await skip(clinic.doctor, { version: 4 })).status).toBe(200);
    const { body } = await world.request(`/v1/bookings/${id}/events`, { token: clinic.staff.token });
    expect(body.data.at(-1)).toMatchObject({ type: 'booking.skipped', by: 'doctor' });
  });
});
