import { describe, expect, it } from 'vitest';
import { schedules } from '../../src/core/tables/catalog.ts';
import { createAdmin } from '../support/admin.ts';
import { createPractice, createSession } from '../support/clinic.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { createWorld } from '../support/world.ts';

/** A doctor with a schedule on Monday evenings, beside the practice's own hours. */
const setUp = async () => {
  const world = await createWorld();
  const admin = await createAdmin(world);
  const practice = await createPractice(world);
  const evening = {
    doctor_id: practice.doctorId,
    session_id: practice.sessionId,
    weekday: 1,
    start_time: '18:00:00',
    end_time: '20:00:00',
    slot_minutes: 30,
    capacity: 2,
  };
  const add = (fields: object = {}) => admin.post('/v1/admin/schedules', { ...evening, ...fields });
  const added = await add();
  const path = `/v1/admin/schedules/${added.body.data.id}`;
  return { world, admin, practice, add, path };
};

describe('a schedule that was retired', () => {
  it('does not conflict with others, and may be changed where another is now', async () => {
    const { admin, add, path } = await setUp();
    await admin.remove(path);
    expect((await add()).status).toBe(201);
    const changed = await admin.patch(path, { start_time: '19:00:00', capacity: 5 });
    expect(changed.body.data).toMatchObject({ start_time: '19:00:00', capacity: 5, active: false });
    expect((await admin.patch(path, { active: true })).body.code).toBe('schedule_overlap');
  });

  it('keeps when it was retired when it is retired again', async () => {
    const { world, admin, path } = await setUp();
    const retired = world.clock.now;
    for (const version of [2, 3]) {
      expect((await admin.remove(path)).body.data).toMatchObject({ active: false, version });
      world.clock.now += 60_000;
    }
    const rows = await world.db.select().from(schedules);
    expect(rows.map(({ retiredAt }) => retiredAt).filter((at) => at !== null)).toEqual([retired]);
  });
});

describe('a slot', () => {
  it('may be as long as its hours, and no longer', async () => {
    const { add } = await setUp();
    const hour = { weekday: 2, start_time: '18:00:00', end_time: '19:00:00' };
    expect(await add({ ...hour, slot_minutes: 61 })).toMatchObject({
      status: 422,
      body: { errors: { slot_minutes: ['Maksimal 60.'] } },
    });
    expect((await add({ ...hour, slot_minutes: 60 })).status).toBe(201);
  });
});

describe('a change of a schedule that was changed meanwhile', () => {
  it('keeps both changes', async () => {
    const { world, admin, path } = await setUp();
    beforeRoundTrip(world, 3, () => admin.patch(path, { capacity: 7 }));
    const changed = await admin.patch(path, { end_time: '21:00:00' });
    expect(changed.body.data).toMatchObject({ end_time: '21:00:00', capacity: 7, version: 3 });
    expect((await admin.get(path)).body.data).toEqual(changed.body.data);
  });

  it('is refused where it named the version that it meant', async () => {
    const { world, admin, path } = await setUp();
    beforeRoundTrip(world, 3, () => admin.patch(path, { capacity: 7 }));
    const refused = await admin.patch(path, { end_time: '21:00:00', version: 1 });
    expect(refused).toMatchObject({ status: 409, body: { code: 'version_mismatch', version: 2 } });
    expect((await admin.get(path)).body.data).toMatchObject({ end_time: '20:00:00', capacity: 7 });
  });

  it('raises its version by one, and says when', async () => {
    const { world, admin, path } = await setUp();
    const first = (await admin.get(path)).body.data;
    world.clock.now += 1_000;
    const changed = (await admin.patch(path, { capacity: 3 })).body.data;
    expect(changed).toMatchObject({ version: 2, created_at: first.created_at });
    expect(changed.updated_at).not.toBe(first.updated_at);
  });
});

describe('a session that is no longer offered', () => {
  it('takes no schedule, new or changed, and leaves those that have it their other changes', async () => {
    const { world, admin, practice, add, path } = await setUp();
    const retired = await createSession(world, 'Imunisasi');
    await admin.remove(`/v1/admin/sessions/${retired}`);
    const refused = { status: 422, body: { errors: { session_id: expect.anything() } } };
    expect(await admin.patch(path, { session_id: retired })).toMatchObject(refused);
    expect(await add({ session_id: retired, weekday: 2 })).toMatchObject(refused);
    expect((await admin.get(path)).body.data).toMatchObject({ session_id: practice.sessionId, version: 1 });
    await admin.remove(`/v1/admin/sessions/${practice.sessionId}`);
    const changed = await admin.patch(path, { capacity: 4 });
    expect(changed.body.data).toMatchObject({ capacity: 4, version: 2 });
    expect(await admin.patch(path, { weekday: 2, start_time: '08:00:00' })).toMatchObject({
      status: 409,
      body: { code: 'schedule_overlap' },
    });
  });

  it('is refused also where it was retired between the decision and the change', async () => {
    const { world, admin, path } = await setUp();
    const session = await createSession(world, 'Imunisasi');
    beforeRoundTrip(world, 3, () => admin.remove(`/v1/admin/sessions/${session}`));
    expect((await admin.patch(path, { session_id: session })).status).toBe(422);
    expect((await admin.get(path)).body.data.version).toBe(1);
  });
});

describe('a doctor who has retired', () => {
  it('takes no new schedule, and keeps the old ones open to change', async () => {
    const { admin, practice, add, path } = await setUp();
    await admin.remove(`/v1/admin/doctors/${practice.doctorId}`);
    expect(await add({ weekday: 2 })).toMatchObject({
      status: 422,
      body: { errors: { doctor_id: expect.anything() } },
    });
    expect((await admin.patch(path, { capacity: 4 })).status).toBe(200);
    expect((await admin.patch(path, { start_time: '15:00:00' })).body.code).toBe('schedule_overlap');
  });
});

describe('a doctor who was renamed meanwhile', () => {
  it('is found by the name that was written, not by the one that was refused', async () => {
    const { world, admin, practice } = await setUp();
    const doctor = `/v1/admin/doctors/${practice.doctorId}`;
    beforeRoundTrip(world, 3, () => admin.patch(doctor, { name: 'Budi Santoso' }));
    expect((await admin.patch(doctor, { name: 'Citra Lestari', version: 1 })).status).toBe(409);
    const found = async (q: string) => (await world.request(`/v1/doctors?q=${q}`)).body.data.length;
    expect([await found('budi'), await found('citra'), await found('sari')]).toEqual([1, 0, 0]);
  });

  it('is found by the title and specialty that were written, not by those that were refused', async () => {
    const { world, admin, practice } = await setUp();
    const doctor = `/v1/admin/doctors/${practice.doctorId}`;
    const found = async (q: string) => (await world.request(`/v1/doctors?q=${q}`)).body.data.length;
    beforeRoundTrip(world, 3, () => admin.patch(doctor, { title: 'drg.' }));
    expect((await admin.patch(doctor, { title: 'Prof.', version: 1 })).status).toBe(409);
    expect([await found('drg'), await found('prof')]).toEqual([1, 0]);
    beforeRoundTrip(world, 3, () => admin.patch(doctor, { specialty: 'Gigi' }));
    expect((await admin.patch(doctor, { specialty: 'Anak', version: 2 })).status).toBe(409);
    expect([await found('gigi'), await found('anak')]).toEqual([1, 0]);
  });
});

describe('a session that was changed meanwhile', () => {
  it('keeps both changes', async () => {
    const { world, admin, practice } = await setUp();
    const session = `/v1/admin/sessions/${practice.sessionId}`;
    beforeRoundTrip(world, 3, () => admin.remove(session));
    const changed = await admin.patch(session, { name: 'Kontrol' });
    expect(changed.body.data).toMatchObject({ name: 'Kontrol', active: false, version: 3 });
  });
});

describe('a closure', () => {
  it('that was changed meanwhile keeps both changes', async () => {
    const { world, admin, practice } = await setUp();
    const body = { doctor_id: practice.doctorId, name: 'Cuti', start_date: '2026-11-30' };
    const made = await admin.post('/v1/admin/closures', body);
    const closure = `/v1/admin/closures/${made.body.data.id}`;
    beforeRoundTrip(world, 3, () => admin.patch(closure, { end_date: '2026-12-01' }));
    const changed = await admin.patch(closure, { name: 'Seminar' });
    expect(changed.body.data).toMatchObject({ name: 'Seminar', end_date: '2026-12-01', version: 3 });
  });

  it('is listed for each day that it touches, the first and the last too', async () => {
    const { admin } = await setUp();
    await admin.post('/v1/admin/closures', {
      name: 'Libur',
      start_date: '2026-12-24',
      end_date: '2026-12-26',
    });
    const listed = async (from: string, to: string) =>
      (await admin.get(`/v1/admin/closures?from=${from}&to=${to}`)).body.data.length;
    expect(await listed('2026-12-26', '2026-12-31')).toBe(1);
    expect(await listed('2026-12-01', '2026-12-24')).toBe(1);
    expect(await listed('2026-12-25', '2026-12-25')).toBe(1);
    expect(await listed('2026-12-27', '2026-12-31')).toBe(0);
    expect(await listed('2026-12-01', '2026-12-23')).toBe(0);
  });
});
