import { describe, expect, it } from 'vitest';
import { familyRelations, patients } from '../../../src/core/tables/patients.ts';
import { bookingInput } from '../../support/clinic.ts';
import { act, book, createClinic, detail } from '../../support/clinic-people.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import { createWorld, type World } from '../../support/world.ts';

/** A child of an account, written directly. */
const createChild = async (world: World, accountId: string, name = 'Anak Pasien') => {
  const id = world.deps.newId();
  const times = { createdAt: world.clock.now, updatedAt: world.clock.now };
  const phone = { phoneNumber: '', phoneCountryCode: '' };
  await world.db.insert(patients).values({ id, name, ...phone, staffNotes: '', ...times });
  const relation = { accountId, patientId: id, relation: 'child' as const, createdAt: world.clock.now };
  await world.db.insert(familyRelations).values(relation);
  return id;
};

const setUp = async (settings: Record<string, string> = {}, capacity = 5) => {
  const world = await createWorld(settings);
  const clinic = await createClinic(world, { capacity });
  const children = [
    await createChild(world, clinic.patient.id, 'Anak Pertama'),
    await createChild(world, clinic.patient.id, 'Anak Kedua'),
  ];
  const ask = (who: { token: string }, fields: object) =>
    world.request('/v1/bookings', { token: who.token, body: bookingInput(clinic.practice, { ...fields }) });
  return { world, clinic, children, ask };
};

describe('an account that books for its family', () => {
  it('gives two children a seat in one slot of several', async () => {
    const { clinic, children, ask } = await setUp();
    for (const patient_id of children)
      expect((await ask(clinic.patient, { patient_id })).body.data).toMatchObject({ status: 'waiting' });
    const again = await ask(clinic.patient, { patient_id: children[0] });
    expect(again).toMatchObject({ status: 409, body: { code: 'patient_busy' } });
  });

  it('sees, moves and cancels their bookings, and nobody else does', async () => {
    const { world, clinic, children } = await setUp();
    const id = await book(world, clinic, { patient_id: children[0] });
    expect(await detail(world, clinic.patient, id)).toMatchObject({
      patient: { id: children[0], name: 'Anak Pertama' },
      allowed_actions: ['cancel', 'reschedule'],
    });
    const path = `/v1/bookings/${id}`;
    expect((await world.request(path, { token: clinic.stranger.token })).status).toBe(404);
    expect((await act(world, clinic.stranger, id, 'cancel')).status).toBe(404);
    const slot = { schedule_date: '2026-11-24', schedule_time: '10:00:00' };
    expect((await act(world, clinic.patient, id, 'reschedule', slot)).status).toBe(200);
    expect((await act(world, clinic.patient, id, 'cancel')).status).toBe(200);
  });

  it('reads the bookings of all of them in its history, or those of one', async () => {
    const { world, clinic, children } = await setUp();
    const own = await book(world, clinic);
    const first = await book(world, clinic, { patient_id: children[0], schedule_time: '10:00:00' });
    const second = await book(world, clinic, { patient_id: children[1], schedule_time: '11:00:00' });
    const history = async (query = '') => {
      const { body } = await world.request(`/v1/bookings/history${query}`, { token: clinic.patient.token });
      return body.data.map((item: { id: string }) => item.id);
    };
    expect(await history()).toEqual([second, first, own]);
    expect(await history(`?patient_id=${children[0]}`)).toEqual([first]);
    expect(await history(`?patient_id=${clinic.patient.id}`)).toEqual([own]);
    expect(await history(`?patient_id=${clinic.stranger.id}`)).toEqual([]);
    const page = await world.request('/v1/bookings/history?limit=2', { token: clinic.patient.token });
    const { next_cursor } = page.body.meta;
    expect(await history(`?limit=2&cursor=${next_cursor}`)).toEqual([own]);
  });

  it('books for nobody whose relation has ended, also where it ends while the booking is decided', async () => {
    const { world, clinic, children, ask } = await setUp();
    await world.db.update(familyRelations).set({ endedAt: world.clock.now });
    const refused = { status: 422, body: { code: 'validation_failed' } };
    expect(await ask(clinic.patient, { patient_id: children[0] })).toMatchObject(refused);
    await world.db.update(familyRelations).set({ endedAt: null });
    beforeRoundTrip(world, 2, () =>
      world.db
        .update(familyRelations)
        .set({ endedAt: world.clock.now })
        .then(() => {}),
    );
    expect(await ask(clinic.patient, { patient_id: children[0] })).toMatchObject(refused);
  });

  it('holds so many coming bookings for each patient, and three times as many in all', async () => {
    const { world, clinic, children, ask } = await setUp({ MAX_LIVE_BOOKINGS: '1' });
    const third = await createChild(world, clinic.patient.id);
    const asked = async (patient_id: string | undefined, schedule_date: string) =>
      (await ask(clinic.patient, { patient_id, schedule_date })).body.code ?? 'booked';
    expect(await asked(children[0], '2026-11-24')).toBe('booked');
    expect(await asked(children[0], '2026-11-25')).toBe('too_many_bookings');
    expect(await asked(children[1], '2026-11-24')).toBe('booked');
    expect(await asked(undefined, '2026-11-24')).toBe('booked');
    expect(await asked(third, '2026-11-24')).toBe('too_many_bookings');
    await world.db.update(familyRelations).set({ endedAt: world.clock.now });
    expect(await asked(undefined, '2026-11-25')).toBe('too_many_bookings');
  });
});
