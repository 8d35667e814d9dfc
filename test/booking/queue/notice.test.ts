import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { users } from '../../../src/core/tables/accounts.ts';
import { doctorNotices } from '../../../src/core/tables/queues.ts';
import { detail } from '../../support/clinic-people.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import { createQueue } from '../../support/queue.ts';

const late = { date: '2026-11-23', delay_minutes: 45, message: 'Dokter masih di ruang operasi.' };

const open = async () => {
  const q = await createQueue();
  const path = `/v1/doctors/${q.clinic.practice.doctorId}/notice`;
  const tell = (body: object, who: { token: string } = q.clinic.staff) =>
    q.world.request(path, { method: 'PUT', token: who.token, body });
  const remove = (date = late.date) =>
    q.world.request(`${path}?date=${date}`, { method: 'DELETE', token: q.clinic.staff.token });
  return { ...q, tell, remove };
};

describe("a doctor's notice", () => {
  it('is shown with slots, queue and bookings of the date, and moves what is estimated', async () => {
    const { world, clinic, come, queue, tell } = await open();
    const [id = ''] = await come(['09:00'], ['approve']);
    const [later = ''] = await come(['15:00'], ['approve']);
    expect((await tell(late)).body.data).toEqual({
      doctor_id: clinic.practice.doctorId,
      ...late,
      version: 1,
    });
    expect((await queue()).notice).toEqual(late);
    expect(await detail(world, clinic.staff, id)).toMatchObject({
      notice: late,
      estimated_at: '2026-11-23T02:45:00.000Z',
    });
    expect((await detail(world, clinic.staff, later)).estimated_at).toBe('2026-11-23T08:45:00.000Z');
    const slots = await world.request(`/v1/doctors/${clinic.practice.doctorId}/slots?to=2026-11-24`);
    expect(slots.body.meta.notices).toEqual([late]);
    const others = await world.request(`/v1/doctors/${clinic.others.doctorId}/slots`);
    expect(others.body.meta.notices).toEqual([]);
    const next = await world.request(`/v1/doctors/${clinic.practice.doctorId}/slots?from=2026-11-24`);
    expect(next.body.meta.notices).toEqual([]);
  });

  it('counts its changes, writes nothing twice, and goes by a removal or by saying nothing', async () => {
    const { world, queue, come, tell, remove } = await open();
    await come(['09:00'], ['approve']);
    const versionOf = async (body: object) => (await tell(body)).body.data.version;
    expect(await versionOf({ date: late.date, delay_minutes: 0 })).toBe(0);
    expect(await versionOf(late)).toBe(1);
    expect(await versionOf(late)).toBe(1);
    expect(await versionOf({ ...late, delay_minutes: 60 })).toBe(2);
    expect((await remove()).status).toBe(200);
    expect((await queue()).notice).toBeNull();
    expect((await remove()).status).toBe(200);
    expect(await versionOf({ ...late, delay_minutes: 0 })).toBe(4);
    expect((await queue()).notice).toMatchObject({ delay_minutes: 0, message: late.message });
    expect(await versionOf({ date: late.date, delay_minutes: 0 })).toBe(5);
    expect((await queue()).notice).toBeNull();
    expect(await world.db.select().from(doctorNotices)).toHaveLength(1);
  });

  it('is for reception, admin and the doctor concerned, also at the moment of writing', async () => {
    const { world, clinic, tell } = await open();
    for (const who of [clinic.staff, clinic.admin, clinic.doctor])
      expect((await tell(late, who)).status).toBe(200);
    for (const who of [clinic.otherDoctor, clinic.patient]) expect((await tell(late, who)).status).toBe(403);
    beforeRoundTrip(world, 2, async () => {
      await world.db.update(users).set({ role: 'patient' }).where(eq(users.id, clinic.staff.id));
    });
    expect((await tell({ ...late, delay_minutes: 5 })).status).toBe(403);
    const [row] = await world.db.select().from(doctorNotices);
    expect(row?.delayMinutes).toBe(45);
  });

  it('is at most eight hours and 200 characters', async () => {
    const { tell } = await open();
    expect((await tell({ ...late, delay_minutes: 481 })).body.errors).toHaveProperty('delay_minutes');
    expect((await tell({ ...late, delay_minutes: -1 })).body.errors).toHaveProperty('delay_minutes');
    expect((await tell({ ...late, message: 'x'.repeat(201) })).body.errors).toHaveProperty('message');
    expect((await tell({ ...late, delay_minutes: 480, message: 'x'.repeat(200) })).status).toBe(200);
  });
});
