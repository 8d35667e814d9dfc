import { describe, expect, it } from 'vitest';
import { patients } from '../../src/core/tables/patients.ts';
import { bookingInput } from '../support/clinic.ts';
import { act, createClinic } from '../support/clinic-people.ts';
import { addDevice } from '../support/people.ts';
import { createWorld } from '../support/world.ts';

const day = 86_400_000;
const child = { name: 'Bagus Anak', birth_date: '2019-04-23', relation: 'child' };

const setUp = async (settings: Record<string, string> = {}) => {
  const world = await createWorld(settings);
  const clinic = await createClinic(world, { capacity: 5 });
  const mother = clinic.patient;
  const add = (fields: object = {}, headers: Record<string, string> = {}, who = mother) =>
    world.request('/v1/family', { token: who.token, body: { ...child, ...fields }, headers });
  const family = async (who = mother) => (await world.request('/v1/family', { token: who.token })).body.data;
  const change = (id: string, body: object, who = mother) =>
    world.request(`/v1/family/${id}`, { method: 'PATCH', token: who.token, body });
  const end = (id: string, who = mother) =>
    world.request(`/v1/family/${id}`, { method: 'DELETE', token: who.token });
  return { world, clinic, mother, add, family, change, end };
};

describe('the family of an account', () => {
  it('begins with the own record, and shows those who were added in their order', async () => {
    const { world, mother, add, family } = await setUp();
    const first = (await add()).body.data;
    world.clock.now += 1;
    const second = (await add({ name: 'Citra Anak', relation: 'other' })).body.data;
    expect((await family()).map(({ id, relation }: Record<string, string>) => [id, relation])).toEqual([
      [mother.id, 'self'],
      [first.id, 'child'],
      [second.id, 'other'],
    ]);
  });

  it('can be booked for at once, both children in one slot', async () => {
    const { world, clinic, mother, add } = await setUp();
    for (const name of ['Anak Satu', 'Anak Dua']) {
      const patient_id = (await add({ name })).body.data.id;
      const body = bookingInput(clinic.practice, { patient_id });
      expect((await world.request('/v1/bookings', { token: mother.token, body })).status).toBe(201);
    }
  });

  it('is nobody else’s: a stranger neither sees, changes nor ends any of it', async () => {
    const { clinic, add, family, change, end } = await setUp();
    const { id } = (await add()).body.data;
    expect((await change(id, { name: 'Lain' }, clinic.stranger)).status).toBe(404);
    expect((await end(id, clinic.stranger)).status).toBe(404);
    expect(await family(clinic.stranger)).toHaveLength(1);
    expect((await family())[1].name).toBe('Bagus Anak');
  });

  it('keeps national and insurance number sealed, and shows no more than their ends', async () => {
    const { world, add, family } = await setUp();
    const numbers = { national_id: '3171234567890001', insurance_number: '0001234567890' };
    const { body } = await add(numbers);
    const shown = { national_id: '3171••••••••0001', insurance_number: '0001•••••7890' };
    expect(body.data).toMatchObject(shown);
    expect((await family())[1]).toMatchObject(shown);
    const rows = JSON.stringify(await world.db.select().from(patients));
    for (const number of Object.values(numbers)) expect(rows).not.toContain(number);
  });

  it('does not reveal that another record has a number', async () => {
    const { clinic, add } = await setUp();
    const numbers = { national_id: '3171234567890001' };
    expect((await add(numbers)).status).toBe(201);
    expect((await add(numbers, {}, clinic.stranger)).status).toBe(201);
  });

  it.each([
    ['2026-11-24', 422],
    ['1899-12-31', 422],
    ['2026-11-23', 201],
    ['1900-01-01', 201],
  ])('takes a date of birth of %s with %i', async (birth_date, status) => {
    const { add } = await setUp();
    expect((await add({ birth_date })).status).toBe(status);
  });

  it('has at most ten members, and for ten additions a year', async () => {
    const { world, mother, add, end } = await setUp();
    const ids: string[] = [];
    for (let number = 1; number <= 10; number++)
      ids.push((await add({ name: `Anak ${number}` })).body.data.id);
    expect(await add()).toMatchObject({ status: 409, body: { code: 'family_full' } });
    expect((await end(ids[0] ?? '')).status).toBe(200);
    expect((await add()).body.code).toBe('family_full');
    world.clock.now += 366 * day;
    const { token } = await addDevice(world, mother.id);
    expect((await add({}, {}, { ...mother, token })).status).toBe(201);
  });

  it('is added to once by a request that comes again under its key', async () => {
    const { world, add, family } = await setUp();
    const headers = { 'Idempotency-Key': 'anak-pertama' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => add({}, headers)));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    expect(await family()).toHaveLength(2);
    world.clock.now += 1;
    expect((await add({ name: 'Lain' }, headers)).body.code).toBe('idempotency_key_reused');
  });
});

describe('a change of one of the family', () => {
  it('changes what was named, keeps the rest, and takes away what is null', async () => {
    const { add, change, family } = await setUp();
    const { id } = (await add({ email: 'anak@klinik.example', address: 'Jl. Melati 1' })).body.data;
    expect(
      (await change(id, { name: 'Bagus Putra', email: null, relation: 'other' })).body.data,
    ).toMatchObject({
      name: 'Bagus Putra',
      email: null,
      address: 'Jl. Melati 1',
      birth_date: '2019-04-23',
      relation: 'other',
    });
    expect((await family())[1]).toMatchObject({ name: 'Bagus Putra', relation: 'other' });
  });

  it('leaves name and phone number of the own record to the profile', async () => {
    const { mother, change, family } = await setUp();
    expect((await change(mother.id, { name: 'Lain' })).body.errors.name).toHaveLength(1);
    expect((await change(mother.id, { birth_date: '1990-01-31' })).status).toBe(200);
    expect((await family())[0]).toMatchObject({ relation: 'self', birth_date: '1990-01-31' });
  });

  it('leaves the date of birth and the numbers to the clinic once the patient has visited', async () => {
    const { world, clinic, mother, add, change } = await setUp();
    const { id } = (await add()).body.data;
    const body = bookingInput(clinic.practice, { patient_id: id });
    const booked = (await world.request('/v1/bookings', { token: mother.token, body })).body.data.id;
    await act(world, clinic.staff, booked, 'approve');
    expect((await change(id, { birth_date: '2019-04-24' })).status).toBe(200);
    await act(world, clinic.staff, booked, 'check-in');
    expect((await change(id, { birth_date: '2019-04-25' })).body.code).toBe('treated_already');
    expect((await change(id, { national_id: '3171234567890001' })).body.code).toBe('treated_already');
    expect((await change(id, { name: 'Bagus Putra' })).status).toBe(200);
  });
});

describe('the end of a relation', () => {
  it('waits for the bookings that are coming, and leaves the record with the clinic', async () => {
    const { world, clinic, mother, add, end, family } = await setUp();
    const { id } = (await add()).body.data;
    const body = bookingInput(clinic.practice, { patient_id: id });
    const booked = (await world.request('/v1/bookings', { token: mother.token, body })).body.data.id;
    expect(await end(id)).toMatchObject({ status: 409, body: { code: 'bookings_coming' } });
    await act(world, mother, booked, 'cancel');
    expect((await end(id)).status).toBe(200);
    expect(await family()).toHaveLength(1);
    expect((await world.request(`/v1/bookings/${booked}`, { token: mother.token })).status).toBe(404);
    expect(
      (await world.request(`/v1/bookings/${booked}`, { token: clinic.staff.token })).body.data,
    ).toMatchObject({
      patient: { id },
    });
    expect((await end(id)).status).toBe(404);
  });

  it('is never that to oneself', async () => {
    const { mother, end } = await setUp();
    expect((await end(mother.id)).status).toBe(404);
  });
});
