import { describe, expect, it } from 'vitest';
import { ensureClinic } from '../../src/core/clinic/row.ts';
import { clinicKeys } from '../../src/core/crypto/clinic-keys.ts';
import { createTokenKeys } from '../../src/core/crypto/token-keys.ts';
import { parseConfig } from '../../src/core/settings/config.ts';
import { refreshTokens, users } from '../../src/core/tables/accounts.ts';
import { clinic } from '../../src/core/tables/catalog.ts';
import { webhookEndpoints } from '../../src/core/tables/webhooks.ts';
import { deliverWebhooks } from '../../src/modules/webhooks/delivery/deliver.ts';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { claimsOf, forged } from '../support/forge.ts';
import { createPerson } from '../support/people.ts';
import { createEndpoint, createReceiver } from '../support/receiver.ts';
import { profile, refresh } from '../support/refresh.ts';
import { restart } from '../support/restart.ts';
import {
  createWorld,
  password,
  registerPatient,
  secret,
  secretsOf,
  settleAll,
  testClinicId,
} from '../support/world.ts';

const newer = 'a-newer-secret-that-is-used-by-tests-only-012345';

const asAnother = () => clinicKeys({ clinicId: 'klinik-lain', hasLegacyKeys: false }, secretsOf(secret));

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
