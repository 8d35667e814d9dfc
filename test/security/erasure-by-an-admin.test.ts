import { describe, expect, it } from 'vitest';
import { act, book } from '../support/clinic-people.ts';
import { setUp } from '../support/erasure.ts';
import { findViolations } from '../support/invariants.ts';
import { registerPatient, type World } from '../support/world.ts';

const deletePatient = (world: World, { token }: { token: string }, id: string) =>
  world.request(`/v1/patients/${id}`, { method: 'DELETE', token });

describe('an admin, for somebody who asks at the desk', () => {
  const ofWalkIn = async () => {
    const made = await setUp();
    const { world, clinic } = made;
    const body = { name: 'Pak Darmo', birth_date: '1960-08-17', national_id: '3171234567890001' };
    const { id } = (await world.request('/v1/patients', { token: clinic.staff.token, body })).body.data;
    return { ...made, id: id as string };
  };
  it('deletes a record without an account, which is then found by nobody', async () => {
    const { world, clinic, id, visit } = await ofWalkIn();
    const { staff, admin } = clinic;
    await visit(await book(world, clinic, { patient_id: id }, staff.token));
    expect(await deletePatient(world, admin, id)).toMatchObject({
      status: 200,
      body: { message: 'Data pasien telah dihapus.' },
    });
    expect((await deletePatient(world, admin, id)).status).toBe(404);
    for (const q of ['darmo', '3171234567890001', '17-08-1960'])
      expect((await world.request(`/v1/patients?q=${q}`, { token: staff.token })).body.data).toEqual([]);
    const all = await world.request('/v1/patients', { token: staff.token });
    expect(all.body.data.map((row: { id: string }) => row.id)).not.toContain(id);
    const again = { name: 'Pak Darmo', birth_date: '1960-08-17', national_id: '3171234567890001' };
    expect((await world.request('/v1/patients', { token: staff.token, body: again })).status).toBe(201);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('deletes the account with the record that has one', async () => {
    const { world, clinic } = await setUp();
    const person = await registerPatient(world);
    expect((await deletePatient(world, clinic.admin, person.id)).status).toBe(200);
    expect((await world.request('/v1/auth/profile', { token: person.token })).status).toBe(401);
  });

  it('is refused for a patient who is checked in today or works here; for staff and unknown ids in any case', async () => {
    const { world, clinic, id } = await ofWalkIn();
    const { staff, admin, doctor } = clinic;
    expect((await deletePatient(world, staff, id)).status).toBe(403);
    expect((await deletePatient(world, admin, crypto.randomUUID())).status).toBe(404);
    const at = await book(world, clinic, { patient_id: id }, staff.token);
    await act(world, staff, at, 'check-in');
    expect((await deletePatient(world, admin, id)).body.code).toBe('visit_under_way');
    // A doctor who is a patient of a colleague.
    const { others } = clinic;
    await book(world, { ...clinic, practice: others }, {}, doctor.token);
    expect(await deletePatient(world, admin, doctor.id)).toMatchObject({
      status: 409,
      body: { code: 'patient_works_here' },
    });
    world.clock.now += 11 * 60_000;
    expect((await deletePatient(world, admin, id)).body.code).toBe('reauthentication_required');
  });

  it('leaves to others no answer that shows the patient, and their keys spent', async () => {
    const { world, clinic } = await setUp();
    const { staff, admin } = clinic;
    const headers = { 'Idempotency-Key': 'meja-1' };
    const body = { name: 'Bu Sulastri', phone_number: '81355500001' };
    const add = () => world.request('/v1/patients', { token: staff.token, body, headers });
    const { id } = (await add()).body.data;
    await deletePatient(world, admin, id);
    expect((await add()).status).toBe(422);
  });
});
