import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { clinic, doctors } from '../../src/tables/catalog.ts';
import { createAdmin } from '../support/admin.ts';
import { createPractice } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, type World } from '../support/world.ts';

const rooms = ['doctors', 'sessions', 'schedules', 'closures'];

const versions = async ({ db }: World, doctorId: string) => {
  const [doctor] = await db.select().from(doctors).where(eq(doctors.id, doctorId));
  const [row] = await db.select().from(clinic);
  return [doctor?.calendarVersion ?? 0, row?.calendarVersion ?? 0];
};

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

describe('the catalog belongs to admins', () => {
  for (const role of ['patient', 'doctor', 'staff'] as const)
    it(`refuses a ${role} every way in that is not theirs`, async () => {
      const world = await createWorld();
      const { doctorId } = await createPractice(world);
      const { token } = await createPerson(world, role, role === 'doctor' ? doctorId : null);
      // Closures are kept by whoever runs the bookings: test/booking/closures.
      for (const room of rooms.filter((one) => role === 'patient' || one !== 'closures')) {
        const path = `/v1/admin/${room}`;
        const answers = await Promise.all([
          // What can be booked is read by the clinic's people: test/catalog/readers.
          ...(role === 'patient'
            ? [world.request(path, { token }), world.request(`${path}/${doctorId}`, { token })]
            : []),
          world.request(path, { token, body: {} }),
          world.request(`${path}/${doctorId}`, { token, method: 'PATCH', body: {} }),
          world.request(`${path}/${doctorId}`, { token, method: 'DELETE' }),
        ]);
        expect(answers.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
          answers.map(() => '403 forbidden'),
        );
      }
    });

  it('asks for a token, and answers 404 for what is not there', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    for (const room of rooms) {
      expect((await world.request(`/v1/admin/${room}`)).status).toBe(401);
      const missing = `/v1/admin/${room}/${crypto.randomUUID()}`;
      expect((await admin.get(missing)).status).toBe(404);
      expect((await admin.patch(missing, {})).status).toBe(404);
      expect((await admin.remove(missing)).status).toBe(404);
      expect((await admin.get(`/v1/admin/${room}/x`)).status).toBe(404);
    }
  });
});

describe('doctors', () => {
  it('are added, changed, retired and brought back, and their calendar is raised each time', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const added = await admin.post('/v1/admin/doctors', { name: ' Zoë Äpfel ', title: 'dr.' });
    expect(added).toMatchObject({
      status: 201,
      body: {
        message: 'Data berhasil ditambahkan.',
        data: { name: 'Zoë Äpfel', title: 'dr.', specialty: '', active: true, version: 1 },
      },
    });
    const { id } = added.body.data;
    const path = `/v1/admin/doctors/${id}`;
    expect(added.headers.get('Location')).toBe(path);
    expect((await world.request(`/v1/doctors/${id}`)).status).toBe(200);
    const renamed = await admin.patch(path, { name: 'Zoë Birne' });
    expect(renamed.body.data).toMatchObject({ name: 'Zoë Birne', title: 'dr.', version: 2 });
    expect(await versions(world, id)).toEqual([2, 1]);
    expect((await admin.remove(path)).body.data).toMatchObject({ active: false, version: 3 });
    expect((await world.request(`/v1/doctors/${id}`)).status).toBe(404);
    expect((await admin.get(path)).body.data.active).toBe(false);
    expect((await admin.patch(path, { active: true })).body.data.active).toBe(true);
    expect((await world.request(`/v1/doctors/${id}`)).status).toBe(200);
    expect(await versions(world, id)).toEqual([4, 1]);
  });

  it('refuses a change of another version than the present', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const { body } = await admin.post('/v1/admin/doctors', { name: 'Sari' });
    const path = `/v1/admin/doctors/${body.data.id}`;
    await admin.patch(path, { name: 'Sari W' });
    expect(await admin.patch(path, { name: 'Sari X', version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'version_mismatch', version: 2 },
    });
    expect((await world.request('/v1/doctors?q=sari%20x')).body.data).toEqual([]);
    expect((await world.request('/v1/doctors?q=sari%20w')).body.data).toHaveLength(1);
  });

  it('keeps every change of those made at once', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const { body } = await admin.post('/v1/admin/doctors', { name: 'Sari' });
    const path = `/v1/admin/doctors/${body.data.id}`;
    const fields = [{ name: 'Sari W' }, { title: 'dr.' }, { specialty: 'Anak' }];
    const answers = await Promise.all(fields.map((change) => admin.patch(path, change)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await admin.get(path)).body.data).toMatchObject({
      name: 'Sari W',
      title: 'dr.',
      specialty: 'Anak',
      version: 4,
    });
  });

  it('are listed page by page, retired ones too', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    for (const name of ['Citra', 'Ani', 'Budi']) await admin.post('/v1/admin/doctors', { name });
    const first = await admin.get('/v1/admin/doctors?limit=2');
    expect(first.body.data.map(({ name }: { name: string }) => name)).toEqual(['Ani', 'Budi']);
    await admin.remove(`/v1/admin/doctors/${first.body.data[1].id}`);
    const next = await admin.get(`/v1/admin/doctors?limit=2&cursor=${first.body.meta.next_cursor}`);
    expect(next.body.data.map(({ name }: { name: string }) => name)).toEqual(['Citra']);
    expect(next.body.meta.next_cursor).toBeNull();
    expect((await admin.get('/v1/admin/doctors')).body.data).toHaveLength(3);
  });
});

describe('doctors are found by the beginnings of their words', () => {
  it('in any order, without regard to case and accents, and only in service', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const names = ['Zoë Äpfel', 'Sari Wulandari', 'Sariman Hadi', "Ni Made D'Souza-Putri"];
    for (const name of names) await admin.post('/v1/admin/doctors', { name });
    const found = async (q: string) =>
      (await world.request(`/v1/doctors?q=${encodeURIComponent(q)}`)).body.data.map(
        ({ name }: { name: string }) => name,
      );
    expect(await found('SARI')).toEqual(['Sari Wulandari', 'Sariman Hadi']);
    expect(await found('wul sar')).toEqual(['Sari Wulandari']);
    expect(await found('äpf')).toEqual(['Zoë Äpfel']);
    expect(await found('zoe apfel')).toEqual(['Zoë Äpfel']);
    expect(await found('souza')).toEqual(["Ni Made D'Souza-Putri"]);
    expect(await found('andari')).toEqual([]);
    expect((await world.request('/v1/doctors?q=%25')).status).toBe(400);
    const { body } = await admin.get('/v1/admin/doctors');
    for (const { id } of body.data) await admin.remove(`/v1/admin/doctors/${id}`);
    expect(await found('sari')).toEqual([]);
  });

  it('and by title and specialty, as they are now', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const sari = { name: 'Sari Wulandari', title: 'drg.', specialty: 'Dokter Gigi' };
    const { body } = await admin.post('/v1/admin/doctors', sari);
    const found = async (q: string) =>
      (await world.request(`/v1/doctors?q=${encodeURIComponent(q)}`)).body.data.length;
    for (const q of ['drg. Sari Wulandari', 'gigi', 'dokter sari'])
      expect([q, await found(q)]).toEqual([q, 1]);
    const path = `/v1/admin/doctors/${body.data.id}`;
    await admin.patch(path, { title: 'dr.', specialty: 'Spesialis Anak' });
    expect([await found('drg'), await found('gigi'), await found('dr. sari'), await found('anak')]).toEqual([
      0, 0, 1, 1,
    ]);
  });

  it('and by the session that they offer', async () => {
    const world = await createWorld();
    const practice = await createPractice(world);
    await createPractice(world);
    const { body } = await world.request(`/v1/doctors?q=sari&session_id=${practice.sessionId}`);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([practice.doctorId]);
    const all = await world.request(`/v1/doctors?session_id=${practice.sessionId}`);
    expect(all.body.data).toHaveLength(1);
  });
});

describe('sessions', () => {
  it('are added, renamed and retired, and the calendar of the clinic is raised', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const { doctorId } = await createPractice(world);
    const { body } = await admin.post('/v1/admin/sessions', { name: 'Imunisasi' });
    const path = `/v1/admin/sessions/${body.data.id}`;
    expect((await admin.patch(path, { name: 'Vaksin' })).body.data).toMatchObject({
      name: 'Vaksin',
      version: 2,
    });
    expect(await versions(world, doctorId)).toEqual([1, 2]);
    expect((await admin.remove(path)).body.data.active).toBe(false);
    expect(await versions(world, doctorId)).toEqual([1, 3]);
    const offered = await world.request('/v1/sessions');
    expect(offered.body.data.map(({ name }: { name: string }) => name)).toEqual(['Konsultasi']);
    expect((await admin.get('/v1/admin/sessions')).body.data).toHaveLength(2);
  });
});

describe('closures', () => {
  it('raise the calendar of the doctor on leave alone, and a holiday the clinic’s alone', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const { doctorId } = await createPractice(world);
    const close = async (doctor_id: string | null) => {
      const closure = { name: 'Libur', start_date: '2026-12-24', doctor_id };
      const { body } = await admin.post('/v1/admin/closures', closure);
      return `/v1/admin/closures/${body.data.id}`;
    };
    const leave = await close(doctorId);
    expect(await versions(world, doctorId)).toEqual([2, 1]);
    const holiday = await close(null);
    expect(await versions(world, doctorId)).toEqual([2, 2]);
    await admin.patch(leave, { end_date: '2026-12-26' });
    await admin.remove(holiday);
    expect(await versions(world, doctorId)).toEqual([3, 3]);
  });
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

  it('judges a change by what it leaves, not by the change alone', async () => {
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
