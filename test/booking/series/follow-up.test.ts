import { describe, expect, it } from 'vitest';
import { createClosure } from '../../support/clinic.ts';
import { book, detail } from '../../support/clinic-people.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import { findViolations } from '../../support/invariants.ts';
import { type Clinic, second, start } from '../../support/series.ts';
import type { World } from '../../support/world.ts';

describe('a follow-up', () => {
  const again = (world: World, clinic: Clinic, id: string, fields: object = {}, token = clinic.staff.token) =>
    world.request(`/v1/bookings/${id}/follow-up`, {
      token,
      body: { from: '2026-11-30', to: '2026-12-06', ...fields },
    });
  it('is the first slot at which the doctor is free and the patient not busy', async () => {
    const { world, clinic } = await start();
    const id = await book(world, clinic);
    await book(world, clinic, { ...second, schedule_time: '08:00:00' }, clinic.stranger.token);
    await book(world, clinic, { ...second, schedule_time: '08:30:00' });
    const made = await again(world, clinic, id, { notes: 'Kontrol' });
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({ ...second, schedule_time: '09:00:00', status: 'approved' });
    expect(made.headers.get('Location')).toBe(`/v1/bookings/${made.body.data.id}`);
    const late = await again(world, clinic, id, { earliest_time: '10:10:00', latest_time: '12:00:00' });
    expect(late.body.data.schedule_time).toBe('10:30:00');
    const row = await detail(world, clinic.patient, made.body.data.id);
    expect([row.patient.id, row.notes]).toEqual([clinic.patient.id, 'Kontrol']);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('takes the next slot where another one is faster, and a repeat gets the same', async () => {
    const { world, clinic } = await start();
    const id = await book(world, clinic);
    beforeRoundTrip(world, 3, () =>
      book(world, clinic, { ...second, schedule_time: '08:00:00' }, clinic.stranger.token),
    );
    const sent = {
      token: clinic.staff.token,
      body: { from: '2026-11-30', to: '2026-11-30' },
      headers: { 'Idempotency-Key': 'kontrol-1' },
    };
    const made = await world.request(`/v1/bookings/${id}/follow-up`, sent);
    expect(made.body.data.schedule_time).toBe('08:30:00');
    const repeated = await world.request(`/v1/bookings/${id}/follow-up`, sent);
    expect([repeated.body, repeated.headers.get('Location')]).toEqual([
      made.body,
      made.headers.get('Location'),
    ]);
  });

  it('offers what is near where no slot is free', async () => {
    const { world, clinic } = await start();
    const id = await book(world, clinic);
    await createClosure(world, { startDate: '2026-11-30', endDate: '2026-12-06' });
    const refused = await again(world, clinic, id);
    expect([refused.status, refused.body.code]).toEqual([409, 'slot_full']);
    expect(refused.body.alternatives[0]).toMatchObject({ schedule_date: '2026-12-07' });
  });

  it('is the clinic’s, and a doctor’s own', async () => {
    const { world, clinic } = await start();
    const id = await book(world, clinic);
    expect((await again(world, clinic, id, {}, clinic.patient.token)).status).toBe(403);
    expect((await again(world, clinic, id, {}, clinic.doctor.token)).status).toBe(201);
    const other = { doctor_id: world.deps.newId() };
    expect((await again(world, clinic, id, other, clinic.doctor.token)).status).toBe(403);
    expect((await again(world, clinic, id, other)).body.code).toBe('doctor_not_found');
    expect((await again(world, clinic, id, { session_id: world.deps.newId() })).body.code).toBe(
      'session_not_offered',
    );
    expect((await again(world, clinic, id, { to: '2026-11-29' })).status).toBe(422);
    expect((await again(world, clinic, id, { to: '2027-03-02' })).status).toBe(422);
  });
});
