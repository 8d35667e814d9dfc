import { eq } from 'drizzle-orm';
import { users } from '../../src/core/tables/accounts.ts';
import { recordMatches } from '../../src/core/tables/matches.ts';
import { createPerson } from './people.ts';
import type { World } from './world.ts';

export const birth_date = '1984-03-09';

/** An account whose e-mail counts as proved, without a date of birth. */
export const provedPerson = async (world: World) => {
  const person = await createPerson(world);
  await world.db.update(users).set({ emailProvedAt: world.clock.now }).where(eq(users.id, person.id));
  return person;
};

/** A record of the clinic, for which nobody acts. */
export const addRecord = async (world: World, token: string, fields: object): Promise<string> => {
  const body = { name: 'Ibu Ratna (lama)', birth_date, confirm: true, ...fields };
  return (await world.request('/v1/patients', { token, body })).body.data.id;
};

/** Gives an account its date of birth, by which it is matched. */
export const giveBirthDate = (world: World, person: { id: string; token: string }, date = birth_date) =>
  world.request(`/v1/family/${person.id}`, {
    method: 'PATCH',
    token: person.token,
    body: { birth_date: date },
  });

/** A record that may be an account's, and waits for the desk. */
export const addMatch = async (world: World, token: string) => {
  const person = await provedPerson(world);
  const recordId = await addRecord(world, token, { email: person.email });
  await giveBirthDate(world, person);
  const [match] = await world.db.select().from(recordMatches).where(eq(recordMatches.patientId, recordId));
  if (match === undefined) throw new Error('no match');
  return { id: match.id, person, recordId };
};
