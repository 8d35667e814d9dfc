import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { doctors, schedules } from '../../../src/core/tables/catalog.ts';
import {
  bookingInput,
  createClosure,
  createDoctor,
  createSchedule,
  createSession,
} from '../../support/clinic.ts';
import { act, book, createClinic } from '../../support/clinic-people.ts';
import { createPerson } from '../../support/people.ts';
import { createWorld } from '../../support/world.ts';

const monday = '2026-11-23';

/** A doctor whose only slot, Monday at 09:00, is taken, and colleagues who have the hours that a test gives them. */
const setUp = async (own: Parameters<typeof createClinic>[1] = {}) => {
  const world = await createWorld();
  const hours = { startTime: '09:00:00', endTime: '09:30:00', validUntil: monday };
  const clinic = await createClinic(world, { ...hours, ...own });
  const { sessionId } = clinic.practice;
  await book(world, clinic);
  const colleague = async (name: string, fields: Partial<typeof schedules.$inferInsert> = {}) => {
    const doctorId = await createDoctor(world, { name });
    const short = { startTime: '10:00:00', endTime: '10:30:00' };
    const scheduleId = await createSchedule(world, { doctorId, sessionId, ...short, ...fields });
    return { doctorId, scheduleId };
  };
  const offered = async () => {
    const { token } = await createPerson(world);
    const { body } = await world.request('/v1/bookings', { token, body: bookingInput(clinic.practice) });
    expect(body.code).toBe('slot_full');
    return body.alternatives as { doctor_id: string; schedule_date: string; schedule_time: string }[];
  };
  const places = async () => (await offered()).map((slot) => [slot.schedule_date, slot.schedule_time]);
  return { world, clinic, sessionId, colleague, offered, places };
};

describe('instead of a full slot', () => {
  it('the doctor’s own next ones are offered, on whatever day, three at most', async () => {
    const { clinic, colleague, offered } = await setUp({ validUntil: null });
    await colleague('Budi');
    expect(await offered()).toMatchObject(
      ['2026-11-24', '2026-11-25', '2026-11-26'].map((schedule_date) => ({
        doctor_id: clinic.practice.doctorId,
        schedule_date,
        schedule_time: '09:00:00',
      })),
    );
  });

  it('the doctor’s own nearest to the requested time come before those at the other end of the day', async () => {
    const { world, clinic, places } = await setUp({ startTime: '06:00:00', endTime: '11:00:00' });
    expect(await places()).toEqual([
      [monday, '08:00:00'],
      [monday, '08:30:00'],
      [monday, '09:30:00'],
    ]);
    await createClosure(world, { startDate: monday, startTime: '08:30:00', endTime: '09:00:00' });
    await createClosure(world, { startDate: monday, startTime: '09:30:00', endTime: '11:00:00' });
    await createSchedule(world, { ...clinic.practice, weekday: 3 });
    expect(await places()).toEqual([
      [monday, '07:30:00'],
      [monday, '08:00:00'],
      ['2026-11-25', '08:00:00'],
    ]);
  });

  it('the doctor’s own are offered to the reception until they start', async () => {
    const { world, clinic, places } = await setUp({ startTime: '07:00:00' });
    world.clock.now = Date.parse('2026-11-23T07:29:00+07:00');
    const body = bookingInput(clinic.practice, { patient_id: clinic.stranger.id });
    const asked = await world.request('/v1/bookings', { token: clinic.staff.token, body });
    const times = asked.body.alternatives.map((slot: { schedule_time: string }) => slot.schedule_time);
    expect(times).toEqual(['07:30:00', '08:00:00', '08:30:00']);
    expect(await places()).toEqual([
      [monday, '08:00:00'],
      [monday, '08:30:00'],
    ]);
  });

  it('those of colleagues fill up to three, by time and not by name', async () => {
    const { clinic, colleague, offered } = await setUp({ validUntil: '2026-11-24' });
    const late = await colleague('Ani', { startTime: '15:00:00', endTime: '16:00:00' });
    const early = await colleague('Zaki', { startTime: '07:30:00', endTime: '08:30:00' });
    expect(await offered()).toMatchObject([
      { doctor_id: clinic.practice.doctorId, schedule_date: '2026-11-24' },
      { doctor_id: early.doctorId, schedule_date: monday, schedule_time: '07:30:00' },
      { doctor_id: early.doctorId, schedule_date: monday, schedule_time: '08:00:00' },
    ]);
    expect(late.doctorId).toBeDefined();
  });

  it('the doctor’s own are offered once, beside those of a colleague on the same day', async () => {
    const { clinic, colleague, offered } = await setUp({ validUntil: '2026-11-24' });
    const { doctorId } = await colleague('Budi', { weekday: 2 });
    expect(await offered()).toMatchObject([
      { doctor_id: clinic.practice.doctorId, schedule_date: '2026-11-24', schedule_time: '09:00:00' },
      { doctor_id: doctorId, schedule_date: '2026-11-24', schedule_time: '10:00:00' },
    ]);
  });

  it('those of colleagues are the nearest to the requested time', async () => {
    const { colleague, offered } = await setUp();
    const { doctorId } = await colleague('Ani', { startTime: '07:30:00', endTime: '10:30:00' });
    expect(await offered()).toMatchObject(
      ['08:30:00', '09:00:00', '09:30:00'].map((schedule_time) => ({ doctor_id: doctorId, schedule_time })),
    );
  });

  it('those of colleagues are of the first day on which any has one, within a week', async () => {
    const { colleague, places } = await setUp();
    await colleague('Ani', { weekday: 7 });
    expect(await places()).toEqual([['2026-11-29', '10:00:00']]);
    await colleague('Budi', { weekday: 3 });
    expect(await places()).toEqual([['2026-11-25', '10:00:00']]);
  });

  it('nothing is offered a week later', async () => {
    const { colleague, places } = await setUp();
    await colleague('Ani', { validFrom: '2026-11-30' });
    expect(await places()).toEqual([]);
  });
});

describe('who is offered another slot', () => {
  it('reads the names of the doctors, and sees no time at which they are busy elsewhere', async () => {
    const { world, clinic, sessionId, colleague } = await setUp();
    const [one, two] = [
      await colleague('Ani'),
      await colleague('Budi', { startTime: '11:00:00', endTime: '12:00:00' }),
    ];
    const elsewhere = { doctor_id: one.doctorId, session_id: sessionId, schedule_time: '10:00:00' };
    await world.db.update(schedules).set({ capacity: 2 }).where(eq(schedules.id, one.scheduleId));
    const body = bookingInput(clinic.practice);
    const ask = async () =>
      (await world.request('/v1/bookings', { token: clinic.stranger.token, body })).body.alternatives;
    expect(await ask()).toMatchObject([
      { doctor_id: one.doctorId, doctor_name: expect.stringContaining('Ani') },
      { doctor_id: two.doctorId, schedule_time: '11:00:00' },
      { doctor_id: two.doctorId, schedule_time: '11:30:00' },
    ]);
    const id = await book(world, clinic, elsewhere, clinic.stranger.token);
    expect(await ask()).toMatchObject([
      { doctor_id: two.doctorId, doctor_name: expect.stringContaining('Budi'), schedule_time: '11:00:00' },
      { doctor_id: two.doctorId, schedule_time: '11:30:00' },
    ]);
    // A booking that is being moved is no reason to be busy.
    const there = { schedule_date: monday, schedule_time: '09:00:00', doctor_id: clinic.practice.doctorId };
    const moved = await act(world, clinic.stranger, id, 'reschedule', there);
    expect(moved.body.alternatives).toMatchObject([{ doctor_id: one.doctorId }, {}, {}]);
  });

  it('reads the name of the doctor whose slot was full, and nothing at a time of a booking there', async () => {
    const { world, clinic } = await setUp({ validUntil: null, capacity: 2 });
    await book(world, clinic, {}, (await createPerson(world)).token);
    const id = await book(world, clinic, { schedule_date: '2026-11-24' }, clinic.stranger.token);
    const body = bookingInput(clinic.practice);
    const asked = await world.request('/v1/bookings', { token: clinic.stranger.token, body });
    const { doctor_name } = (await world.request(`/v1/bookings/${id}`, { token: clinic.stranger.token })).body
      .data;
    expect(asked.body.alternatives).toMatchObject(
      ['2026-11-25', '2026-11-26', '2026-11-27'].map((schedule_date) => ({ schedule_date, doctor_name })),
    );
  });
});

describe('a colleague is not offered', () => {
  it('who has retired, or who holds another session then', async () => {
    const { world, colleague, places } = await setUp();
    const { doctorId } = await colleague('Ani');
    const imunisasi = await createSession(world, 'Imunisasi');
    await colleague('Citra', { sessionId: imunisasi });
    await createSchedule(world, { doctorId, sessionId: imunisasi, startTime: '13:00:00' });
    expect(await places()).toEqual([[monday, '10:00:00']]);
    await world.db.update(doctors).set({ retiredAt: 1 }).where(eq(doctors.id, doctorId));
    expect(await places()).toEqual([]);
  });

  it('whose hours are retired, though other hours of the session are not', async () => {
    const { world, sessionId, colleague, places } = await setUp();
    const { doctorId, scheduleId } = await colleague('Ani');
    await createSchedule(world, { doctorId, sessionId, startTime: '13:00:00', endTime: '13:30:00' });
    await world.db.update(schedules).set({ retiredAt: 1 }).where(eq(schedules.id, scheduleId));
    expect(await places()).toEqual([[monday, '13:00:00']]);
  });

  it('who is on leave, nor anybody on a holiday', async () => {
    const { world, colleague, offered } = await setUp();
    const [one, two] = [await colleague('Ani'), await colleague('Budi')];
    await createClosure(world, { startDate: monday, doctorId: one.doctorId });
    expect(await offered()).toMatchObject([{ doctor_id: two.doctorId }]);
    await createClosure(world, { startDate: '2026-11-20', endDate: monday });
    expect(await offered()).toEqual([]);
  });

  it.each([
    ['ends on the last day of the week', { startDate: '2026-11-29', endDate: '2026-12-03' }],
    ['began before and ends on that day', { startDate: '2026-11-01', endDate: '2026-11-29' }],
  ])('under a holiday that %s', async (_how, dates) => {
    const { world, colleague, places } = await setUp();
    await colleague('Ani', { weekday: 7 });
    expect(await places()).toHaveLength(1);
    await createClosure(world, dates);
    expect(await places()).toEqual([]);
  });

  it('who is booked, until that booking is canceled', async () => {
    const { world, clinic, sessionId, colleague, offered } = await setUp();
    const [one, two] = [await colleague('Ani'), await colleague('Budi')];
    const there = { doctor_id: one.doctorId, session_id: sessionId, schedule_time: '10:00:00' };
    const id = await book(world, clinic, there, clinic.stranger.token);
    expect(await offered()).toMatchObject([{ doctor_id: two.doctorId }]);
    await act(world, clinic.stranger, id, 'cancel');
    expect(await offered()).toMatchObject([{ doctor_id: one.doctorId }, { doctor_id: two.doctorId }]);
  });

  it('before the minimum notice, unless the reception asks', async () => {
    const { world, clinic, colleague, offered } = await setUp();
    await colleague('Ani', { startTime: '07:00:00', endTime: '08:00:00' });
    expect(await offered()).toMatchObject([{ schedule_time: '07:30:00' }]);
    world.clock.now += 60_000;
    const body = bookingInput(clinic.practice, { patient_id: clinic.stranger.id });
    const asked = await world.request('/v1/bookings', { token: clinic.staff.token, body });
    expect(asked.body.alternatives).toMatchObject([
      { schedule_time: '07:00:00' },
      { schedule_time: '07:30:00' },
    ]);
    expect(await offered()).toEqual([]);
  });
});
