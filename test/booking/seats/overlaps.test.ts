import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { deviceLogins } from '../../../src/core/tables/accounts.ts';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { schedules } from '../../../src/core/tables/catalog.ts';
import { bookingInput, createPractice, createSchedule } from '../../support/clinic.ts';
import { act, book, createClinic, detail } from '../../support/clinic-people.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import { findViolations } from '../../support/invariants.ts';
import { createWorld } from '../../support/world.ts';

const tuesday = '2026-11-24';
const day = { startTime: '00:00:00', endTime: '24:00:00' };
const allDay = { ...day, slotMinutes: 1_440 };

const setUp = async (schedule: Parameters<typeof createClinic>[1] = {}) => {
  const world = await createWorld();
  const clinic = await createClinic(world, schedule);
  const ask = (who: { token: string }, practice: typeof clinic.practice, fields: object) =>
    world.request('/v1/bookings', { token: who.token, body: bookingInput(practice, fields as never) });
  return { world, clinic, ask };
};

describe('a visit of a whole day', () => {
  it('keeps its patient busy to its last minute, and not beyond midnight on either side', async () => {
    const { world, clinic, ask } = await setUp(allDay);
    const halves = await createPractice(world, day);
    const id = await book(world, clinic, { schedule_date: tuesday, schedule_time: '00:00:00' });
    const at = (schedule_date: string, schedule_time: string) =>
      ask(clinic.patient, halves, { schedule_date, schedule_time });
    for (const time of ['00:00:00', '11:30:00', '12:30:00', '23:30:00'])
      expect(await at(tuesday, time)).toMatchObject({
        status: 409,
        body: { code: 'patient_busy', booking_id: id },
      });
    expect((await at('2026-11-23', '23:30:00')).status).toBe(201);
    expect((await at('2026-11-25', '00:00:00')).status).toBe(201);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('keeps its doctor from another start that the hours came to offer after it was booked', async () => {
    const { world, clinic, ask } = await setUp(allDay);
    await book(world, clinic, { schedule_date: tuesday, schedule_time: '00:00:00' });
    await world.db.update(schedules).set({ retiredAt: 1 });
    for (const weekday of [1, 2, 3]) await createSchedule(world, { ...clinic.practice, weekday, ...day });
    const at = (schedule_date: string, schedule_time: string) =>
      ask(clinic.stranger, clinic.practice, { schedule_date, schedule_time });
    for (const time of ['00:30:00', '12:30:00', '23:30:00'])
      expect((await at(tuesday, time)).body.code).toBe('slot_full');
    const listed = await world.request(`/v1/doctors/${clinic.practice.doctorId}/slots?to=2026-11-25`);
    const datesListed = listed.body.data.map(({ schedule_date: date }: { schedule_date: string }) => date);
    expect(new Set(datesListed)).toEqual(new Set(['2026-11-23', '2026-11-25']));
    expect((await at('2026-11-23', '23:30:00')).status).toBe(201);
    expect((await at('2026-11-25', '00:00:00')).status).toBe(201);
    expect(await findViolations(world.db)).toEqual([]);
  });
});

describe('bookings that follow each other', () => {
  it('are no overlap, before and after, for the patient and for the doctor', async () => {
    const { world, clinic, ask } = await setUp();
    await book(world, clinic, { schedule_time: '10:00:00' });
    for (const schedule_time of ['09:30:00', '10:30:00']) {
      expect((await ask(clinic.patient, clinic.others, { schedule_time })).status).toBe(201);
      expect((await ask(clinic.stranger, clinic.practice, { schedule_time })).status).toBe(201);
    }
    expect(await findViolations(world.db)).toEqual([]);
  });
});

describe('a booking that was canceled', () => {
  it('blocks neither the patient nor the doctor', async () => {
    const { world, clinic, ask } = await setUp(allDay);
    const halves = await createPractice(world, day);
    const id = await book(world, clinic, { schedule_date: tuesday, schedule_time: '00:00:00' });
    const noon = { schedule_date: tuesday, schedule_time: '12:00:00' };
    expect((await ask(clinic.patient, halves, noon)).body.code).toBe('patient_busy');
    await act(world, clinic.patient, id, 'cancel');
    expect((await ask(clinic.patient, halves, noon)).status).toBe(201);
    await world.db.update(schedules).set({ retiredAt: 1 }).where(eq(schedules.weekday, 2));
    await createSchedule(world, { ...clinic.practice, weekday: 2, ...day });
    expect((await ask(clinic.stranger, clinic.practice, noon)).status).toBe(201);
  });
});

describe('of several bookings that conflict', () => {
  it('the earliest is named', async () => {
    const { world, clinic, ask } = await setUp();
    const long = await createPractice(world, { slotMinutes: 120 });
    await book(world, clinic, { schedule_time: '11:30:00' });
    const earliest = await book(world, clinic, { schedule_time: '10:30:00' });
    const busy = await ask(clinic.patient, long, { schedule_time: '10:00:00' });
    expect(busy.body).toMatchObject({ code: 'patient_busy', booking_id: earliest });
  });

  it('none is named to a doctor who may not see it', async () => {
    const { world, clinic, ask } = await setUp();
    const id = await book(world, clinic);
    const fields = { patient_id: clinic.patient.id };
    await book(world, clinic, { ...bookingInput(clinic.others), schedule_date: '2026-11-25' });
    const refused = await ask(clinic.otherDoctor, clinic.others, fields);
    expect(refused).toMatchObject({ status: 409, body: { code: 'patient_busy' } });
    expect(refused.body).not.toHaveProperty('booking_id');
    const own = await ask(clinic.doctor, clinic.practice, fields);
    expect(own.body).toMatchObject({ code: 'patient_busy', booking_id: id });
  });

  it('reports the patient’s own overlap rather than the full slot', async () => {
    const { world, clinic, ask } = await setUp();
    await ask(clinic.stranger, clinic.others, {});
    const own = await book(world, clinic);
    const refused = await ask(clinic.patient, clinic.others, {});
    expect(refused.body).toMatchObject({ code: 'patient_busy', booking_id: own });
  });
});

describe('rescheduling to another doctor at the same time', () => {
  const toOthers = ({ others }: Awaited<ReturnType<typeof createClinic>>) => ({
    doctor_id: others.doctorId,
    session_id: others.sessionId,
    schedule_date: '2026-11-23',
    schedule_time: '09:00:00',
  });

  it('does not conflict with itself, and frees the old seat', async () => {
    const { world, clinic, ask } = await setUp();
    const id = await book(world, clinic);
    const moved = await act(world, clinic.patient, id, 'reschedule', toOthers(clinic));
    expect(moved.body.data).toMatchObject({ id, doctor_id: clinic.others.doctorId, queue_number: 1 });
    expect((await ask(clinic.stranger, clinic.practice, {})).status).toBe(201);
    expect((await ask(clinic.staff, clinic.others, { patient_id: clinic.staff.id })).body.code).toBe(
      'slot_full',
    );
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('finds a seat that somebody else has there taken, before and while it is decided', async () => {
    const { world, clinic, ask } = await setUp();
    const id = await book(world, clinic);
    beforeRoundTrip(world, 2, () => ask(clinic.stranger, clinic.others, {}));
    for (let tries = 0; tries < 2; tries++) {
      const refused = await act(world, clinic.patient, id, 'reschedule', toOthers(clinic));
      expect(refused).toMatchObject({ status: 409, body: { code: 'slot_full' } });
    }
    expect(await detail(world, clinic.patient, id)).toMatchObject({
      doctor_id: clinic.practice.doctorId,
      version: 1,
    });
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('takes the lowest seat that is free there', async () => {
    const { world, clinic, ask } = await setUp({ capacity: 2 });
    const others = await createPractice(world, { capacity: 3 });
    for (const who of [clinic.stranger, clinic.otherDoctor])
      expect((await ask(who, others, {})).status).toBe(201);
    const id = await book(world, clinic);
    const there = { ...toOthers({ ...clinic, others }) };
    expect((await act(world, clinic.staff, id, 'reschedule', there)).status).toBe(200);
    const [row] = await world.db.select().from(bookings).where(eq(bookings.id, id));
    expect(row?.seat).toBe(3);
  });

  it('is the patient’s and the reception’s to make: a doctor hands nobody to a colleague', async () => {
    const { world, clinic } = await setUp();
    const id = await book(world, clinic);
    const refused = await act(world, clinic.doctor, id, 'reschedule', toOthers(clinic));
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await detail(world, clinic.staff, id)).version).toBe(1);
  });
});

describe('a login that ends while a booking is on its way', () => {
  it.each([
    [0, 401],
    [1, 201],
  ])('%i ms after now answers %i', async (left, status) => {
    const { world, clinic, ask } = await setUp();
    const expiresAt = world.clock.now + left;
    beforeRoundTrip(world, 2, async () =>
      world.db.update(deviceLogins).set({ expiresAt }).where(eq(deviceLogins.userId, clinic.patient.id)),
    );
    expect((await ask(clinic.patient, clinic.practice, {})).status).toBe(status);
  });

  it('does not authorize the other person’s request', async () => {
    const { world, clinic, ask } = await setUp();
    beforeRoundTrip(world, 2, async () =>
      world.db
        .update(deviceLogins)
        .set({ userId: clinic.stranger.id })
        .where(eq(deviceLogins.userId, clinic.patient.id)),
    );
    expect((await ask(clinic.patient, clinic.practice, {})).status).toBe(401);
  });
});

describe('the limit of upcoming bookings', () => {
  const limited = async () => {
    const world = await createWorld({ MAX_LIVE_BOOKINGS: '2' });
    const clinic = await createClinic(world);
    const at = (schedule_time: string, fields: object = {}, who = clinic.patient) =>
      world.request('/v1/bookings', {
        token: who.token,
        body: bookingInput(clinic.practice, { schedule_time, ...fields }),
      });
    return { world, clinic, at };
  };

  it('counts neither what has begun nor what was canceled', async () => {
    const { world, clinic, at } = await limited();
    const [first, second] = [await at('09:00:00'), await at('10:00:00')];
    expect((await at('11:00:00')).body.code).toBe('too_many_bookings');
    await act(world, clinic.patient, second.body.data.id, 'cancel');
    expect((await at('11:00:00')).status).toBe(201);
    world.clock.now = Date.parse((await detail(world, clinic.patient, first.body.data.id)).starts_at) - 1;
    expect((await at('12:00:00')).body.code).toBe('too_many_bookings');
    world.clock.now += 1;
    expect((await at('12:00:00')).status).toBe(201);
  });

  it('binds neither a booking that the reception makes for the patient, nor a move', async () => {
    const { world, clinic, at } = await limited();
    const { id } = (await at('09:00:00')).body.data;
    await at('10:00:00');
    const forPatient = await at('11:00:00', { patient_id: clinic.patient.id }, clinic.staff);
    expect(forPatient.status).toBe(201);
    const later = { schedule_date: '2026-11-25', schedule_time: '09:00:00' };
    // Not even if the limit was set below the existing bookings.
    world.deps.config = { ...world.deps.config, MAX_LIVE_BOOKINGS: 1 };
    expect((await act(world, clinic.patient, id, 'reschedule', later)).status).toBe(200);
  });
});
