import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { ensureClinic, toClinicIdentity } from '../../src/core/clinic/row.ts';
import { type ClinicKeys, clinicKeys } from '../../src/core/crypto/clinic-keys.ts';
import { deviceLogins, refreshTokens } from '../../src/core/tables/accounts.ts';
import { clinic } from '../../src/core/tables/catalog.ts';
import { webhookEndpoints } from '../../src/core/tables/webhooks.ts';
import { issueAccessToken } from '../../src/modules/auth/tokens.ts';
import { deliverWebhooks } from '../../src/modules/webhooks/delivery/deliver.ts';
import { resealSecrets } from '../../src/modules/webhooks/delivery/reseal.ts';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { claimsOf, forged, headerOf } from '../support/forge.ts';
import { createEndpoint, createReceiver } from '../support/receiver.ts';
import { profile, refresh } from '../support/refresh.ts';
import { restart } from '../support/restart.ts';
import {
  createWorld,
  mondayMorning,
  registerPatient,
  secret,
  secretsOf,
  type World,
} from '../support/world.ts';

const legacyDays = 31;

/** As a version without clinics' ids signed and sealed. */
const asBefore = async (): Promise<ClinicKeys> => {
  const keys = await clinicKeys({ clinicId: '', hasLegacyKeys: true }, secretsOf(secret));
  return { ...keys, secrets: keys.secrets.slice(-1), dataSecrets: [secret] };
};

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
    const identity = toClinicIdentity(await ensureClinic(world.db, 'Asia/Jakarta'), world.clock.now);
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

  it('keeps its webhooks signed: sealed secrets open, and are sealed again with its own key', async () => {
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
