import { describe, expect, it } from 'vitest';
import type { Deps } from '../../../src/core/deps.ts';
import { loadCalendar } from '../../../src/modules/booking/seats/calendar.ts';
import { createAdmin } from '../../support/admin.ts';
import { bookingInput, createClosure } from '../../support/clinic.ts';
import { act, book, createClinic } from '../../support/clinic-people.ts';
import { createWorld } from '../../support/world.ts';

const monday = '2026-11-23';
const closed = { name: 'Tutup', start_date: monday };

/** A clinic whose Monday was just booked on, so that the next booking finds its calendar cached. */
const afterBooking = async () => {
  const world = await createWorld();
  const clinic = await createClinic(world);
  const admin = await createAdmin(world);
  await book(world, clinic);
  const next = (fields: Record<string, unknown> = {}) =>
    world.request('/v1/bookings', {
      token: clinic.stranger.token,
      body: bookingInput(clinic.practice, { schedule_time: '10:00:00', ...fields }),
    });
  return { world, clinic, admin, next };
};

describe('a booking decided on a calendar that was read before', () => {
  it.each([
    ['a holiday', 'holiday', () => closed],
    ['leave', 'leave', (doctorId: string) => ({ ...closed, doctor_id: doctorId })],
  ] as const)('%s holds for the very next booking, and its end too', async (_name, reason, closureOf) => {
    const { clinic, admin, next } = await afterBooking();
    const closure = await admin.post('/v1/admin/closures', closureOf(clinic.practice.doctorId));
    expect(closure.status).toBe(201);
    expect(await next()).toMatchObject({ status: 422, body: { code: 'slot_unavailable', reason } });
    await admin.remove(`/v1/admin/closures/${closure.body.data.id}`);
    expect((await next()).status).toBe(201);
  });

  it('hours added after the last booking can be booked at once', async () => {
    const { clinic, admin, next } = await afterBooking();
    const evening = { schedule_time: '18:00:00' };
    expect((await next(evening)).body.reason).toBe('not_offered');
    const { doctorId, sessionId } = clinic.practice;
    const hours = { weekday: 1, start_time: '18:00:00', end_time: '20:00:00', slot_minutes: 30, capacity: 1 };
    const schedule = { doctor_id: doctorId, session_id: sessionId, ...hours };
    expect((await admin.post('/v1/admin/schedules', schedule)).status).toBe(201);
    expect((await next(evening)).status).toBe(201);
  });

  it('names the doctor and the session as they are called now', async () => {
    const { clinic, admin, next } = await afterBooking();
    await admin.patch(`/v1/admin/doctors/${clinic.practice.doctorId}`, { name: 'Sari Kusuma' });
    await admin.patch(`/v1/admin/sessions/${clinic.practice.sessionId}`, { name: 'Kontrol' });
    const names = { doctor_name: 'dr. Sari Kusuma', session_name: 'Kontrol' };
    expect((await next()).body.data).toMatchObject(names);
  });

  it('a doctor who has retired takes no further booking', async () => {
    const { clinic, admin, next } = await afterBooking();
    expect((await admin.remove(`/v1/admin/doctors/${clinic.practice.doctorId}`)).status).toBeLessThan(300);
    expect(await next()).toMatchObject({ status: 422, body: { code: 'doctor_not_found' } });
  });

  it('a full slot is full, and free again once it was canceled', async () => {
    const { world, clinic, next } = await afterBooking();
    const id = await book(world, clinic, { schedule_time: '11:00:00' });
    expect((await next({ schedule_time: '11:00:00' })).body.code).toBe('slot_full');
    await act(world, clinic.patient, id, 'cancel');
    expect((await next({ schedule_time: '11:00:00' })).status).toBe(201);
  });

  it('is decided on the calendar of its own date', async () => {
    const { world, clinic, next } = await afterBooking();
    await createClosure(world, { startDate: '2026-11-24', doctorId: clinic.practice.doctorId });
    expect((await next({ schedule_date: '2026-11-24' })).body.reason).toBe('leave');
    expect((await next()).status).toBe(201);
  });

  it('what was read a minute ago is read again, whatever was done behind the service', async () => {
    const { world, next } = await afterBooking();
    await createClosure(world, { startDate: monday });
    world.clock.now += 60_000;
    expect((await next()).body.reason).toBe('holiday');
  });
});

const slotOf = (doctorId: string, date = monday) => ({
  doctor_id: doctorId,
  session_id: 'session',
  schedule_date: date,
  schedule_time: '09:00:00',
});

const nothing = [[], [], [], [], []];
const emptyCalendar = { clinics: [], doctors: [], schedules: [], closures: [], occupied: [] };

/** Loads a calendar as though the database had given these rows, and caches it. */
const cacheCalendar = (deps: Deps, doctorId: string): void => {
  expect(loadCalendar(deps, 0, slotOf(doctorId)).toResult(nothing)).toEqual({
    rows: emptyCalendar,
    isStale: false,
    mayHoldLapsed: true,
  });
};

/** Whether the calendar's bookings alone would be read from the database. */
const isCached = (deps: Deps, doctorId: string, { now = 0, date = monday } = {}): boolean =>
  loadCalendar(deps, now, slotOf(doctorId, date)).statements.length === 1;

describe('the calendar cache', () => {
  it('holds two thousand calendars and drops the oldest', async () => {
    const { deps } = await createWorld();
    const cached = () => [1, 2, 3, 2_000, 2_001].filter((nth) => isCached(deps, `doctor ${nth}`));
    for (let nth = 1; nth <= 2_000; nth++) cacheCalendar(deps, `doctor ${nth}`);
    expect(cached()).toEqual([1, 2, 3, 2_000]);
    // The first one is read once more, so that the second one is the oldest.
    loadCalendar(deps, 60_000, slotOf('doctor 1')).toResult(nothing);
    cacheCalendar(deps, 'doctor 2001');
    expect(cached()).toEqual([1, 3, 2_000, 2_001]);
  });

  it('holds a calendar per doctor, date and database, for a minute', async () => {
    const { deps } = await createWorld();
    cacheCalendar(deps, 'doctor');
    expect(isCached(deps, 'doctor', { now: 59_999 })).toBe(true);
    expect(isCached(deps, 'doctor', { now: 60_000 })).toBe(false);
    expect(isCached(deps, 'doctor', { date: '2026-11-24' })).toBe(false);
    expect(isCached(deps, 'colleague')).toBe(false);
    expect(isCached({ ...deps, db: Object.create(deps.db) }, 'doctor')).toBe(false);
  });

  it('says that a cached calendar may be stale, and joins the bookings that were read to it', async () => {
    const { deps } = await createWorld();
    cacheCalendar(deps, 'doctor');
    const occupied = { startsAt: 0, endsAt: 1, taken: 1 };
    const loaded = loadCalendar(deps, 0, slotOf('doctor')).toResult([[{ ...occupied, anyLapsed: 0 }]]);
    const rows = { ...emptyCalendar, occupied: [occupied] };
    expect(loaded).toEqual({ rows, isStale: true, mayHoldLapsed: false });
    const lapsed = loadCalendar(deps, 0, slotOf('doctor')).toResult([[{ ...occupied, anyLapsed: 1 }]]);
    expect(lapsed).toEqual({ rows, isStale: true, mayHoldLapsed: true });
  });
});
