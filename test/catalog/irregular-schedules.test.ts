import { describe, expect, it } from 'vitest';
import { createAdmin } from '../support/admin.ts';
import { createDoctor, createPractice, createSession } from '../support/clinic.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { createPerson } from '../support/people.ts';
import { createWorld } from '../support/world.ts';

/** A doctor and a colleague with one session and no hours. */
const setUp = async (settings: Record<string, string> = {}) => {
  const world = await createWorld(settings);
  const admin = await createAdmin(world);
  const doctors = [await createDoctor(world), await createDoctor(world)];
  const session_id = await createSession(world);
  const plan = {
    session_id,
    weekday: 2,
    start_time: '09:00:00',
    end_time: '12:00:00',
    slot_minutes: 60,
  };
  const add = (fields: object = {}, doctor = 0) =>
    admin.post('/v1/admin/schedules', { doctor_id: doctors[doctor], ...plan, ...fields });
  const slots = async (from: string, to: string): Promise<string[]> =>
    (await world.request(`/v1/doctors/${doctors[0]}/slots?from=${from}&to=${to}`)).body.data.map(
      (slot: { schedule_date: string; schedule_time: string }) =>
        `${slot.schedule_date.slice(5)} ${slot.schedule_time.slice(0, 5)}`,
    );
  return { world, admin, doctors, session_id, add, slots };
};

const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

describe('a schedule of every second week', () => {
  it('has slots in its weeks alone, counted from the week of its first date', async () => {
    const { world, doctors, session_id, add, slots } = await setUp({ MAX_ADVANCE_DAYS: '90' });
    // A Friday: its week is that of Tuesday 24 November.
    const two = { every_weeks: 2, valid_from: '2026-11-27', end_time: '10:00:00' };
    expect((await add(two)).status).toBe(201);
    expect(await slots('2026-11-24', '2026-12-24')).toEqual(['12-08 09:00', '12-22 09:00']);
    const { token } = await createPerson(world);
    const book = (schedule_date: string) =>
      world.request('/v1/bookings', {
        token,
        body: { doctor_id: doctors[0], session_id, schedule_date, schedule_time: '09:00:00' },
      });
    expect((await book('2026-12-01')).body.reason).toBe('not_offered');
    expect((await book('2026-12-08')).status).toBe(201);
  });

  it('leaves room for another in the other weeks, and for an extra date, but not in its own', async () => {
    const { add } = await setUp();
    const two = { every_weeks: 2, valid_from: '2026-11-24' };
    expect((await add(two)).status).toBe(201);
    expect(codeOf(await add({ every_weeks: 2, valid_from: '2026-12-08' }))).toEqual([
      409,
      'schedule_overlap',
    ]);
    expect((await add({ every_weeks: 2, valid_from: '2026-12-01' })).status).toBe(201);
    // Of every third week one meets it in time.
    expect(codeOf(await add({ every_weeks: 3, valid_from: '2026-12-01' }))).toEqual([
      409,
      'schedule_overlap',
    ]);
    expect(codeOf(await add({ date: '2026-12-08' }))).toEqual([409, 'schedule_overlap']);
  });

  it('needs its first date', async () => {
    const { add } = await setUp();
    const refused = await add({ every_weeks: 2 });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['valid_from']]);
  });
});

describe('an extra date', () => {
  it('is open on that date alone, with the weekday that it has', async () => {
    const { add, slots } = await setUp();
    const made = await add({ date: '2026-11-26', weekday: undefined, end_time: '10:00:00' });
    expect(made.body.data).toMatchObject({
      weekday: 4,
      valid_from: '2026-11-26',
      valid_until: '2026-11-26',
      every_weeks: 1,
    });
    expect(await slots('2026-11-24', '2026-12-20')).toEqual(['11-26 09:00']);
  });

  it('or a weekday is required', async () => {
    const { add } = await setUp();
    const refused = await add({ weekday: undefined });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['weekday']]);
  });
});

describe('a break', () => {
  it('has no slot, and the hours after it begin at its end', async () => {
    const { world, doctors, session_id, add, slots } = await setUp();
    await add({ break_start: '10:30:00', break_end: '10:45:00', slot_minutes: 45 });
    expect(await slots('2026-11-24', '2026-11-24')).toEqual(['11-24 09:00', '11-24 09:45', '11-24 10:45']);
    const { token } = await createPerson(world);
    const body = { doctor_id: doctors[0], session_id, schedule_date: '2026-11-24' };
    const book = (schedule_time: string) =>
      world.request('/v1/bookings', { token, body: { ...body, schedule_time } });
    expect((await book('10:30:00')).body.reason).toBe('not_offered');
    expect((await book('11:15:00')).body.reason).toBe('not_offered');
    expect((await book('10:45:00')).status).toBe(201);
  });

  it('lists the bookings that it leaves outside', async () => {
    const { world, admin, doctors, session_id, add } = await setUp();
    const made = await add();
    const { token } = await createPerson(world);
    const body = {
      doctor_id: doctors[0],
      session_id,
      schedule_date: '2026-11-24',
      schedule_time: '10:00:00',
    };
    const booked = await world.request('/v1/bookings', { token, body });
    const changed = await admin.patch(`/v1/admin/schedules/${made.body.data.id}`, {
      break_start: '10:00:00',
      break_end: '11:00:00',
    });
    expect(changed.body.meta.affected_bookings).toMatchObject([{ id: booked.body.data.id }]);
  });

  it('may hold another schedule, which fits into it', async () => {
    const { add } = await setUp();
    await add({ break_start: '10:00:00', break_end: '11:00:00' });
    expect((await add({ start_time: '10:00:00', end_time: '11:00:00' })).status).toBe(201);
    expect(codeOf(await add({ start_time: '11:00:00', end_time: '11:59:00', slot_minutes: 30 }))).toEqual([
      409,
      'schedule_overlap',
    ]);
  });

  it.each([
    [{ break_start: '10:00:00' }, 'break_end'],
    [{ break_end: '10:00:00' }, 'break_start'],
    [{ break_start: '09:00:00', break_end: '10:00:00' }, 'break_start'],
    [{ break_start: '11:00:00', break_end: '10:00:00' }, 'break_end'],
    [{ break_start: '11:00:00', break_end: '12:00:00' }, 'end_time'],
    [{ break_start: '10:00:00', break_end: '11:30:00', slot_minutes: 90 }, 'slot_minutes'],
  ])('is refused as %o', async (fields, path) => {
    const { add } = await setUp();
    const refused = await add(fields);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [path]]);
  });
});

describe('a room that two doctors have at the same time', () => {
  it('is told with the schedule of the other, for any change that leads to it', async () => {
    const { admin, doctors, add } = await setUp();
    const first = await add({ room: 'Ruang 3' });
    expect(first.body.meta).toEqual({ room_shared_with: [] });
    const sharing = {
      schedule_id: first.body.data.id,
      doctor_id: doctors[0],
      doctor_name: expect.any(String),
      weekday: 2,
      start_time: '09:00:00',
      end_time: '12:00:00',
    };
    const second = await add({ room: ' ruang 3', start_time: '11:00:00' }, 1);
    expect([second.status, second.body.meta.room_shared_with]).toEqual([201, [sharing]]);
    const path = `/v1/admin/schedules/${second.body.data.id}`;
    const shared = async (change: object) => (await admin.patch(path, change)).body.meta.room_shared_with;
    expect(await shared({ start_time: '12:00:00', end_time: '13:00:00' })).toEqual([]);
    expect(await shared({ start_time: '11:00:00' })).toEqual([sharing]);
    expect(await shared({ weekday: 3 })).toEqual([]);
    expect(await shared({ weekday: 2, room: 'Ruang 4' })).toEqual([]);
    expect((await admin.remove(path)).body.meta.room_shared_with).toEqual([]);
  });

  it('is refused where the clinic says so, and in other weeks it is free', async () => {
    const { admin, doctors, add } = await setUp();
    await admin.patch('/v1/admin/clinic', { refuse_shared_rooms: true });
    const two = { room: 'Ruang 3', every_weeks: 2 };
    const first = await add({ ...two, valid_from: '2026-11-24' });
    const refused = await add({ ...two, valid_from: '2026-12-08' }, 1);
    expect(codeOf(refused)).toEqual([409, 'room_shared']);
    expect(refused.body.schedules).toMatchObject([{ schedule_id: first.body.data.id }]);
    const other = await add({ ...two, valid_from: '2026-12-01' }, 1);
    expect(other.status).toBe(201);
    const path = `/v1/admin/schedules/${other.body.data.id}`;
    expect(codeOf(await admin.patch(path, { every_weeks: 1 }))).toEqual([409, 'room_shared']);
    // Neither does a doctor return to it, whose other changes are free.
    const away = `/v1/admin/doctors/${doctors[0]}`;
    await admin.patch('/v1/admin/clinic', { refuse_shared_rooms: false });
    await admin.patch(path, { every_weeks: 1 });
    expect((await admin.patch(away, { name: 'Sari' })).status).toBe(200);
    await admin.remove(away);
    const told = await admin.patch(away, { active: true });
    expect(told.body.meta.room_shared_with).toMatchObject([{ schedule_id: other.body.data.id }]);
    await admin.remove(away);
    await admin.patch('/v1/admin/clinic', { refuse_shared_rooms: true });
    const back = await admin.patch(away, { active: true });
    expect([codeOf(back), back.body.schedules]).toMatchObject([
      [409, 'room_shared'],
      [{ schedule_id: other.body.data.id }],
    ]);
    await admin.patch(path, { room: 'Ruang 4' });
    expect((await admin.patch(away, { active: true })).body.data.active).toBe(true);
    // Hours that are over keep nobody away.
    const over = { room: 'Ruang 4', weekday: 4 };
    expect((await add({ ...over, valid_from: '2026-01-05', valid_until: '2026-06-30' })).status).toBe(201);
    const now = await add(over, 1);
    expect([now.status, now.body.meta]).toEqual([201, { room_shared_with: [] }]);
    await admin.remove(away);
    expect((await admin.patch(away, { active: true })).body.meta.room_shared_with).toEqual([]);
    // Both at once: one is refused.
    const both = await Promise.all([
      add({ room: 'Ruang 5', weekday: 5 }, 0),
      add({ room: 'Ruang 5', weekday: 5 }, 1),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});

describe('a doctor who returns', () => {
  it('is told of a change that came first, not of the room that it took', async () => {
    const { world, admin, doctors, add } = await setUp();
    await admin.patch('/v1/admin/clinic', { refuse_shared_rooms: true });
    await add({ room: 'Ruang 3' }, 0);
    const away = `/v1/admin/doctors/${doctors[0]}`;
    await admin.remove(away);
    await add({ room: 'Ruang 3' }, 1);
    const { version } = (await admin.get(away)).body.data;
    beforeRoundTrip(world, 3, () => admin.patch(away, { name: 'Sari Baru' }));
    expect(codeOf(await admin.patch(away, { active: true, version }))).toEqual([409, 'version_mismatch']);
  });
});

describe('the seats that statistics count as offered', () => {
  it('are those of the weeks and outside of the break', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const practice = await createPractice(world);
    const figures = async () =>
      (await admin.get('/v1/admin/statistics?from=2026-11-24&to=2026-12-07&by=doctor')).body.data.map(
        ({ offered_seats }: { offered_seats: number }) => offered_seats,
      );
    const before = await figures();
    const listed = await admin.get(`/v1/admin/schedules?doctor_id=${practice.doctorId}`);
    const [monday] = listed.body.data;
    await admin.patch(`/v1/admin/schedules/${monday.id}`, {
      every_weeks: 2,
      valid_from: '2026-11-23',
      break_start: '12:00:00',
      break_end: '13:00:00',
    });
    // Of two Mondays, 30 November and 7 December, the first is of the other week; the second loses two slots.
    const [seats] = before;
    expect(await figures()).toEqual([seats - 16 - 2]);
  });
});
