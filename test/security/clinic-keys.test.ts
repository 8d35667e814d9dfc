import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { issueAccessToken } from '../../src/auth/tokens.ts';
import { ensureClinic, identityOf } from '../../src/clinic/row.ts';
import { parseConfig } from '../../src/config.ts';
import { type ClinicKeys, clinicKeys } from '../../src/crypto/clinic-keys.ts';
import { createSecretBox } from '../../src/crypto/sealing.ts';
import { createTokenKeys } from '../../src/crypto/token-keys.ts';
import { deviceLogins, refreshTokens, users } from '../../src/tables/accounts.ts';
import { clinic } from '../../src/tables/catalog.ts';
import { webhookEndpoints } from '../../src/tables/webhooks.ts';
import { deliverWebhooks } from '../../src/webhooks/delivery/deliver.ts';
import { resealSecrets } from '../../src/webhooks/delivery/reseal.ts';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { claimsOf, forged, headerOf } from '../support/forge.ts';
import { createPerson } from '../support/people.ts';
import { createEndpoint, createReceiver } from '../support/receiver.ts';
import {
  createWorld,
  mondayMorning,
  password,
  registerPatient,
  secret,
  secretsOf,
  settleAll,
  testClinicId,
  type World,
} from '../support/world.ts';

const newer = 'a-newer-secret-that-is-used-by-tests-only-012345';
const legacyDays = 31;

/** Puts other keys in the place of a world's own, as a start with other settings would. */
const restart = async (world: World, keys: ClinicKeys): Promise<void> => {
  world.deps.tokenKeys = await createTokenKeys(keys);
  world.deps.secretBox = await createSecretBox(keys);
};

const asAnother = () => clinicKeys({ clinicId: 'klinik-lain', hasLegacyKeys: false }, secretsOf(secret));
/** As a version without clinics' ids signed and sealed. */
const asBefore = async (): Promise<ClinicKeys> => {
  const keys = await clinicKeys({ clinicId: '', hasLegacyKeys: true }, secretsOf(secret));
  return { ...keys, secrets: keys.secrets.slice(-1), dataSecrets: [secret] };
};

const profile = (world: World, token: string) => world.request('/v1/auth/profile', { token });
const refresh = (world: World, refresh_token: string) =>
  world.request('/v1/auth/refresh', { body: { refresh_token } });

describe('under one secret, a copy of the database with another id', () => {
  it('takes no access token, whatever its aud and kid are made to say', async () => {
    const world = await createWorld();
    const { token } = await registerPatient(world);
    expect(claimsOf(token).aud).toBe(`janji:${testClinicId}`);
    expect((await profile(world, token)).status).toBe(200);
    const keys = await asAnother();
    await restart(world, keys);
    const { kid } = world.deps.tokenKeys.live[0] ?? {};
    const aud = 'janji:klinik-lain';
    const tries = [token, await forged(token, { claims: { aud } })];
    for (const isBound of [true, false])
      tries.push(await forged(token, { claims: { aud }, header: { kid }, isBound }));
    for (const each of tries) expect((await profile(world, each)).status).toBe(401);
  });

  it('takes no token with the aud of another clinic, even one that its own key signed', async () => {
    const world = await createWorld();
    const { token } = await registerPatient(world);
    for (const aud of ['janji', 'janji:klinik-lain', `janji:${testClinicId}`]) {
      const { status } = await profile(world, await forged(token, { claims: { aud } }));
      expect([aud, status]).toEqual([aud, aud === `janji:${testClinicId}` ? 200 : 401]);
    }
  });

  it('takes no refresh token, neither the newest nor its parent, and ends nothing', async () => {
    const world = await createWorld();
    const { refreshToken } = await registerPatient(world);
    const child = (await refresh(world, refreshToken)).body.data.refresh_token;
    const rows = await world.db.select().from(refreshTokens);
    const own = world.deps.tokenKeys;
    await restart(world, await asAnother());
    for (const each of [child, refreshToken]) expect((await refresh(world, each)).status).toBe(401);
    expect(await world.db.select().from(refreshTokens)).toEqual(rows);
    world.deps.tokenKeys = own;
    expect((await refresh(world, child)).status).toBe(200);
  });

  it('takes no token that sets a new password', async () => {
    const world = await createWorld();
    const { email } = await registerPatient(world);
    await world.request('/v1/auth/password/forgot', { body: { email } });
    await settleAll();
    const [token] = /[\w-]{43}/.exec(world.mails[0]?.text ?? '') ?? [];
    const body = { token, password: 'sandi-baru-uji-18', password_confirmation: 'sandi-baru-uji-18' };
    const own = world.deps.tokenKeys;
    await restart(world, await asAnother());
    const refused = await world.request('/v1/auth/password/reset', { body });
    expect(refused.body.code).toBe('reset_token_invalid');
    world.deps.tokenKeys = own;
    expect((await world.request('/v1/auth/password/reset', { body })).status).toBe(200);
  });

  it('opens no secret of a webhook', async () => {
    const world = await createWorld();
    const receiver = createReceiver(world);
    await createEndpoint(world);
    const { token } = await createPerson(world);
    await world.request('/v1/bookings', { token, body: bookingInput(await createPractice(world)) });
    world.deps.log = { ...world.deps.log, error: () => {} };
    await restart(world, await asAnother());
    await deliverWebhooks(world.deps);
    expect(receiver.received).toHaveLength(0);
    expect(await world.db.select().from(webhookEndpoints)).toMatchObject([{ pausedReason: 'secret_lost' }]);
  });
});

describe('a clinic’s id', () => {
  it('is made with the database, at random, and stays', async () => {
    const world = await createWorld();
    await world.db.delete(clinic);
    const made = await ensureClinic(world.db, 'Asia/Jakarta');
    expect(made.clinicId).toMatch(/^[0-9a-f-]{36}$/);
    const starts = [1, 2, 3].map(() => ensureClinic(world.db, 'Asia/Jakarta'));
    for (const again of await Promise.all(starts)) expect(again).toEqual(made);
    await world.db.delete(clinic);
    expect((await ensureClinic(world.db, 'Asia/Jakarta')).clinicId).not.toBe(made.clinicId);
  });

  it('is one for all that start at once on a database without one', async () => {
    const world = await createWorld();
    await world.db.update(clinic).set({ clinicId: null });
    const starts = await Promise.all([1, 2, 3, 4].map(() => ensureClinic(world.db, 'Asia/Jakarta')));
    expect(new Set(starts.map(({ clinicId }) => clinicId)).size).toBe(1);
  });

  it('is the setting’s where CLINIC_ID is set', async () => {
    const world = await createWorld();
    expect((await ensureClinic(world.db, 'Asia/Jakarta', 'klinik-b')).clinicId).toBe('klinik-b');
    expect((await ensureClinic(world.db, 'Asia/Jakarta')).clinicId).toBe(testClinicId);
    for (const wrong of ['a b', 'a\nb', 'x'.repeat(65), 'klinik/1'])
      expect(() => parseConfig({ CLINIC_ID: wrong })).toThrow('CLINIC_ID is not acceptable');
    expect(parseConfig({ CLINIC_ID: 'Klinik_1.b-2' }).CLINIC_ID).toBe('Klinik_1.b-2');
  });
});

/** Puts the hash of before in the place of the newest one of a device login. */
const storeAsBefore = async (world: World, deviceLoginId: string, token: string): Promise<void> => {
  const rows = await world.db
    .select()
    .from(refreshTokens)
    .where(eq(refreshTokens.deviceLoginId, deviceLoginId));
  const newest = rows.sort((a, b) => b.generation - a.generation)[0];
  const hash = await legacyHash(token);
  await world.db
    .update(refreshTokens)
    .set({ hash })
    .where(eq(refreshTokens.hash, newest?.hash ?? ''));
};

/** A database that a version without clinics' ids has filled: a patient's tokens, and a webhook with its event. */
const worldOfBefore = async () => {
  const world = await createWorld();
  await restart(world, await asBefore());
  const receiver = createReceiver(world);
  const endpoint = await createEndpoint(world);
  receiver.secret = endpoint.secret;
  const patient = await registerPatient(world);
  const deviceLoginId = String(claimsOf(patient.token).sid);
  const claims = { userId: patient.id, deviceLoginId, role: 'patient' as const };
  const token = await issueAccessToken(world.deps.tokenKeys, claims, world.clock.now, 3600);
  await world.request('/v1/bookings', { token, body: bookingInput(await createPractice(world)) });
  await storeAsBefore(world, deviceLoginId, patient.refreshToken);
  await world.db.update(clinic).set({
    clinicId: null,
    legacyKeysUntil: mondayMorning + legacyDays * 86_400_000,
    sealedByJwt: true,
  });
  const start = async () => {
    const identity = identityOf(await ensureClinic(world.db, 'Asia/Jakarta'), world.clock.now);
    await restart(world, await clinicKeys(identity, secretsOf(secret)));
  };
  return { world, patient, token, deviceLoginId, receiver, start };
};

const legacyHash = async (token: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
};

describe('a database of before clinics had ids', () => {
  it('logs nobody out when it gets one: access and refresh tokens go on', async () => {
    const { world, patient, token, start } = await worldOfBefore();
    expect(claimsOf(token)).toMatchObject({ aud: 'janji' });
    expect(claimsOf(token)).not.toHaveProperty('gen');
    await start();
    expect((await profile(world, token)).status).toBe(200);
    const first = await refresh(world, patient.refreshToken);
    expect(first.status).toBe(200);
    expect(claimsOf(first.body.data.access_token).aud).toMatch(/^janji:[0-9a-f-]{36}$/);
    expect((await refresh(world, patient.refreshToken)).body.data.refresh_token).toBe(
      first.body.data.refresh_token,
    );
    expect((await refresh(world, first.body.data.refresh_token)).status).toBe(200);
    expect((await refresh(world, patient.refreshToken)).status).toBe(401);
  });

  it('gives the child that was made before, where its answer was lost on the way to this version', async () => {
    const { world, patient, deviceLoginId, start } = await worldOfBefore();
    world.deps.tokenKeys = { ...world.deps.tokenKeys, hasLegacyKeys: true };
    const child = (await refresh(world, patient.refreshToken)).body.data.refresh_token;
    await storeAsBefore(world, deviceLoginId, child);
    await start();
    expect((await refresh(world, patient.refreshToken)).body.data.refresh_token).toBe(child);
    expect((await refresh(world, child)).status).toBe(200);
  });

  it('keeps its webhooks signed: sealed secrets open, and are sealed anew by its own key', async () => {
    const { world, receiver, start } = await worldOfBefore();
    await start();
    const [before] = await world.db.select().from(webhookEndpoints);
    await resealSecrets(world.deps);
    const [after] = await world.db.select().from(webhookEndpoints);
    expect(after?.secret).not.toBe(before?.secret);
    // Without the keys of before.
    world.clock.now += legacyDays * 86_400_000;
    await start();
    await deliverWebhooks(world.deps);
    const types = receiver.received.map(({ body }) => JSON.parse(body).type);
    expect(types.filter((type) => type.startsWith('booking.'))).toHaveLength(1);
  });

  it('takes nothing of before after 31 days', async () => {
    const { world, patient, token, start } = await worldOfBefore();
    world.clock.now += legacyDays * 86_400_000;
    const longer = await forged(token, {
      claims: { exp: Math.floor(world.clock.now / 1000) + 60 },
      isBound: false,
    });
    await start();
    expect((await profile(world, longer)).status).toBe(401);
    expect((await refresh(world, patient.refreshToken)).status).toBe(401);
    expect(world.deps.tokenKeys.live.map(({ kid }) => kid)).not.toContain(headerOf(token).kid);
  });

  it('takes no access token of before after 31 days, though it was not started again since', async () => {
    const { world, token, start } = await worldOfBefore();
    await start();
    const ends = world.clock.now + legacyDays * 86_400_000;
    const exp = Math.floor(ends / 1000) + 3600;
    const longer = await forged(token, { claims: { exp }, isBound: false });
    world.clock.now = ends - 1;
    await world.db.update(deviceLogins).set({ expiresAt: ends + 86_400_000 });
    expect((await profile(world, longer)).status).toBe(200);
    world.clock.now = ends;
    expect((await profile(world, longer)).status).toBe(401);
    world.deps.tokenKeys.verified.clear();
    expect((await profile(world, longer)).status).toBe(401);
  });

  it('takes nothing of before once it is another clinic', async () => {
    const { world, patient, token, start } = await worldOfBefore();
    await world.db.update(clinic).set({ clinicId: 'klinik-lain', legacyKeysUntil: null });
    await start();
    expect((await profile(world, token)).status).toBe(401);
    expect((await refresh(world, patient.refreshToken)).status).toBe(401);
  });
});

describe('two secrets of one clinic', () => {
  it('are in force at once, each bound to it, and beside those of before', async () => {
    const identity = { clinicId: testClinicId, hasLegacyKeys: true, sealedByJwt: true };
    const { live, derivation } = await createTokenKeys(await clinicKeys(identity, secretsOf(newer, secret)));
    expect(new Set(live.map(({ kid }) => kid)).size).toBe(4);
    expect(live.map(({ audience }) => audience)).toEqual([
      `janji:${testClinicId}`,
      `janji:${testClinicId}`,
      'janji',
      'janji',
    ]);
    expect(derivation).toHaveLength(6);
  });
});

it('an account without a password of its own has a hash that no other account has', async () => {
  const world = await createWorld();
  const admin = await createPerson(world, 'admin');
  for (const nth of [1, 2, 3])
    await world.request('/v1/admin/people', {
      token: admin.token,
      body: { name: 'Rina', email: `rina${nth}@klinik.example`, role: 'staff' },
    });
  const hashes = (await world.db.select().from(users))
    .map(({ passwordHash }) => passwordHash)
    .filter(Boolean);
  expect(new Set(hashes).size).toBe(3);
  for (const nth of [1, 2, 3]) {
    const body = { email: `rina${nth}@klinik.example`, password };
    expect((await world.request('/v1/auth/login', { body })).status).toBe(401);
  }
});
