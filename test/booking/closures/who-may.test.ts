import { describe, expect, it } from 'vitest';
import { bookingInput, createClosure } from '../../support/clinic.ts';
import { book } from '../../support/clinic-people.ts';
import { close, monday, resolve, setUp } from '../../support/closures.ts';

describe('who may', () => {
  it('close a day: the reception any doctor’s, a doctor the own, an admin holidays too', async () => {
    const { world, clinic } = await setUp();
    const { practice, others, staff, doctor, admin, patient } = clinic;
    const add = async (who: { token: string }, doctor_id: string | null) => {
      const body = { name: 'Cuti', start_date: '2026-12-01', doctor_id };
      return (await world.request('/v1/admin/closures', { token: who.token, body })).status;
    };
    const asked = [];
    for (const who of [staff, doctor, admin, patient])
      asked.push([await add(who, practice.doctorId), await add(who, others.doctorId), await add(who, null)]);
    expect(asked).toEqual([
      [201, 201, 403],
      [201, 403, 403],
      [201, 201, 201],
      [403, 403, 403],
    ]);
  });

  it('read, change, resolve and delete a closure', async () => {
    const { world, clinic } = await setUp();
    const own = await close(world, clinic);
    const foreign = await createClosure(world, { startDate: monday, doctorId: clinic.others.doctorId });
    const holiday = await createClosure(world, { startDate: monday });
    const statusesOf = async (who: { token: string }, id: string) => {
      const path = `/v1/admin/closures/${id}`;
      const ask = async (method: string, at: string, body?: object) =>
        (await world.request(at, { method, token: who.token, ...(body && { body }) })).status;
      return [
        await ask('GET', path),
        await ask('PATCH', path, { name: 'Lain' }),
        await ask('POST', `${path}/resolve`, { action: 'cancel', dry_run: true }),
      ];
    };
    const all = [200, 200, 200];
    const seen = [200, 403, 403];
    const hidden = [404, 404, 404];
    const { staff, doctor, admin } = clinic;
    expect(await Promise.all([own, foreign, holiday].map((id) => statusesOf(staff, id)))).toEqual([
      all,
      all,
      seen,
    ]);
    expect(await Promise.all([own, foreign, holiday].map((id) => statusesOf(doctor, id)))).toEqual([
      all,
      hidden,
      seen,
    ]);
    expect(await Promise.all([own, foreign, holiday].map((id) => statusesOf(admin, id)))).toEqual([
      all,
      all,
      all,
    ]);
    const listed = async (who: { token: string }) =>
      (await world.request('/v1/admin/closures', { token: who.token })).body.data
        .map(({ id }: { id: string }) => id)
        .sort();
    expect(await listed(staff)).toEqual([own, foreign, holiday].sort());
    expect(await listed(doctor)).toEqual([own, holiday].sort());
    const remove = async (who: { token: string }, id: string) =>
      (await world.request(`/v1/admin/closures/${id}`, { method: 'DELETE', token: who.token })).status;
    expect([await remove(doctor, foreign), await remove(doctor, holiday), await remove(doctor, own)]).toEqual(
      [404, 403, 200],
    );
    expect([
      await remove(staff, foreign),
      await remove(staff, holiday),
      await remove(admin, holiday),
    ]).toEqual([200, 403, 200]);
  });

  it('see whom a holiday concerns: a doctor only the own patients', async () => {
    const { world, clinic } = await setUp();
    const mine = await book(world, clinic);
    const body = bookingInput(clinic.others, { schedule_time: '11:00:00' });
    await world.request('/v1/bookings', { token: clinic.stranger.token, body });
    const holiday = await createClosure(world, { startDate: monday });
    const seenBy = async (who: { token: string }) =>
      (await world.request(`/v1/admin/closures/${holiday}`, { token: who.token })).body.meta;
    expect((await seenBy(clinic.admin)).affected_total).toBe(2);
    expect(await seenBy(clinic.doctor)).toMatchObject({
      affected_total: 1,
      affected_bookings: [{ id: mine }],
    });
  });

  it('hand over patients: no doctor to a colleague', async () => {
    const { world, clinic } = await setUp();
    const closure = await close(world, clinic);
    const to = { action: 'move', to_doctor_id: clinic.others.doctorId };
    expect((await resolve(world, clinic.doctor, closure, to)).status).toBe(403);
    const unknown = { action: 'move', to_doctor_id: crypto.randomUUID() };
    const refused = await resolve(world, clinic.staff, closure, unknown);
    expect([refused.status, refused.body.code]).toEqual([422, 'doctor_not_found']);
  });
});
