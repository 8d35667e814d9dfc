import { describe, expect, it } from 'vitest';
import { createClinic } from '../support/clinic-people.ts';
import { createWorld } from '../support/world.ts';

const setUp = async () => {
  const world = await createWorld();
  const clinic = await createClinic(world);
  const read = async (who: { token: string }, path: string) => {
    const { status, body } = await world.request(`/v1/admin/${path}`, { token: who.token });
    return { status, data: body.data };
  };
  return { world, clinic, read };
};

describe('what is set up', () => {
  it('is read by all who work here: doctors and sessions, retired ones too', async () => {
    const { world, clinic, read } = await setUp();
    const { admin, staff, doctor, patient, practice } = clinic;
    await world.request(`/v1/admin/doctors/${clinic.others.doctorId}`, {
      method: 'DELETE',
      token: admin.token,
    });
    for (const list of ['doctors', 'sessions'])
      for (const who of [staff, doctor])
        expect(await read(who, list)).toMatchObject({ data: (await read(admin, list)).data });
    for (const one of [`doctors/${practice.doctorId}`, `sessions/${practice.sessionId}`])
      expect([(await read(staff, one)).status, (await read(doctor, one)).status]).toEqual([200, 200]);
    for (const path of ['doctors', 'sessions', 'schedules'])
      expect((await read(patient, path)).status).toBe(403);
  });

  it('of schedules is read by the reception, and by a doctor as far as they are the own', async () => {
    const { clinic, read } = await setUp();
    const { admin, staff, doctor, practice, others } = clinic;
    const all = await read(admin, 'schedules');
    expect((await read(staff, 'schedules')).data).toEqual(all.data);
    const own = (await read(doctor, 'schedules')).data as { doctor_id: string }[];
    expect(new Set(own.map(({ doctor_id }) => doctor_id))).toEqual(new Set([practice.doctorId]));
    expect((await read(doctor, `schedules?doctor_id=${others.doctorId}`)).data).toEqual([]);
    for (const { id, doctor_id } of all.data) {
      const isOwn = doctor_id === practice.doctorId;
      expect((await read(doctor, `schedules/${id}`)).status).toBe(isOwn ? 200 : 404);
      expect((await read(staff, `schedules/${id}`)).status).toBe(200);
    }
  });

  it('is changed only by admins', async () => {
    const { world, clinic, read } = await setUp();
    const { staff, doctor, practice } = clinic;
    const [schedule] = (await read(doctor, 'schedules')).data;
    for (const { token } of [staff, doctor])
      for (const path of [
        `schedules/${schedule.id}`,
        `doctors/${practice.doctorId}`,
        `sessions/${practice.sessionId}`,
      ])
        expect((await world.request(`/v1/admin/${path}`, { method: 'DELETE', token })).status).toBe(403);
  });
});
