import { eq, isNotNull } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { endSealedByJwt, ensureClinic, toClinicIdentity } from '../../src/core/clinic/row.ts';
import { clinicKeys } from '../../src/core/crypto/clinic-keys.ts';
import { createSecretBox } from '../../src/core/crypto/sealing.ts';
import { createTokenKeys } from '../../src/core/crypto/token-keys.ts';
import { auditBlocks } from '../../src/core/tables/audit.ts';
import { clinic } from '../../src/core/tables/catalog.ts';
import { secondFactors } from '../../src/core/tables/factors.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { webhookEndpoints } from '../../src/core/tables/webhooks.ts';
import { countSealed, rekey } from '../../src/jobs/rekey.ts';
import { deriveHashes, openNumber, sealNumber } from '../../src/modules/patients/numbers/numbers.ts';
import { addFactor } from '../support/factors.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { createPerson } from '../support/people.ts';
import { createEndpoint } from '../support/receiver.ts';
import { blocksOf, seal, verifyAll, writeBlocks } from '../support/trail.ts';
import { createWorld, secret, secretsOf, testClinicId, type World } from '../support/world.ts';

const newer = 'a-newer-secret-that-is-used-by-tests-only-012345';
const nik = '3171234567890001';
const quiet = () => {};

/** The same as a start with these secrets, on the present database. */
const start = async ({ deps, db }: World, secrets: Parameters<typeof clinicKeys>[1]): Promise<void> => {
  const identity = toClinicIdentity(await ensureClinic(db, 'Asia/Jakarta', testClinicId), deps.clock());
  const keys = await clinicKeys(identity, secrets);
  deps.secretBox = await createSecretBox(keys);
  deps.tokenKeys = await createTokenKeys(keys);
};

/** As a version without a DATA_KEY sealed and hashed: by keys of JWT_SECRET. */
const startOfBefore = async (world: World): Promise<void> => {
  const identity = { clinicId: testClinicId, hasLegacyKeys: false, sealedByJwt: true };
  const keys = await clinicKeys(identity, secretsOf(secret));
  const before = { ...keys, dataSecrets: keys.secrets.map(({ text }) => text) };
  world.deps.secretBox = await createSecretBox(before);
  world.deps.tokenKeys = await createTokenKeys(before);
  await world.db.update(clinic).set({ sealedByJwt: true });
};

const addPatient = async ({ deps, db, clock }: World, number = nik): Promise<string> => {
  const { sealed, hash } = await sealNumber(deps, 'national_id', number);
  const id = deps.newId();
  await db.insert(patients).values({
    id,
    name: 'Sari',
    phoneNumber: '',
    phoneCountryCode: '',
    nationalId: sealed,
    nationalIdHash: hash,
    insuranceNumber: null,
    insuranceNumberHash: null,
    numbersConfirmedAt: clock.now,
    staffNotes: '',
    createdAt: clock.now,
    updatedAt: clock.now,
  });
  return id;
};

const numberIn = async ({ deps, db }: World): Promise<string | null> => {
  const [row] = await db.select().from(patients).where(isNotNull(patients.nationalId));
  return openNumber(deps, row?.nationalId ?? null);
};

const isFound = async ({ deps, db }: World): Promise<boolean> => {
  const [row] = await db.select().from(patients).where(isNotNull(patients.nationalId));
  return (await deriveHashes(deps, 'national_id', nik)).includes(row?.nationalIdHash ?? '');
};

const secretIn = async ({ deps, db }: World): Promise<string | null> => {
  const [row] = await db.select().from(webhookEndpoints);
  return deps.secretBox.open(row?.secret ?? '');
};

describe('a database that was sealed before there was a DATA_KEY', () => {
  it('stays readable and found after the upgrade, and without JWT_SECRET once it is rekeyed', async () => {
    const world = await createWorld();
    await startOfBefore(world);
    await addPatient(world);
    const endpoint = await createEndpoint(world);
    await addFactor(world, (await createPerson(world)).id);
    await start(world, secretsOf(secret));
    expect([await numberIn(world), await isFound(world)]).toEqual([nik, true]);
    expect(await secretIn(world)).toBe(endpoint.secret);
    expect(await countSealed(world.deps)).toEqual({ current: 0, older: 3, lost: 0 });
    expect(await rekey(world.deps, quiet)).toEqual({ current: 3, older: 0, lost: 0 });
    await endSealedByJwt(world.db);
    // Whatever becomes of JWT_SECRET.
    await start(world, { ...secretsOf(newer), dataKey: secretsOf(secret).dataKey });
    expect([await numberIn(world), await isFound(world)]).toEqual([nik, true]);
    expect(await secretIn(world)).toBe(endpoint.secret);
    const [app] = await world.db.select().from(secondFactors);
    expect(await world.deps.secretBox.open(app?.secret ?? '')).not.toBeNull();
    expect(world.deps.secretBox.oldKeyIds).toEqual([]);
  });

  it('opens with JWT_SECRET_PREVIOUS as well, where that was rotated before the rekey', async () => {
    const world = await createWorld();
    await startOfBefore(world);
    await addPatient(world);
    const { dataKey } = secretsOf(secret);
    await start(world, { secret: newer, previousSecret: secret, dataKey });
    expect(await numberIn(world)).toBe(nik);
    await rekey(world.deps, quiet);
    await start(world, { secret: newer, dataKey });
    expect(await numberIn(world)).toBe(nik);
  });
});

describe('JWT_SECRET', () => {
  it('opens, hashes and finds nothing in a new database', async () => {
    const world = await createWorld();
    await addPatient(world);
    await start(world, { secret, dataKey: 'another data key' });
    expect([await numberIn(world), await isFound(world)]).toEqual([null, false]);
    expect(await countSealed(world.deps)).toEqual({ current: 0, older: 0, lost: 1 });
  });
});

describe('rekey', () => {
  it('seals all by the new key, telling how far it is, and ends', async () => {
    const world = await createWorld();
    for (let at = 0; at < 5; at++) await addPatient(world, `317123456789000${at}`);
    await start(world, secretsOf(newer, secret));
    const told: number[] = [];
    expect(await rekey(world.deps, ({ older }) => told.push(older))).toEqual({
      current: 5,
      older: 0,
      lost: 0,
    });
    expect(told).toEqual([5, 0]);
  });

  it('looks only through the kinds of secrets that wait for the new key', async () => {
    const world = await createWorld();
    await addPatient(world);
    await start(world, secretsOf(newer, secret));
    const seen = beforeRoundTrip(world, 0, async () => {});
    await rekey(world.deps, quiet);
    // The count, the national numbers read and written, the insurance numbers read, and the count again.
    expect(seen.roundTrips).toBe(5);
  });

  it('leaves what no key opens as it is, and says how much that is', async () => {
    const world = await createWorld();
    await addPatient(world);
    const [before] = await world.db.select().from(patients);
    await start(world, secretsOf(newer));
    expect(await rekey(world.deps, quiet)).toEqual({ current: 0, older: 0, lost: 1 });
    expect((await world.db.select().from(patients))[0]).toEqual(before);
    await start(world, secretsOf(newer, secret));
    expect(await rekey(world.deps, quiet)).toEqual({ current: 1, older: 0, lost: 0 });
    expect(await numberIn(world)).toBe(nik);
  });

  it('ends where a value bears the id of an older key and does not open', async () => {
    const world = await createWorld();
    await addPatient(world);
    await start(world, secretsOf(newer, secret));
    const [keyId] = world.deps.secretBox.oldKeyIds;
    await world.db.update(patients).set({ nationalId: `${keyId}.broken.broken` });
    expect(await rekey(world.deps, quiet)).toEqual({ current: 0, older: 1, lost: 0 });
  });
});

describe('the seals of the audit trail', () => {
  const keyIds = async (world: World) => [...new Set((await blocksOf(world)).map(({ keyId }) => keyId))];

  it('are made again by a new DATA_KEY, by the job and by rekey, and hold without the old one', async () => {
    const world = await createWorld();
    await writeBlocks(world, 2, 2);
    await start(world, secretsOf(newer, secret));
    expect(await verifyAll(world)).toEqual([]);
    expect(await countSealed(world.deps)).toEqual({ current: 0, older: 2, lost: 0 });
    expect(await rekey(world.deps, quiet)).toEqual({ current: 0, older: 0, lost: 0 });
    await start(world, secretsOf(newer));
    expect(await verifyAll(world)).toEqual([]);
    expect(await keyIds(world)).toEqual([world.deps.secretBox.keyId]);
    await start(world, secretsOf(secret, newer));
    await seal(world);
    await start(world, secretsOf(secret));
    expect([await verifyAll(world), await keyIds(world)]).toEqual([[], [world.deps.secretBox.keyId]]);
  });

  it('are reported where their key is lost: the chain is intact and goes on, and nothing is lost', async () => {
    const world = await createWorld();
    await writeBlocks(world, 1, 1);
    await start(world, secretsOf(newer));
    await writeBlocks(world, 1);
    expect(await verifyAll(world)).toEqual(['other_key 1', 'other_key 2']);
    expect(await countSealed(world.deps)).toEqual({ current: 0, older: 0, lost: 0 });
  });

  it('that were forged stay as they are, so that they are found under the new key, too', async () => {
    const world = await createWorld();
    await writeBlocks(world, 1, 1);
    const [first] = await blocksOf(world);
    await world.db.update(auditBlocks).set({ seal: 'forged' }).where(eq(auditBlocks.number, 1));
    await start(world, secretsOf(newer, secret));
    expect(await rekey(world.deps, quiet)).toEqual({ current: 0, older: 1, lost: 0 });
    expect(await verifyAll(world)).toEqual(['seal_wrong 1']);
    expect((await blocksOf(world))[0]).toEqual({ ...first, seal: 'forged' });
  });
});
