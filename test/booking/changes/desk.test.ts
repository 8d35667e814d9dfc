import { describe, expect, it } from 'vitest';
import { schedules } from '../../../src/core/tables/catalog.ts';
import { bookingInput, createClosure } from '../../support/clinic.ts';
import { act, book, type Clinic, createClinic, detail } from '../../support/clinic-people.ts';
import { findViolations } from '../../support/invariants.ts';
import { createPerson } from '../../support/people.ts';
import { createWorld, mondayMorning, type World } from '../../support/world.ts';

const nine = Date.parse('2026-11-23T02:00:00Z');
const monday = '2026-11-23';
/** Half an hour before midnight in Jakarta. */
const sunday = Date.parse('2026-11-22T16:30:00Z');

const setUp = async (schedule: Parameters<typeof createClinic>[1] = {}, now = mondayMorning) => {
  const world = await createWorld({}, now);
  return { world, clinic: await createClinic(world, schedule) };
};

/** Asks for Monday 09:00, for a new patient unless one is named. */
const ask = async (
  world: World,
  clinic: Clinic,
  fields: Record<string, unknown> = {},
  who: { token: string } = clinic.staff,
  headers: Record<string, string> = {},
) => {
  const patient_id = fields.patient_id ?? (await createPerson(world)).id;
  const body = bookingInput(clinic.practice, { ...fields, patient_id });
  return world.request('/v1/bookings', { token: who.token, body, headers });
};

const eventsOf = async (world: World, { staff }: Clinic, id: string) =>
  (await world.request(`/v1/bookings/${id}/events`, { token: staff.token })).body.data.map(
    ({ type }: { type: string }) => type,
  );

describe('a booking that the clinic makes', () => {
  it.each(['staff', 'doctor', 'admin'] as const)('is approved at once, made by %s', async (role) => {
    const { world, clinic } = await setUp({ capacity: 2 });
    // A doctor books for those who have or had a booking with them.
    await book(world, clinic, { schedule_date: '2026-11-24' });
    const made = await ask(world, clinic, { patient_id: clinic.patient.id }, clinic[role]);
    expect(made).toMatchObject({ status: 201, body: { data: { status: 'approved' } } });
    expect(await eventsOf(world, clinic, made.body.data.id)).toEqual(['booking.created']);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('needs a patient', async () => {
    const { world, clinic } = await setUp();
    const body = bookingInput(clinic.practice);
    const { status, body: answer } = await world.request('/v1/bookings', { token: clinic.staff.token, body });
    expect([status, Object.keys(answer.errors)]).toEqual([422, ['patient_id']]);
  });

  it('may be of a slot that runs, and of none that has ended', async () => {
    const { world, clinic } = await setUp();
    const end = nine + 30 * 60_000;
    world.clock.now = end - 1;
    expect((await ask(world, clinic, { check_in: true })).status).toBe(201);
    world.clock.now = end;
    expect((await ask(world, clinic, { check_in: true })).body).toMatchObject({
      code: 'slot_unavailable',
      reason: 'past',
    });
  });

  it('is checked in by the same step, only today', async () => {
    const { world, clinic } = await setUp();
    const headers = { 'Idempotency-Key': 'datang-langsung' };
    const fields = { check_in: true, patient_id: clinic.patient.id };
    const made = await ask(world, clinic, fields, clinic.staff, headers);
    const { id } = made.body.data;
    expect(await detail(world, clinic.staff, id)).toMatchObject({
      status: 'approved',
      version: 1,
      visit: { status: 'checked_in', checked_in_at: new Date(world.clock.now).toISOString() },
    });
    expect(await eventsOf(world, clinic, id)).toEqual(['booking.created']);
    expect((await ask(world, clinic, fields, clinic.staff, headers)).body).toEqual(made.body);
    const tomorrow = await ask(world, clinic, { check_in: true, schedule_date: '2026-11-24' });
    expect(tomorrow).toMatchObject({ status: 422, body: { errors: { check_in: [expect.any(String)] } } });
    expect((await act(world, clinic.staff, id, 'call')).status).toBe(200);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it.each(['check_in', 'overbook'])(
    'no patient asks for %s, nor a doctor with a colleague',
    async (field) => {
      const { world, clinic } = await setUp();
      for (const who of [clinic.patient, clinic.otherDoctor]) {
        const body = bookingInput(clinic.practice, { [field]: true });
        const { status, body: answer } = await world.request('/v1/bookings', { token: who.token, body });
        expect([status, answer.code]).toEqual([403, 'forbidden']);
      }
      const body = bookingInput(clinic.practice, { [field]: false });
      expect((await world.request('/v1/bookings', { token: clinic.patient.token, body })).status).toBe(201);
    },
  );
});

describe('a seat beyond the capacity', () => {
  it('is one of five, however many are requested at once, and is marked', async () => {
    const { world, clinic } = await setUp({ capacity: 2 });
    for (let made = 0; made < 2; made++) expect((await ask(world, clinic)).status).toBe(201);
    expect((await ask(world, clinic)).body.code).toBe('slot_full');
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask(world, clinic, { overbook: true })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 409, 409, 409]);
    const [won] = answers.filter(({ status }) => status === 201);
    expect((await detail(world, clinic.staff, won?.body.data.id)).overbooked).toBe(true);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is an ordinary one where one is free', async () => {
    const { world, clinic } = await setUp();
    const made = await ask(world, clinic, { overbook: true });
    expect((await detail(world, clinic.staff, made.body.data.id)).overbooked).toBe(false);
  });

  it('is not given in a closed slot, nor across another booking of the doctor', async () => {
    const { world, clinic } = await setUp();
    await createClosure(world, { startDate: monday, startTime: '09:00:00', endTime: '09:30:00' });
    expect((await ask(world, clinic, { overbook: true })).body.reason).toBe('holiday');
    const { id } = (await ask(world, clinic, { schedule_time: '10:00:00' })).body.data;
    const [schedule] = await world.db.select().from(schedules);
    const changed = await world.request(`/v1/admin/schedules/${schedule?.id}`, {
      method: 'PATCH',
      token: clinic.admin.token,
      body: { start_time: '09:45:00' },
    });
    expect([id === undefined, changed.status]).toEqual([false, 200]);
    const across = await ask(world, clinic, { overbook: true, schedule_time: '09:45:00' });
    expect(across.body.code).toBe('slot_full');
  });

  it('leaves nothing free until fewer are live than the capacity, for a booking and for a move', async () => {
    const { world, clinic } = await setUp();
    const first = (await ask(world, clinic)).body.data.id;
    const second = (await ask(world, clinic, { overbook: true })).body.data.id;
    const ten = { schedule_date: monday, schedule_time: '10:00:00' };
    const later = (await ask(world, clinic, ten)).body.data.id;
    const there = { schedule_date: monday, schedule_time: '09:00:00' };
    const remaining = async () => {
      const path = `/v1/doctors/${clinic.practice.doctorId}/slots?from=${monday}&to=${monday}&include=unavailable`;
      const { data } = (await world.request(path)).body;
      return data.find((slot: { schedule_time: string }) => slot.schedule_time === '09:00:00').remaining;
    };
    expect(await remaining()).toBe(0);
    await act(world, clinic.staff, first, 'cancel');
    expect(await remaining()).toBe(0);
    expect((await ask(world, clinic)).body.code).toBe('slot_full');
    expect((await act(world, clinic.staff, later, 'reschedule', there)).body.code).toBe('slot_full');
    const away = await act(world, clinic.staff, second, 'reschedule', { ...ten, schedule_time: '11:00:00' });
    expect(away.body.data.overbooked).toBe(false);
    expect(await remaining()).toBe(1);
    expect((await act(world, clinic.staff, later, 'reschedule', there)).status).toBe(200);
    expect(await findViolations(world.db)).toEqual([]);
  });
});

describe('a session that approves by itself', () => {
  const automatic = async () => {
    const { world, clinic } = await setUp();
    const id = await book(world, clinic);
    const path = `/v1/admin/sessions/${clinic.practice.sessionId}`;
    const changed = await world.request(path, {
      method: 'PATCH',
      token: clinic.admin.token,
      body: { approval: 'automatic' },
    });
    expect(changed.body.data.approval).toBe('automatic');
    return { world, clinic, id };
  };

  it('says so to everybody, and approves what a patient books and moves from then on', async () => {
    const { world, clinic, id } = await automatic();
    expect((await world.request('/v1/sessions')).body.data).toContainEqual(
      expect.objectContaining({ id: clinic.practice.sessionId, approval: 'automatic' }),
    );
    expect((await detail(world, clinic.patient, id)).status).toBe('waiting');
    const ten = { schedule_date: monday, schedule_time: '10:00:00' };
    const moved = await act(world, clinic.patient, id, 'reschedule', ten, { 'Accept-Language': 'en' });
    expect(moved.body).toMatchObject({ message: 'The booking was moved.', data: { status: 'approved' } });
    const other = await book(world, clinic, { schedule_time: '11:00:00' });
    expect((await detail(world, clinic.patient, other)).status).toBe('approved');
    expect(await eventsOf(world, clinic, other)).toEqual(['booking.created']);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is asked for when it is added, and is not the rule', async () => {
    const { world, clinic } = await setUp();
    const add = (body: object) =>
      world.request('/v1/admin/sessions', { method: 'POST', token: clinic.admin.token, body });
    expect((await add({ name: 'Vaksin', approval: 'automatic' })).body.data.approval).toBe('automatic');
    expect((await add({ name: 'Gizi' })).body.data.approval).toBe('manual');
    expect((await add({ name: 'Gigi', approval: 'never' })).status).toBe(422);
  });
});

describe('actions that become possible later', () => {
  it('is named with the instant from which it does, and does then', async () => {
    const { world, clinic } = await setUp({}, sunday);
    const { id } = (await ask(world, clinic)).body.data;
    const upcoming = async (who: { token: string }) => (await detail(world, who, id)).upcoming_actions;
    const midnight = '2026-11-22T17:00:00.000Z';
    const start = new Date(nine).toISOString();
    expect(await upcoming(clinic.staff)).toEqual([
      { action: 'check-in', from: midnight },
      { action: 'no-show', from: start },
    ]);
    world.clock.now = Date.parse(midnight);
    expect(await upcoming(clinic.staff)).toEqual([{ action: 'no-show', from: start }]);
    expect((await detail(world, clinic.staff, id)).allowed_actions).toContain('check-in');
    world.clock.now = nine;
    clinic.staff = await createPerson(world, 'staff');
    expect(await upcoming(clinic.staff)).toEqual([]);
    expect((await detail(world, clinic.staff, id)).allowed_actions).toContain('no-show');
  });

  it('is nothing for a patient, nor of a booking that is canceled', async () => {
    const { world, clinic } = await setUp({}, sunday);
    const id = await book(world, clinic);
    expect((await detail(world, clinic.patient, id)).upcoming_actions).toEqual([]);
    expect((await detail(world, clinic.staff, id)).upcoming_actions).toEqual([
      { action: 'check-in', from: '2026-11-22T17:00:00.000Z' },
    ]);
    await act(world, clinic.staff, id, 'cancel');
    expect((await detail(world, clinic.staff, id)).upcoming_actions).toEqual([]);
  });
});
