import { describe, expect, it } from 'vitest';
import { createAdmin } from '../support/admin.ts';
import { versions } from '../support/calendar-versions.ts';
import { createPractice } from '../support/clinic.ts';
import { createWorld } from '../support/world.ts';

const weekly = (practice: { doctorId: string; sessionId: string }, fields: object = {}) => ({
  doctor_id: practice.doctorId,
  session_id: practice.sessionId,
  weekday: 1,
  start_time: '18:00:00',
  end_time: '20:00:00',
  slot_minutes: 30,
  capacity: 2,
  ...fields,
});

describe('schedules', () => {
  it('are added, changed and retired, and the calendar of the doctor is raised', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const practice = await createPractice(world);
    const added = await admin.post('/v1/admin/schedules', weekly(practice));
    expect(added.status).toBe(201);
    expect(added.body.data).toMatchObject({
      ...weekly(practice),
      valid_from: null,
      active: true,
      version: 1,
    });
    expect(await versions(world, practice.doctorId)).toEqual([2, 1]);
    const path = `/v1/admin/schedules/${added.body.data.id}`;
    const changed = await admin.patch(path, { end_time: '24:00:00', valid_from: '2026-12-01', capacity: 3 });
    expect(changed.body.data).toMatchObject({ end_time: '24:00:00', valid_from: '2026-12-01', capacity: 3 });
    expect((await admin.get(path)).body.data).toEqual(changed.body.data);
    expect((await admin.patch(path, { valid_from: null })).body.data.valid_from).toBeNull();
    expect((await admin.remove(path)).body.data.active).toBe(false);
    expect(await versions(world, practice.doctorId)).toEqual([5, 1]);
  });

  it('are listed by doctor, weekday and start, page by page', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const practice = await createPractice(world);
    await createPractice(world);
    const path = `/v1/admin/schedules?doctor_id=${practice.doctorId}&limit=4`;
    const first = await admin.get(path);
    const second = await admin.get(`${path}&cursor=${first.body.meta.next_cursor}`);
    const days = [...first.body.data, ...second.body.data].map(({ weekday }) => weekday);
    expect(days).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(second.body.meta.next_cursor).toBeNull();
    expect((await admin.get('/v1/admin/schedules')).body.data).toHaveLength(14);
  });

  it.each([
    [{ start_time: '18:00:30' }, 'start_time'],
    [{ end_time: '24:00:01' }, 'end_time'],
    [{ end_time: '25:00:00' }, 'end_time'],
    [{ end_time: '18:00:00' }, 'end_time'],
    [{ end_time: '17:00:00' }, 'end_time'],
    [{ slot_minutes: 4 }, 'slot_minutes'],
    [{ slot_minutes: 1_441 }, 'slot_minutes'],
    [{ slot_minutes: 121 }, 'slot_minutes'],
    [{ capacity: 0 }, 'capacity'],
    [{ weekday: 0 }, 'weekday'],
    [{ weekday: 8 }, 'weekday'],
    [{ valid_from: '2026-12-02', valid_until: '2026-12-01' }, 'valid_until'],
    [{ valid_from: '2026-02-30' }, 'valid_from'],
    [{ doctor_id: '00000000-0000-4000-8000-000000000000' }, 'doctor_id'],
    [{ session_id: '00000000-0000-4000-8000-000000000000' }, 'session_id'],
  ])('refuses %o', async (fields, path) => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const practice = await createPractice(world);
    const { status, body } = await admin.post('/v1/admin/schedules', weekly(practice, fields));
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'validation_failed' });
    expect(Object.keys(body.errors)).toEqual([path]);
  });

  it('validates the schedule that results from a change, not only the change', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const added = await admin.post('/v1/admin/schedules', weekly(await createPractice(world)));
    const path = `/v1/admin/schedules/${added.body.data.id}`;
    const refused = await admin.patch(path, { start_time: '21:00:00' });
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: { end_time: ['Harus setelah jam mulai.'] } },
    });
  });
});

describe('two schedules of one doctor never overlap', () => {
  const overlapping = [
    {},
    { start_time: '19:00:00', end_time: '21:00:00' },
    { start_time: '17:00:00', end_time: '24:00:00' },
    { valid_until: '2026-12-31' },
  ];
  const apart = [
    { start_time: '20:00:00', end_time: '21:00:00' },
    { start_time: '17:00:00', end_time: '18:00:00' },
    { weekday: 2 },
  ];
  it('in the hours of a weekday within their validity', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const practice = await createPractice(world);
    await admin.post('/v1/admin/schedules', weekly(practice));
    for (const fields of overlapping)
      expect(await admin.post('/v1/admin/schedules', weekly(practice, fields))).toMatchObject({
        status: 409,
        body: { code: 'schedule_overlap', errors: { start_time: ['Tumpang tindih dengan jadwal lain.'] } },
      });
    for (const fields of apart)
      expect((await admin.post('/v1/admin/schedules', weekly(practice, fields))).status).toBe(201);
    const other = await createPractice(world);
    expect((await admin.post('/v1/admin/schedules', weekly(other))).status).toBe(201);
  });

  it('but may follow each other in time', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const practice = await createPractice(world);
    const add = async (fields: object) =>
      (await admin.post('/v1/admin/schedules', weekly(practice, fields))).status;
    expect(await add({ valid_until: '2026-12-31' })).toBe(201);
    expect(await add({ valid_from: '2026-12-31' })).toBe(409);
    expect(await add({ valid_from: '2027-01-01', valid_until: '2027-01-31' })).toBe(201);
    expect(await add({ valid_from: '2027-01-31' })).toBe(409);
    expect(await add({ valid_from: '2027-02-01' })).toBe(201);
  });

  it('by a change or a return from retirement either', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const practice = await createPractice(world);
    const first = await admin.post('/v1/admin/schedules', weekly(practice));
    const path = `/v1/admin/schedules/${first.body.data.id}`;
    await admin.remove(path);
    const second = await admin.post('/v1/admin/schedules', weekly(practice));
    expect(second.status).toBe(201);
    expect((await admin.patch(path, { active: true })).body.code).toBe('schedule_overlap');
    expect((await admin.patch(path, { active: true, weekday: 2 })).status).toBe(200);
    expect((await admin.patch(path, { weekday: 1 })).body.code).toBe('schedule_overlap');
    expect((await admin.get(path)).body.data.weekday).toBe(2);
  });

  it('when twenty are added at once, and twenty moved to one place at once', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const practice = await createPractice(world);
    const added = await Promise.all(
      Array.from({ length: 20 }, () => admin.post('/v1/admin/schedules', weekly(practice))),
    );
    expect(added.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    const apart = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        admin.post(
          '/v1/admin/schedules',
          weekly(practice, {
            valid_from: `2028-01-${10 + at}`,
            valid_until: `2028-01-${10 + at}`,
            weekday: 3,
          }),
        ),
      ),
    );
    expect(apart.every(({ status }) => status === 201)).toBe(true);
    const moved = await Promise.all(
      apart.map(({ body }) =>
        admin.patch(`/v1/admin/schedules/${body.data.id}`, {
          valid_from: '2029-01-01',
          valid_until: '2029-01-01',
        }),
      ),
    );
    expect(moved.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
  });
});
