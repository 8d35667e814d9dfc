import { describe, expect, it } from 'vitest';
import { createClosure } from '../../support/clinic.ts';
import { createPerson } from '../../support/people.ts';
import { createTaken, date } from '../../support/waitlist.ts';

const offered = async () => {
  const waiting = await createTaken();
  const { world, practice, holder, bookingId, wait, cancel, offersOf } = waiting;
  const doctor = await createPerson(world, 'doctor', practice.doctorId);
  const patient = await createPerson(world);
  const next = await createPerson(world);
  const nine = { earliest_time: '09:00:00', latest_time: '09:00:00' };
  const entry = await wait(patient, nine);
  await wait(next, nine);
  await cancel(holder, bookingId);
  const [offer] = await offersOf(patient);
  return { ...waiting, doctor, patient, next, entry, offerId: offer.booking_id as string };
};

describe('the doctor of an offer', () => {
  it('accepts it for the patient, as its detail allows, and once however often it is asked', async () => {
    const { world, doctor, entry, offerId } = await offered();
    const detail = await world.request(`/v1/bookings/${offerId}`, { token: doctor.token });
    expect(detail.body.data.allowed_actions).toContain('accept');
    const accept = () =>
      world.request(`/v1/waitlist/${entry}/accept`, {
        method: 'POST',
        token: doctor.token,
        headers: { 'Idempotency-Key': 'terima' },
      });
    const first = await accept();
    expect(first).toMatchObject({ status: 200, body: { data: { status: 'approved' } } });
    expect(await accept()).toMatchObject({ status: 200, body: first.body });
  });

  it('is the only doctor who may answer it, and sees no entry beside', async () => {
    const { world, practice, answer, entry, patient, doctor, next } = await offered();
    const other = await createPerson(world, 'doctor', practice.sessionId);
    expect((await answer(other, entry, 'accept')).status).toBe(404);
    expect((await answer(other, entry, 'decline')).status).toBe(404);
    const remove = await world.request(`/v1/waitlist/${entry}`, { method: 'DELETE', token: doctor.token });
    expect(remove.status).toBe(404);
    expect((await answer(doctor, entry, 'decline')).status).toBe(200);
    expect((await answer(next, entry, 'accept')).status).toBe(404);
    expect((await answer(patient, entry, 'accept')).body.code).toBe('no_offer');
  });

  it('does not read the record of whom the clinic only offered a seat, nor book for them', async () => {
    const { world, practice, doctor, patient, entry, answer } = await offered();
    const status = async () =>
      (await world.request(`/v1/patients/${patient.id}`, { token: doctor.token })).status;
    const book = async () => {
      const place = { doctor_id: practice.doctorId, session_id: practice.sessionId };
      const slot = { schedule_date: date, schedule_time: '11:00:00', patient_id: patient.id };
      return (await world.request('/v1/bookings', { token: doctor.token, body: { ...place, ...slot } })).body;
    };
    const refused = { code: 'validation_failed', errors: { patient_id: expect.anything() } };
    expect(await status()).toBe(404);
    expect(await book()).toMatchObject(refused);
    await answer(patient, entry, 'decline');
    expect(await status()).toBe(404);
    expect(await book()).toMatchObject(refused);
  });
});

it('an offer that a closure ended is made again when the closure is removed', async () => {
  const { world, practice, patient, next, offersOf, runJob, pass } = await offered();
  const admin = await createPerson(world, 'admin');
  const id = await createClosure(world, { doctorId: practice.doctorId, startDate: date, endDate: date });
  const path = `/v1/admin/closures/${id}`;
  await world.request(`${path}/resolve`, { token: admin.token, body: { action: 'cancel' } });
  expect(await offersOf(patient)).toEqual([]);
  await world.request(path, { method: 'DELETE', token: admin.token });
  pass(1);
  await runJob();
  expect([(await offersOf(patient)).length, await offersOf(next)]).toMatchObject([1, []]);
});
