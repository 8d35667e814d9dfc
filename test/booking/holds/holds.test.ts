import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { doctors, schedules } from '../../../src/core/tables/catalog.ts';
import { holds } from '../../../src/core/tables/queues.ts';
import { holdMs } from '../../../src/modules/booking/holds/rules.ts';
import {
  bookingInput,
  createClosure,
  createPractice,
  createSchedule,
  createSession,
} from '../../support/clinic.ts';
import { bookHeld, codesOn, createHolding, headersOf, hold, seatsListed } from '../../support/holds.ts';
import { findViolations } from '../../support/invariants.ts';
import { addKey } from '../../support/keys.ts';
import { createPerson } from '../../support/people.ts';
import { createWaiting, date } from '../../support/waitlist.ts';
import { createWorld } from '../../support/world.ts';

describe('a slot that is held', () => {
  it('is not there until the clinic turns logging in by code on and can send mail', async () => {
    for (const settings of [{}, { LOGIN_BY_CODE: 'on' }, { MAIL_API_URL: codesOn.MAIL_API_URL }]) {
      const world = await createWorld(settings);
      const practice = await createPractice(world);
      const { token } = await createPerson(world);
      const path = `/v1/holds/${world.deps.newId()}`;
      expect(await hold(world, practice)).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect(await hold(world, practice, { token })).toMatchObject({ status: 404 });
      expect(await world.request(path, { headers: headersOf({ secret: 'x' }) })).toMatchObject({
        status: 404,
      });
      expect(await world.request(path, { method: 'DELETE' })).toMatchObject({ status: 404 });
      expect((await bookHeld(world, practice, { token, secret: 'x' })).status).toBe(201);
      expect(await world.db.select().from(holds)).toEqual([]);
    }
  });

  it('takes its seat from everybody else for five minutes, in the list and in booking alike', async () => {
    const { world, practice } = await createHolding();
    const { token } = await createPerson(world);
    const held = await hold(world, practice);
    expect(held).toMatchObject({
      status: 201,
      body: {
        data: {
          doctor_id: practice.doctorId,
          session_id: practice.sessionId,
          schedule_date: '2026-11-23',
          schedule_time: '09:00:00',
          ends_at: '2026-11-23T02:30:00.000Z',
          expires_at: new Date(world.clock.now + 300_000).toISOString(),
        },
      },
    });
    expect(held.headers.get('Location')).toBe(`/v1/holds/${held.body.data.id}`);
    const refused = await bookHeld(world, practice, { token });
    expect(refused).toMatchObject({ status: 409, body: { code: 'slot_full' } });
    expect(refused.body.alternatives).toHaveLength(3);
    expect(await seatsListed(world, practice)).toBe(0);
    expect(await hold(world, practice, { address: '203.0.113.8' })).toMatchObject({
      status: 409,
      body: { code: 'slot_full' },
    });
    world.clock.now += holdMs - 1;
    expect((await bookHeld(world, practice, { token })).status).toBe(409);
    expect(await seatsListed(world, practice)).toBe(0);
    // Over at its instant, though no job has run.
    world.clock.now += 1;
    expect(await seatsListed(world, practice)).toBe(1);
    expect((await bookHeld(world, practice, { token })).status).toBe(201);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('becomes the booking of whoever has its secret, and is gone with it', async () => {
    const { world, practice } = await createHolding();
    const { id, secret } = (await hold(world, practice)).body.data;
    const patient = await createPerson(world);
    const booked = await bookHeld(world, practice, { token: patient.token, secret });
    expect(booked.status).toBe(201);
    expect(await world.db.select().from(holds)).toEqual([]);
    expect(await world.request(`/v1/holds/${id}`, { headers: headersOf({ secret }) })).toMatchObject({
      status: 404,
    });
    const rows = await world.db.select().from(bookings);
    expect(rows.map(({ patientId, seat, overbooked }) => [patientId, seat, overbooked])).toEqual([
      [patient.id, 1, 0],
    ]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('serves nobody twice: its secret is worth nothing afterwards', async () => {
    const { world, practice } = await createHolding();
    const { secret } = (await hold(world, practice)).body.data;
    const [first, second] = [await createPerson(world), await createPerson(world)];
    const answers = await Promise.all([
      bookHeld(world, practice, { token: first.token, secret }),
      bookHeld(world, practice, { token: second.token, secret }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is a booking once, however often the request is repeated', async () => {
    const { world, practice } = await createHolding();
    const { secret } = (await hold(world, practice)).body.data;
    const { token } = await createPerson(world);
    const sent = {
      token,
      body: {
        ...practice,
        doctor_id: practice.doctorId,
        session_id: practice.sessionId,
        schedule_date: '2026-11-23',
        schedule_time: '09:00:00',
        notes: '',
      },
      headers: { 'Idempotency-Key': 'kunci-tahan', ...headersOf({ secret }) },
    };
    const answers = await Promise.all(Array.from({ length: 5 }, () => world.request('/v1/bookings', sent)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.data?.id}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
  });

  it('ends with the last: a new one takes its place, once the new slot is won', async () => {
    const { world, practice } = await createHolding();
    const other = { schedule_time: '10:00:00' };
    const { token } = await createPerson(world);
    const first = (await hold(world, practice)).body.data;
    const second = await hold(world, practice, { secret: first.secret }, other);
    expect(second.status).toBe(201);
    expect([await seatsListed(world, practice), await seatsListed(world, practice, '10:00:00')]).toEqual([
      1, 0,
    ]);
    await bookHeld(world, practice, { token });
    // The slot is taken: what is held stays held.
    const refused = await hold(world, practice, { secret: second.body.data.secret });
    expect(refused).toMatchObject({ status: 409, body: { code: 'slot_full' } });
    expect(await seatsListed(world, practice, '10:00:00')).toBe(0);
    // Of an account, on any of its devices; a secret of the same slot begins anew.
    const person = await createPerson(world);
    await hold(world, practice, { token: person.token }, { schedule_time: '11:00:00' });
    await hold(world, practice, { token: person.token }, { schedule_time: '11:00:00' });
    await hold(world, practice, { token: person.token }, { schedule_time: '11:30:00' });
    const rows = await world.db.select().from(holds).where(eq(holds.accountId, person.id));
    expect(rows.map(({ scheduleTime }) => scheduleTime)).toEqual(['11:30:00']);
  });

  it('is shown and given back by its secret or its login alone', async () => {
    const { world, practice } = await createHolding();
    const owner = await createPerson(world);
    const stranger = await createPerson(world);
    const guest = (await hold(world, practice)).body.data;
    const own = (await hold(world, practice, { token: owner.token }, { schedule_time: '10:00:00' })).body
      .data;
    const { secret: _, ...shown } = guest;
    const ask = (id: string, by: { token?: string; secret?: string }, method = 'GET') =>
      world.request(`/v1/holds/${id}`, {
        method,
        headers: headersOf(by),
        ...(by.token !== undefined && { token: by.token }),
      });
    expect((await ask(guest.id, { secret: guest.secret })).body.data).toEqual(shown);
    expect((await ask(own.id, { token: owner.token })).status).toBe(200);
    for (const method of ['GET', 'DELETE']) {
      expect((await ask(guest.id, {}, method)).status).toBe(404);
      expect((await ask(guest.id, { secret: own.secret }, method)).status).toBe(404);
      expect((await ask(guest.id, { token: stranger.token }, method)).status).toBe(404);
      expect((await ask(own.id, { token: stranger.token }, method)).status).toBe(404);
      expect((await ask(own.id, { token: 'x.y.z' }, method)).status).toBe(401);
    }
    expect(await ask(own.id, { token: owner.token }, 'DELETE')).toMatchObject({
      status: 200,
      body: { message: 'Jadwal ini sudah Anda lepaskan.' },
    });
    expect(await seatsListed(world, practice, '10:00:00')).toBe(1);
    world.clock.now += holdMs;
    expect((await ask(guest.id, { secret: guest.secret })).status).toBe(404);
    expect((await ask(guest.id, { secret: guest.secret }, 'DELETE')).status).toBe(404);
  });

  it('of an account needs no secret to be booked by it, and stays nobody’s obstacle when it moves there', async () => {
    const { world, practice } = await createHolding();
    const { token } = await createPerson(world);
    await hold(world, practice, { token });
    const booked = await bookHeld(world, practice, { token });
    expect(booked.status).toBe(201);
    expect(await world.db.select().from(holds)).toEqual([]);
    await hold(world, practice, { token }, { schedule_time: '10:00:00' });
    const moved = await world.request(`/v1/bookings/${booked.body.data.id}/reschedule`, {
      token,
      body: { schedule_date: '2026-11-23', schedule_time: '10:00:00' },
    });
    expect(moved.status).toBe(200);
    expect(await world.db.select().from(holds)).toEqual([]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('keeps the doctor from other slots at that time, also those of another session', async () => {
    const { world, practice } = await createHolding();
    const long = await createSession(world, 'Tindakan');
    await createSchedule(world, {
      ...{ doctorId: practice.doctorId, sessionId: long, weekday: 2 },
      ...{ startTime: '08:00:00', endTime: '16:00:00', slotMinutes: 60 },
    });
    await world.db
      .update(schedules)
      .set({ validUntil: '2026-11-23' })
      .where(eq(schedules.sessionId, practice.sessionId));
    const { token } = await createPerson(world);
    // Held when the grid was another.
    const { secret } = (
      await hold(world, { ...practice, sessionId: long }, {}, { schedule_date: '2026-11-24' })
    ).body.data;
    await world.db
      .update(schedules)
      .set({ slotMinutes: 30, startTime: '09:30:00' })
      .where(eq(schedules.sessionId, long));
    await world.db.update(doctors).set({ calendarVersion: 2 });
    const slot = { session_id: long, schedule_date: '2026-11-24', schedule_time: '09:30:00' };
    expect(await bookHeld(world, practice, { token }, slot)).toMatchObject({
      status: 409,
      body: { code: 'slot_full' },
    });
    expect(await hold(world, practice, { address: '198.51.100.9' }, slot)).toMatchObject({ status: 409 });
    expect((await bookHeld(world, practice, { token, secret }, slot)).status).toBe(201);
    expect(await world.db.select().from(holds)).toEqual([]);
  });

  it('is refused where a patient could not book: a closed, past or unknown slot', async () => {
    const { world, practice } = await createHolding();
    await createClosure(world, { startDate: '2026-11-25' });
    const refusals = [
      [{ schedule_date: '2026-11-25' }, 422, 'slot_unavailable', 'holiday'],
      [{ schedule_time: '09:10:00' }, 422, 'slot_unavailable', 'not_offered'],
      [{ schedule_date: '2026-11-22' }, 422, 'slot_unavailable', 'past'],
      [{ session_id: world.deps.newId() }, 422, 'session_not_offered', undefined],
      [{ doctor_id: world.deps.newId() }, 422, 'doctor_not_found', undefined],
    ] as const;
    for (const [fields, status, code, reason] of refusals)
      expect(await hold(world, practice, {}, fields)).toMatchObject({
        status,
        body: { code, ...(reason && { reason }) },
      });
    expect(await hold(world, practice, {}, { schedule_time: 'siang' })).toMatchObject({ status: 422 });
    expect(await world.db.select().from(holds)).toEqual([]);
  });

  it('does not survive the slot: booked under a new closure it is refused as any', async () => {
    const { world, practice } = await createHolding();
    const { secret } = (await hold(world, practice)).body.data;
    await createClosure(world, { startDate: '2026-11-23' });
    const { token } = await createPerson(world);
    await world.db.update(doctors).set({ calendarVersion: 2 });
    expect(await bookHeld(world, practice, { token, secret })).toMatchObject({
      status: 422,
      body: { code: 'slot_unavailable', reason: 'holiday' },
    });
  });

  it('keeps its seat though the clinic overbooks the slot meanwhile', async () => {
    const { world, practice } = await createHolding();
    const { secret } = (await hold(world, practice)).body.data;
    const staff = await createPerson(world, 'staff');
    const [walkIn, guest, late] = [
      await createPerson(world),
      await createPerson(world),
      await createPerson(world),
    ];
    const fields = { patient_id: walkIn.id };
    expect((await bookHeld(world, practice, { token: staff.token }, fields)).status).toBe(409);
    const beyond = await bookHeld(world, practice, { token: staff.token }, { ...fields, overbook: true });
    expect(beyond.status).toBe(201);
    expect((await bookHeld(world, practice, { token: guest.token, secret })).status).toBe(201);
    expect((await bookHeld(world, practice, { token: late.token })).status).toBe(409);
    const rows = await world.db.select().from(bookings);
    expect(new Map(rows.map(({ patientId, overbooked }) => [patientId, overbooked]))).toEqual(
      new Map([
        [walkIn.id, 1],
        [guest.id, 0],
      ]),
    );
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('of an account keeps its seat then, too, though nobody names its secret: booked, or moved into', async () => {
    const { world, practice } = await createHolding();
    const staff = await createPerson(world, 'staff');
    const [holder, first, second] = [
      await createPerson(world),
      await createPerson(world),
      await createPerson(world),
    ];
    const overbook = (patient_id: string, fields: object = {}) =>
      bookHeld(world, practice, { token: staff.token }, { patient_id, overbook: true, ...fields });
    await hold(world, practice, { token: holder.token });
    expect((await overbook(first.id)).status).toBe(201);
    const booked = await bookHeld(world, practice, { token: holder.token });
    expect(booked.status).toBe(201);
    const later = { schedule_time: '10:00:00' };
    await hold(world, practice, { token: holder.token }, later);
    expect((await overbook(second.id, later)).status).toBe(201);
    const path = `/v1/bookings/${booked.body.data.id}/reschedule`;
    const move = (token: string) =>
      world.request(path, { token, body: { schedule_date: '2026-11-23', ...later } });
    expect((await move(holder.token)).status).toBe(200);
    expect(await world.db.select().from(holds)).toEqual([]);
    expect((await bookHeld(world, practice, { token: first.token }, later)).status).toBe(409);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('tells nothing of its secret: not in the database, the addresses, or the answer to a read', async () => {
    const { world, practice } = await createHolding();
    const { id, secret } = (await hold(world, practice)).body.data;
    expect(secret).toMatch(/^[\w-]{43}$/);
    const [row] = await world.db.select().from(holds);
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(row?.network).toBeNull();
    const shown = await world.request(`/v1/holds/${id}`, { headers: headersOf({ secret }) });
    expect(JSON.stringify([shown.body, ...shown.headers])).not.toContain(secret);
  });
});

describe('beside the waitlist, a hold', () => {
  it('keeps its seat from an offer, and gives it to the first who waits once it is over', async () => {
    const { world, practice, wait, offersOf, runJob, book, cancel } = await createWaiting(codesOn, 2);
    const [holder, other, waiting] = [
      await createPerson(world),
      await createPerson(world),
      await createPerson(world),
    ];
    const at = { schedule_date: date };
    const ids = [(await book(holder)).body.data.id, (await book(other)).body.data.id];
    await wait(waiting, { earliest_time: '09:00:00', latest_time: '09:00:00' });
    expect((await hold(world, practice, {}, at)).status).toBe(409);
    await world.db.update(schedules).set({ capacity: 3 });
    await world.db.update(doctors).set({ calendarVersion: 2 });
    expect((await hold(world, practice, {}, at)).status).toBe(201);
    await runJob();
    expect(await offersOf(waiting)).toEqual([]);
    // Back to two seats: one is free by the count of bookings, and it is held.
    await world.db.update(schedules).set({ capacity: 2 });
    await cancel(holder, ids[0]);
    expect(await offersOf(waiting)).toEqual([]);
    world.clock.now += holdMs;
    await runJob();
    expect(await offersOf(waiting)).toMatchObject([{ schedule_time: '09:00:00' }]);
    expect(await findViolations(world.db)).toEqual([]);
  });
});

describe('of the last seat', () => {
  it.each([1, 3])('%i of a hundred get one, who hold it or book it at once', async (capacity) => {
    const { world, practice } = await createHolding({}, { capacity });
    const people = await Promise.all(Array.from({ length: 50 }, () => createPerson(world)));
    const answers = await Promise.all(
      people.flatMap(({ token }, at) => [
        hold(world, practice, { address: `198.51.100.${at}` }),
        bookHeld(world, practice, { token }),
      ]),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(capacity);
    expect(new Set(answers.filter(({ status }) => status !== 201).map(({ body }) => body.code))).toEqual(
      new Set(['slot_full']),
    );
    // Each hold is worth a booking, and no more than the capacity are booked.
    const secrets = answers.map(({ body }) => body.data?.secret).filter((one) => one !== undefined);
    const late = await Promise.all(
      secrets.map(async (secret) =>
        bookHeld(world, practice, { token: (await createPerson(world)).token, secret }),
      ),
    );
    expect(late.every(({ status }) => status === 201)).toBe(true);
    expect(await world.db.select().from(bookings)).toHaveLength(capacity);
    expect(await findViolations(world.db)).toEqual([]);
  });
});

describe('a flood of holds', () => {
  const limited = { RATE_LIMIT: 'on' };
  const at = (n: number) => ({
    schedule_date: `2026-11-${String(24 + Math.floor(n / 16)).padStart(2, '0')}`,
    schedule_time: `${String(8 + Math.floor((n % 16) / 2)).padStart(2, '0')}:${n % 2 === 0 ? '00' : '30'}:00`,
  });

  it('holds ten slots for a network, and says when the first is over; others are held as before', async () => {
    const { world, practice } = await createHolding(limited);
    const answers = [];
    for (let n = 0; n < 12; n++) answers.push(await hold(world, practice, {}, at(n)));
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(201), 429, 429]);
    expect(answers[10]).toMatchObject({ body: { code: 'rate_limited' } });
    expect(answers[10]?.headers.get('Retry-After')).toBe('300');
    expect((await hold(world, practice, { address: '198.51.100.1' }, at(12))).status).toBe(201);
    // One's own hold may still move, and who has a login has a hold of their own.
    const secret = answers[0]?.body.data.secret;
    expect((await hold(world, practice, { secret }, at(13))).status).toBe(201);
    const { token } = await createPerson(world);
    expect((await hold(world, practice, { token }, at(14))).status).toBe(201);
    world.clock.now += holdMs;
    expect((await hold(world, practice, {}, at(0))).status).toBe(201);
  });

  it('of many networks holds twelve seats of a doctor’s day and sixty in all; who has a login holds and books as before', async () => {
    const { world, practice } = await createHolding(limited);
    const from = (n: number) => ({ address: `198.51.100.${n}` });
    const ofDay = await Promise.all(
      Array.from({ length: 16 }, (_, n) => hold(world, practice, from(n), at(n))),
    );
    const refused = ofDay.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(4);
    for (const one of refused) {
      expect(one.body.code).toBe('rate_limited');
      expect(one.headers.get('Retry-After')).toBe('300');
    }
    world.clock.now += 1_000;
    for (let n = 12; n < 60; n++) {
      const day = 1 + Math.floor(n / 12);
      expect((await hold(world, practice, from(n), at(16 * (day - 1) + (n % 12))))?.status).toBe(201);
    }
    const over = await hold(world, practice, from(61), at(80));
    expect(over).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(over.headers.get('Retry-After')).toBe('299');
    // One's own hold may move, an account has a hold of its own, and a slot is booked without one.
    const { token } = await createPerson(world);
    expect((await hold(world, practice, { token }, at(80))).status).toBe(201);
    const booked = await world.request('/v1/bookings', { token, body: bookingInput(practice, at(81)) });
    expect(booked.status).toBe(201);
    world.clock.now += holdMs;
    expect((await hold(world, practice, from(61), at(82))).status).toBe(201);
  });

  it('is no matter of a key of the clinic: it holds for more guests than a person may', async () => {
    const { world, practice } = await createHolding(limited);
    const { token } = await addKey(world, ['bookings:write']);
    for (let n = 0; n < 40; n++) expect((await hold(world, practice, { token }, at(n))).status).toBe(201);
  });

  it('is slowed down for a network that holds and gives back without end', async () => {
    const { world, practice } = await createHolding(limited);
    const statuses = [];
    for (let n = 0; n < 25; n++) {
      const { status, body } = await hold(world, practice, {}, at(n % 16));
      statuses.push(status);
      if (status === 201)
        await world.request(`/v1/holds/${body.data.id}`, {
          method: 'DELETE',
          headers: headersOf({ secret: body.data.secret }),
        });
    }
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(201));
    expect(statuses.slice(20)).toContain(429);
    expect((await hold(world, practice, { address: '198.51.100.1' })).status).toBe(201);
  });
});
