import { expect, it } from 'vitest';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { bookingInput } from '../../support/clinic.ts';
import { createClinic, detail } from '../../support/clinic-people.ts';
import { addKey } from '../../support/keys.ts';
import { createWorld } from '../../support/world.ts';

const referral = '0301R0010126B000001';

const setUp = async () => {
  const world = await createWorld();
  const clinic = await createClinic(world);
  const book = (token: string, fields: Record<string, unknown>) =>
    world.request('/v1/bookings', { token, body: bookingInput(clinic.practice, fields) });
  const change = (token: string, id: string, body: object) =>
    world.request(`/v1/bookings/${id}`, { method: 'PATCH', token, body });
  return { world, clinic, book, change };
};

it('a booking names the channel it came from, which only the clinic may say, and nobody may claim BPJS or FHIR', async () => {
  const { world, clinic, book } = await setUp();
  const { staff, patient } = clinic;
  const machine = await addKey(world, ['bookings:write']);
  const forPatient = { patient_id: patient.id };
  const cases = [
    [patient.token, {}, 'app'],
    [staff.token, forPatient, 'desk'],
    [staff.token, { ...forPatient, channel: 'phone' }, 'phone'],
    [machine.token, { ...forPatient, channel: 'app' }, 'app'],
  ] as const;
  for (const [nth, [token, fields, channel]] of cases.entries()) {
    const { body } = await book(token, { ...fields, schedule_time: `1${nth}:00:00` });
    expect(await detail(world, staff, body.data.id)).toMatchObject({ channel });
  }
  const events = await world.db.select().from(bookingEvents);
  expect(events.map(({ payload }) => JSON.parse(payload).channel)).toEqual(cases.map(([, , name]) => name));
  expect((await book(patient.token, { channel: 'phone' })).status).toBe(403);
  for (const channel of ['mobile_jkn', 'fhir'])
    expect((await book(staff.token, { ...forPatient, channel })).status).toBe(422);
});

it('payer, kind and referral are given with a booking, are changed only by the clinic, and are in no event', async () => {
  const { world, clinic, book, change } = await setUp();
  const { staff, patient } = clinic;
  const said = { payer: 'jkn', visit_kind: 'primary_referral', referral_number: referral };
  const { id } = (await book(patient.token, said)).body.data;
  const own = await detail(world, patient, id);
  expect(own).toMatchObject(said);
  expect('encounter_id' in own).toBe(false);
  expect(await detail(world, staff, id)).toMatchObject({ ...said, encounter_id: null });
  expect((await change(patient.token, id, { payer: 'non_jkn' })).status).toBe(403);
  const changed = await change(staff.token, id, { payer: 'non_jkn', referral_number: null });
  expect(changed.body.data).toMatchObject({
    payer: 'non_jkn',
    visit_kind: 'primary_referral',
    referral_number: null,
  });
  const day = await world.request('/v1/bookings?date=2026-11-23', { token: staff.token });
  expect(day.body.data[0]).toMatchObject({ payer: 'non_jkn', channel: 'app', encounter_id: null });
  expect(JSON.stringify(await world.db.select().from(bookingEvents))).not.toContain(referral);
  for (const wrong of ['', 'a b', 'x'.repeat(41)])
    expect((await change(staff.token, id, { referral_number: wrong })).status).toBe(422);
});
