import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { doctors } from '../../src/tables/catalog.ts';
import { patients } from '../../src/tables/patients.ts';
import { searchWords } from '../../src/tables/search.ts';
import { createDoctor } from '../support/clinic.ts';
import { findViolations } from '../support/invariants.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, registerPatient, type World } from '../support/world.ts';

/** The words by which an owner is found, and those that the owner's row names. */
const wordsOf = async ({ db }: World, id: string) => {
  const found = await db.select().from(searchWords).where(eq(searchWords.ownerId, id));
  const rows = [
    ...(await db.select({ words: patients.words }).from(patients).where(eq(patients.id, id))),
    ...(await db.select({ words: doctors.words }).from(doctors).where(eq(doctors.id, id))),
  ];
  const listed: string[] = rows.flatMap(({ words }) => JSON.parse(words ?? '[]'));
  expect(listed.toSorted()).toEqual(found.map(({ word }) => word).toSorted());
  return listed.filter((word) => /^[a-z]+$/.test(word)).toSorted();
};

it('the words of a person are those of the name that it has now, and no others are left', async () => {
  const world = await createWorld();
  const { id, token } = await registerPatient(world, { name: 'Sari Wulandari' });
  expect(await wordsOf(world, id)).toEqual(['sari', 'wulandari']);
  const body = { name: 'Sari Lestari' };
  expect((await world.request('/v1/auth/profile', { method: 'PATCH', token, body })).status).toBe(200);
  expect(await wordsOf(world, id)).toEqual(['lestari', 'sari']);
  expect(await findViolations(world.db)).toEqual([]);
});

it('and so are those of a doctor', async () => {
  const world = await createWorld();
  const { token } = await createPerson(world, 'admin');
  const id = await createDoctor(world, { name: 'Budi Santoso', title: 'dr.', specialty: 'Umum' });
  expect(await wordsOf(world, id)).toEqual(['budi', 'dr', 'santoso', 'umum']);
  const body = { name: 'Budi Hartono', version: 1 };
  expect((await world.request(`/v1/admin/doctors/${id}`, { method: 'PATCH', token, body })).status).toBe(200);
  expect(await wordsOf(world, id)).toEqual(['budi', 'dr', 'hartono', 'umum']);
});
