import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { users } from '../../src/core/tables/accounts.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { bookingInput } from '../support/clinic.ts';
import { act, book } from '../support/clinic-people.ts';
import { deleteAccount, setUp } from '../support/erasure.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { findViolations } from '../support/invariants.ts';
import type { World } from '../support/world.ts';

describe('a booking made at the same time as the deletion', () => {
  const live = async (world: World, patientId: string) =>
    (await world.db.select().from(bookings).where(eq(bookings.patientId, patientId))).filter(
      ({ status }) => status !== 'canceled',
    );
  it('is refused where the deletion came first, by the patient and by the clinic', async () => {
    for (const byClinic of [false, true]) {
      const { world, clinic } = await setUp();
      const { patient, staff, practice } = clinic;
      beforeRoundTrip(world, 2, () => deleteAccount(world, patient));
      const answer = await world.request('/v1/bookings', {
        token: byClinic ? staff.token : patient.token,
        body: bookingInput(practice, byClinic ? { patient_id: patient.id } : {}),
      });
      expect(answer.status).toBe(byClinic ? 422 : 401);
      expect(await live(world, patient.id)).toEqual([]);
    }
  });

  it('is canceled with the others where it came first', async () => {
    const { world, clinic } = await setUp();
    const { patient } = clinic;
    beforeRoundTrip(world, 2, () => book(world, clinic));
    expect((await deleteAccount(world, patient)).status).toBe(200);
    expect(await live(world, patient.id)).toEqual([]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('never stays live under an anonymous id, however many come at once', async () => {
    const { world, clinic } = await setUp();
    const { patient, staff, practice } = clinic;
    const times = ['08:00:00', '09:00:00', '10:00:00', '11:00:00', '12:00:00', '13:00:00'];
    const make = (schedule_time: string, at: number) =>
      world.request('/v1/bookings', {
        token: at % 2 === 0 ? patient.token : staff.token,
        body: bookingInput(practice, { schedule_time, ...(at % 2 === 1 && { patient_id: patient.id }) }),
      });
    await Promise.all([
      ...times.slice(0, 3).map(make),
      deleteAccount(world, patient),
      ...times.slice(3).map(make),
    ]);
    expect(await live(world, patient.id)).toEqual([]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is no failure of the service: what would belong to nobody is not written, and the token is refused', async () => {
    const { world, clinic } = await setUp();
    const { patient } = clinic;
    const body = { name: 'Anak', birth_date: '2019-04-23', relation: 'child' };
    const add = () => world.request('/v1/family', { token: patient.token, body });
    beforeRoundTrip(world, 2, () => deleteAccount(world, patient));
    expect((await add()).status).toBe(401);
    const names = (await world.db.select().from(patients)).map(({ name }) => name);
    expect(names).not.toContain('Anak');
  });

  it('and a check-in that comes first keeps the account', async () => {
    const { world, clinic } = await setUp();
    const id = await book(world, clinic);
    beforeRoundTrip(world, 2, () => act(world, clinic.staff, id, 'check-in'));
    expect((await deleteAccount(world, clinic.patient)).body.code).toBe('visit_under_way');
    expect(await world.db.select().from(users).where(eq(users.id, clinic.patient.id))).toHaveLength(1);
  });
});
