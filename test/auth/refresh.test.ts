import { describe, expect, it } from 'vitest';
import { createTokenKeys } from '../../src/crypto/token-keys.ts';
import { deviceLogins, refreshTokens, securityEvents, users } from '../../src/tables/accounts.ts';
import { claimsOf, forged } from '../support/forge.ts';
import { createWorld, keysOf, registerPatient, secret, settleAll, type World } from '../support/world.ts';

const refresh = (world: World, refresh_token: string) =>
  world.request('/v1/auth/refresh', { body: { refresh_token } });

const profile = (world: World, token: string) => world.request('/v1/auth/profile', { token });

const started = async (settings: Record<string, string> = {}) => {
  const world = await createWorld(settings);
  return { world, patient: await registerPatient(world) };
};

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
    world.deps.tokenKeys = await createTokenKeys(await keysOf(secret));
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

  it('ends by itself at its own time, however long its device login lives', async () => {
    const { world, patient } = await started();
    await world.db.update(refreshTokens).set({ expiresAt: world.clock.now });
    expect((await refresh(world, patient.refreshToken)).status).toBe(401);
    expect(await world.db.select().from(refreshTokens)).toMatchObject([{ rotatedAt: null }]);
  });

  it('ends the device login when it comes again after its child was used, at once and for every descendant', async () => {
    const { world, patient } = await started();
    const child = (await refresh(world, patient.refreshToken)).body.data;
    expect((await profile(world, child.access_token)).status).toBe(200);
    await settleAll();
    world.clock.now += 10_001;
    const reuse = await refresh(world, patient.refreshToken);
    expect(reuse).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(reuse.headers.get('WWW-Authenticate')).toContain('error="invalid_token"');
    expect((await refresh(world, child.refresh_token)).status).toBe(401);
    expect((await profile(world, child.access_token)).status).toBe(401);
    expect((await profile(world, patient.token)).status).toBe(401);
    const [login] = await world.db.select().from(deviceLogins);
    expect(login?.revokedReason).toBe('token_reuse');
  });

  it('ends the device login when an older token is reused, even within the grace period', async () => {
    const { world, patient } = await started();
    const child = (await refresh(world, patient.refreshToken)).body.data;
    const grandchild = (await refresh(world, child.refresh_token)).body.data;
    expect((await refresh(world, patient.refreshToken)).status).toBe(401);
    expect((await refresh(world, grandchild.refresh_token)).status).toBe(401);
    expect((await profile(world, grandchild.access_token)).status).toBe(401);
  });

  it('records a reuse once, with whose it was', async () => {
    const { world, patient } = await started();
    await refresh(world, patient.refreshToken);
    world.clock.now += 2 * 86_400_000;
    await Promise.all(Array.from({ length: 5 }, () => refresh(world, patient.refreshToken)));
    const events = (await world.db.select().from(securityEvents)).filter(
      ({ type }) => type === 'refresh_reused',
    );
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ userId: patient.id });
    expect(events[0]?.deviceLoginId).not.toBeNull();
  });

  it('takes two of its login along that expired more than a day ago, the oldest first, and none of another', async () => {
    const { world, patient } = await started();
    const other = await registerPatient(world);
    const { now } = world.clock;
    const old = (hash: string, deviceLoginId: string, generation: number, expiresAt: number) => ({
      ...{ hash, deviceLoginId, generation, issuedAt: 1, expiresAt },
    });
    const loginOf = async ({ id }: { id: string }) =>
      (await world.db.select().from(deviceLogins)).find(({ userId }) => userId === id)?.id ?? '';
    const [own, others] = [await loginOf(patient), await loginOf(other)];
    const gone = now - 86_400_000;
    await world.db
      .insert(refreshTokens)
      .values([
        old('a', own, -4, gone),
        old('b', own, -3, gone),
        old('c', own, -2, gone),
        old('d', own, -1, gone + 1),
        old('e', others, -1, 1),
      ]);
    const left = async () =>
      (await world.db.select().from(refreshTokens))
        .map(({ hash }) => hash)
        .filter((hash) => hash.length === 1);
    const first = await refresh(world, patient.refreshToken);
    expect(await left()).toEqual(['c', 'd', 'e']);
    await refresh(world, first.body.data.refresh_token);
    expect(await left()).toEqual(['d', 'e']);
    expect((await refresh(world, other.refreshToken)).status).toBe(200);
    expect(await left()).toEqual(['d']);
    expect(await world.db.$count(refreshTokens)).toBe(6);
  });

  it('leaves the other device logins of the person alone', async () => {
    const { world, patient } = await started();
    const other = await world.request('/v1/auth/login', {
      body: { email: patient.email, password: 'kata-sandi-uji-17' },
    });
    const child = (await refresh(world, patient.refreshToken)).body.data.refresh_token;
    await refresh(world, child);
    expect((await refresh(world, patient.refreshToken)).status).toBe(401);
    expect((await profile(world, other.body.data.access_token)).status).toBe(200);
    expect((await refresh(world, other.body.data.refresh_token)).status).toBe(200);
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
    const next = await createTokenKeys(await keysOf('the-next-secret-of-this-test-0123456789', secret));
    world.deps.tokenKeys = next;
    expect((await refresh(world, patient.refreshToken)).body.data.refresh_token).toBe(child);
  });

  it('tells the role that the person has now', async () => {
    const { world, patient } = await started();
    await world.db.update(users).set({ role: 'staff' });
    const { access_token } = (await refresh(world, patient.refreshToken)).body.data;
    const payload = JSON.parse(atob(access_token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')));
    expect(payload.role).toBe('staff');
  });
});
