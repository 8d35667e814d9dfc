import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { createSecretBox } from '../../src/core/crypto/sealing.ts';
import { createTokenKeys } from '../../src/core/crypto/token-keys.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { deriveHashes, openNumber, sealNumber } from '../../src/modules/patients/numbers/numbers.ts';
import { recordsAStep, resealNumbers } from '../../src/modules/patients/numbers/reseal.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, findKeys, secret, type World } from '../support/world.ts';

const newer = 'a-newer-secret-that-is-used-by-tests-only-012345';
const nik = (at: number) => `317123456789${String(at).padStart(4, '0')}`;

const setSecrets = async ({ deps }: World, current: string, previous?: string) => {
  const keys = await findKeys(current, previous);
  deps.secretBox = await createSecretBox(keys);
  deps.tokenKeys = await createTokenKeys(keys);
};

/** Written directly, with the numbers as this world seals them. */
const addPatient = async ({ deps, db, clock }: World, at: number, confirmed = true, insurance?: string) => {
  const national = await sealNumber(deps, 'national_id', nik(at));
  const card = await sealNumber(deps, 'insurance_number', insurance ?? null);
  const id = deps.newId();
  await db.insert(patients).values({
    id,
    name: `Pasien ${at}`,
    phoneNumber: '',
    phoneCountryCode: '',
    nationalId: national.sealed,
    nationalIdHash: national.hash,
    insuranceNumber: card.sealed,
    insuranceNumberHash: card.hash,
    numbersConfirmedAt: confirmed ? clock.now : null,
    staffNotes: '',
    createdAt: clock.now,
    updatedAt: clock.now,
  });
  return id;
};

/** The ids of whom the reception finds by a number, with the keys that the world has now. */
const find = async (world: World, number: string): Promise<string[]> => {
  const { token } = await createPerson(world, 'staff');
  const response = await createApp(world.deps).request(`http://localhost/v1/patients?q=${number}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
};

describe('numbers that were sealed before the secret was changed', () => {
  it('are found and read under both keys, also before they are sealed again', async () => {
    const world = await createWorld();
    const id = await addPatient(world, 1, true, '0001234567890');
    await setSecrets(world, newer, secret);
    expect(await find(world, nik(1))).toEqual([id]);
    expect(await find(world, '0001234567890')).toEqual([id]);
    const later = await addPatient(world, 2);
    expect(await find(world, nik(2))).toEqual([later]);
    const { token } = await createPerson(world, 'staff');
    const body = { name: 'Kembar', national_id: nik(1) };
    const response = await createApp(world.deps).request('http://localhost/v1/patients', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(await response.json()).toMatchObject({ code: 'patient_exists', candidates: [{ id }] });
  });

  it('are all sealed and hashed again by the job, and outlive the previous secret', async () => {
    const world = await createWorld();
    const count = recordsAStep + 5;
    for (let at = 0; at < count; at++)
      await addPatient(
        world,
        at,
        at % 2 === 0,
        at % 3 === 0 ? `000123456${String(at).padStart(4, '0')}` : undefined,
      );
    await setSecrets(world, newer, secret);
    await addPatient(world, count);
    await resealNumbers(world.deps);
    await setSecrets(world, newer);
    const rows = await world.db.select().from(patients);
    const numbers = await Promise.all(rows.map(({ nationalId }) => openNumber(world.deps, nationalId)));
    expect(numbers.toSorted()).toEqual(Array.from({ length: count + 1 }, (_, at) => nik(at)));
    for (const [at, row] of rows.entries()) {
      const [hash] = await deriveHashes(world.deps, 'national_id', numbers[at] ?? '');
      expect(row.nationalIdHash).toBe(hash);
      expect((await openNumber(world.deps, row.insuranceNumber)) === null).toBe(row.insuranceNumber === null);
    }
    expect(rows.filter(({ numbersConfirmedAt }) => numbersConfirmedAt !== null)).toHaveLength(54);
    const first = rows.find(({ name }) => name === 'Pasien 0');
    expect(await find(world, nik(0))).toEqual([first?.id]);
    expect(await find(world, '0001234560000')).toEqual([first?.id]);
  });

  it('keep changes made while they were sealed again', async () => {
    const world = await createWorld();
    await addPatient(world, 1);
    await setSecrets(world, newer, secret);
    const { db } = world;
    const changed = await sealNumber(world.deps, 'national_id', nik(7));
    world.deps.db = new Proxy(db, {
      get: (target, name) =>
        name === 'batch'
          ? async (statements: Parameters<typeof db.batch>[0]) => {
              const results = await db.batch(statements);
              await db.update(patients).set({ nationalId: changed.sealed, nationalIdHash: changed.hash });
              return results;
            }
          : Reflect.get(target, name),
    });
    await resealNumbers(world.deps);
    const [row] = await db.select().from(patients);
    expect(await openNumber(world.deps, row?.nationalId ?? null)).toBe(nik(7));
  });

  it('of two records that confirmed one number under two keys stay both, one of them unconfirmed', async () => {
    const world = await createWorld();
    world.deps.log = { ...world.deps.log, warn: () => {} };
    await addPatient(world, 1);
    await addPatient(world, 2);
    await setSecrets(world, newer, secret);
    await addPatient(world, 1);
    await resealNumbers(world.deps);
    await setSecrets(world, newer);
    expect(await find(world, nik(1))).toHaveLength(2);
    expect(await find(world, nik(2))).toHaveLength(1);
    const rows = await world.db.select().from(patients);
    const numbered = rows.filter(({ nationalId }) => nationalId !== null);
    expect(numbered.filter(({ numbersConfirmedAt }) => numbersConfirmedAt === null)).toHaveLength(1);
  });

  it('cost nothing while there is no previous secret', async () => {
    const world = await createWorld();
    world.deps.db = new Proxy(world.db, {
      get: () => {
        throw new Error('no question is needed');
      },
    });
    await resealNumbers(world.deps);
  });
});
