import { describe, expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { bookingInput } from '../../support/clinic.ts';
import { act, book, createClinic } from '../../support/clinic-people.ts';
import { createPerson } from '../../support/people.ts';
import { createWorld } from '../../support/world.ts';

const setUp = async () => {
  const world = await createWorld();
  const clinic = await createClinic(world);
  const ask = (who: { token: string }, patient_id?: string, fields: object = {}) =>
    world.request('/v1/bookings', {
      token: who.token,
      body: bookingInput(clinic.practice, {
        schedule_date: '2026-11-24',
        ...fields,
        ...(patient_id !== undefined && { patient_id }),
      }),
    });
  const made = async () => (await world.db.select({ patientId: bookings.patientId }).from(bookings)).length;
  return { world, clinic, ask, made };
};

const unknown = {
  status: 422,
  body: { code: 'validation_failed', errors: { patient_id: ['Tidak ditemukan.'] } },
};
const required = {
  status: 422,
  body: { code: 'validation_failed', errors: { patient_id: ['Wajib diisi.'] } },
};

describe('for whom the clinic books', () => {
  it('is named by staff, by admins and by the doctor: without a patient_id it is 422', async () => {
    const { clinic, ask, made } = await setUp();
    for (const who of [clinic.staff, clinic.admin, clinic.doctor])
      expect(await ask(who)).toMatchObject(required);
    expect(await made()).toBe(0);
  });

  it('may be the caller’s own record', async () => {
    const { clinic, ask } = await setUp();
    const times = ['09:00:00', '10:00:00', '11:00:00'];
    for (const [at, who] of [clinic.staff, clinic.admin, clinic.doctor].entries())
      expect((await ask(who, who.id, { schedule_time: times[at] })).status).toBe(201);
  });

  it('is a patient: the login of a colleague is answered as an unknown id is', async () => {
    const { world, clinic, ask, made } = await setUp();
    const colleague = await createPerson(world, 'staff');
    const nobody = crypto.randomUUID();
    for (const who of [clinic.staff, clinic.admin])
      for (const id of [colleague.id, clinic.doctor.id, clinic.otherDoctor.id, nobody])
        expect(await ask(who, id)).toMatchObject(unknown);
    expect(await ask(clinic.staff, clinic.admin.id)).toMatchObject(unknown);
    expect(await made()).toBe(0);
  });

  it('is for a doctor a patient with whom there is or was a booking, and nobody else is known', async () => {
    const { world, clinic, ask, made } = await setUp();
    const { doctor, otherDoctor, patient, stranger } = clinic;
    const id = await book(world, clinic);
    expect(await ask(doctor, stranger.id)).toMatchObject(unknown);
    expect(await ask(doctor, crypto.randomUUID())).toMatchObject(unknown);
    expect(await made()).toBe(1);
    expect((await ask(doctor, patient.id)).status).toBe(201);
    const elsewhere = { doctor_id: clinic.others.doctorId, session_id: clinic.others.sessionId };
    expect(await ask(otherDoctor, patient.id, elsewhere)).toMatchObject(unknown);
    await act(world, patient, id, 'cancel');
    expect((await ask(doctor, patient.id, { schedule_time: '14:00:00' })).status).toBe(201);
    expect((await ask(clinic.staff, stranger.id, { schedule_time: '15:00:00' })).status).toBe(201);
  });

  it('can be only the doctor, as a patient, in a booking with a colleague', async () => {
    const { world, clinic, ask } = await setUp();
    const elsewhere = { doctor_id: clinic.others.doctorId, session_id: clinic.others.sessionId };
    await book(world, clinic);
    expect((await ask(clinic.doctor, clinic.patient.id, elsewhere)).status).toBe(403);
    const own = await ask(clinic.doctor, undefined, elsewhere);
    expect(own).toMatchObject({ status: 201, body: { data: { status: 'waiting' } } });
  });

  it('can be only the own record for a patient', async () => {
    const { clinic, ask } = await setUp();
    for (const id of [clinic.stranger.id, clinic.staff.id, crypto.randomUUID()])
      expect(await ask(clinic.patient, id)).toMatchObject(unknown);
    expect((await ask(clinic.patient, clinic.patient.id)).status).toBe(201);
  });
});
