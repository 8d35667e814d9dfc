import { describe, expect, it } from 'vitest';
import { createTokenKeys } from '../../src/core/crypto/token-keys.ts';
import { deviceLogins, refreshTokens, users } from '../../src/core/tables/accounts.ts';
import { claimsOf, forged } from '../support/forge.ts';
import { profile, refresh, started } from '../support/refresh.ts';
import { findKeys, secret, settleAll } from '../support/world.ts';

describe('a refresh token', () => {
  it('is exchanged for new tokens, which open the profile and can be exchanged again', async () => {
    const { world, patient } = await started();
    const first = await refresh(world, patient.refreshToken);
    expect(first.status).toBe(200);
    expect(Object.keys(first.body.data)).toEqual([
      'access_token',
      'token_type',
      'expires_in',
      'refresh_token',
    ]);
    expect(first.body.data.refresh_token).not.toBe(patient.refreshToken);
    expect((await profile(world, first.body.data.access_token)).status).toBe(200);
    world.clock.now += 60_000;
    expect((await refresh(world, first.body.data.refresh_token)).status).toBe(200);
  });

  it('gives one child to 20 parallel refreshes', async () => {
    const { world, patient } = await started();
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(world, patient.refreshToken)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ body }) => body.data.refresh_token)).size).toBe(1);
    expect(await world.db.select().from(refreshTokens)).toHaveLength(2);
  });

  it('returns the same next token within the grace period, to the last millisecond', async () => {
    const { world, patient } = await started();
    const first = await refresh(world, patient.refreshToken);
    world.clock.now += 10_000;
    const again = await refresh(world, patient.refreshToken);
    expect(again.status).toBe(200);
    expect(again.body.data.refresh_token).toBe(first.body.data.refresh_token);
  });

  it('gives its child again for 24 hours while nobody used that, to the last millisecond', async () => {
    const { world, patient } = await started();
    const lost = await refresh(world, patient.refreshToken);
    for (const waited of [11_000, 3_600_000, 24 * 3_600_000 - 3_611_000]) {
      world.clock.now += waited;
      const again = await refresh(world, patient.refreshToken);
      expect(again.status).toBe(200);
      expect(again.body.data.refresh_token).toBe(lost.body.data.refresh_token);
    }
    world.clock.now += 1;
    expect((await refresh(world, patient.refreshToken)).status).toBe(401);
    const [login] = await world.db.select().from(deviceLogins);
    expect(login?.revokedReason).toBe('token_reuse');
  });

  it('goes on after an answer that was lost, and a process that was killed on the way', async () => {
    const { world, patient } = await started();
    await refresh(world, patient.refreshToken);
    world.clock.now += 20 * 3_600_000;
    // A process that starts has nothing but the secret and the database.
    world.deps.tokenKeys = await createTokenKeys(await findKeys(secret));
    const found = await refresh(world, patient.refreshToken);
    expect(found.status).toBe(200);
    expect((await profile(world, found.body.data.access_token)).status).toBe(200);
    expect((await refresh(world, found.body.data.refresh_token)).status).toBe(200);
  });

  it('comes again no more once an access token of its child was accepted, but for the grace', async () => {
    const { world, patient } = await started();
    const child = (await refresh(world, patient.refreshToken)).body.data;
    expect(claimsOf(child.access_token).gen).toBe(1);
    world.clock.now += 4_000;
    expect((await profile(world, child.access_token)).status).toBe(200);
    await settleAll();
    for (const [waited, status] of [
      [6_000, 200],
      [1, 401],
    ] as const) {
      world.clock.now += waited;
      expect((await refresh(world, patient.refreshToken)).status).toBe(status);
    }
    expect((await profile(world, child.access_token)).status).toBe(401);
  });

  it('is not used up by an access token of before, nor by one that is refused', async () => {
    const { world, patient } = await started();
    const child = (await refresh(world, patient.refreshToken)).body.data;
    world.clock.now += 60_000;
    expect((await profile(world, patient.token)).status).toBe(200);
    const forgery = await forged(child.access_token, { claims: { sub: crypto.randomUUID() } });
    expect((await profile(world, forgery)).status).toBe(401);
    await settleAll();
    expect((await refresh(world, patient.refreshToken)).body.data.refresh_token).toBe(child.refresh_token);
  });

  it('has the use of its child noted once, after the answer, whatever is asked', async () => {
    const { world, patient } = await started();
    const child = (await refresh(world, patient.refreshToken)).body.data;
    for (const noted of [1, 0, 0]) {
      const path = '/v1/bookings/history';
      expect((await world.request(path, { token: child.access_token })).status).toBe(200);
      expect(world.background.length).toBe(noted);
      await settleAll();
      const [login] = await world.db.select().from(deviceLogins);
      expect(login?.usedGeneration).toBe(1);
    }
  });

  it('shows the device as seen when it was first used, and a repeat lengthens nothing', async () => {
    const { world, patient } = await started();
    world.clock.now += 3_600_000;
    const { now } = world.clock;
    await refresh(world, patient.refreshToken);
    world.clock.now += 9_000;
    expect((await refresh(world, patient.refreshToken)).status).toBe(200);
    const [login] = await world.db.select().from(deviceLogins);
    expect(login).toMatchObject({ lastSeenAt: now, expiresAt: now + 30 * 86_400_000 });
  });

  it('opens nothing and writes nothing once its device login is over, not even within the grace', async () => {
    for (const isUsed of [false, true]) {
      const { world, patient } = await started();
      if (isUsed) await refresh(world, patient.refreshToken);
      const before = await world.db.select().from(refreshTokens);
      await world.db.update(deviceLogins).set({ expiresAt: world.clock.now + 1 });
      world.clock.now += 1;
      expect((await refresh(world, patient.refreshToken)).status).toBe(401);
      expect(await world.db.select().from(refreshTokens)).toEqual(before);
    }
  });

  it('holds for 30 days since the last use, not a millisecond longer', async () => {
    const { world, patient } = await started();
    world.clock.now += 30 * 86_400_000 - 1;
    const renewed = await refresh(world, patient.refreshToken);
    expect(renewed.status).toBe(200);
    world.clock.now += 30 * 86_400_000 - 1;
    const again = await refresh(world, renewed.body.data.refresh_token);
    expect(again.status).toBe(200);
    expect((await profile(world, again.body.data.access_token)).status).toBe(200);
    world.clock.now += 30 * 86_400_000;
    expect((await refresh(world, again.body.data.refresh_token)).status).toBe(401);
  });

  it('is refused after logout', async () => {
    const { world, patient } = await started();
    await world.request('/v1/auth/logout', { method: 'POST', token: patient.token });
    expect((await refresh(world, patient.refreshToken)).status).toBe(401);
    expect(await world.db.select().from(refreshTokens)).toMatchObject([{ rotatedAt: null }]);
  });

  it('is refused when nobody was ever given it', async () => {
    const { world } = await started();
    for (const token of ['', 'x', 'A'.repeat(43), "' or 1=1 --"])
      expect((await refresh(world, token)).status).toBe(401);
  });

  it('is stored only as a hash', async () => {
    const { world, patient } = await started();
    const child = (await refresh(world, patient.refreshToken)).body.data.refresh_token;
    const stored = JSON.stringify([
      await world.db.select().from(refreshTokens),
      await world.db.select().from(deviceLogins),
      await world.db.select().from(users),
    ]);
    expect(stored).not.toContain(patient.refreshToken);
    expect(stored).not.toContain(child);
  });

  it('keeps its child through a change of the server secret', async () => {
    const { world, patient } = await started();
    const child = (await refresh(world, patient.refreshToken)).body.data.refresh_token;
    const next = await createTokenKeys(await findKeys('the-next-secret-of-this-test-0123456789', secret));
    world.deps.tokenKeys = next;
    expect((await refresh(world, patient.refreshToken)).body.data.refresh_token).toBe(child);
  });

  it('has the person’s present role', async () => {
    const { world, patient } = await started();
    await world.db.update(users).set({ role: 'staff' });
    const { access_token } = (await refresh(world, patient.refreshToken)).body.data;
    const payload = JSON.parse(atob(access_token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')));
    expect(payload.role).toBe('staff');
  });
});
