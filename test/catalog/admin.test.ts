import { describe, expect, it } from 'vitest';
import { createAdmin } from '../support/admin.ts';
import { versions } from '../support/calendar-versions.ts';
import { createPractice } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createWorld } from '../support/world.ts';

const rooms = ['doctors', 'sessions', 'schedules', 'closures'];

describe('the catalog belongs to admins', () => {
  for (const role of ['patient', 'doctor', 'staff'] as const)
    it(`refuses a ${role} every way in that is not theirs`, async () => {
      const world = await createWorld();
      const { doctorId } = await createPractice(world);
      const { token } = await createPerson(world, role, role === 'doctor' ? doctorId : null);
      // Staff who run the bookings manage closures: test/booking/closures.
      for (const room of rooms.filter((one) => role === 'patient' || one !== 'closures')) {
        const path = `/v1/admin/${room}`;
        const answers = await Promise.all([
          // The clinic's staff read the bookable catalogue: test/catalog/readers.
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
  it('raise only the calendar version of the doctor on leave, and a holiday only the clinic’s', async () => {
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
