import { describe, expect, it } from 'vitest';
import { deviceLogins, refreshTokens, securityEvents } from '../../src/core/tables/accounts.ts';
import { profile, refresh, started } from '../support/refresh.ts';
import { registerPatient, settleAll } from '../support/world.ts';

describe('a refresh token', () => {
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

  it('does not end the other device logins of the person', async () => {
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
});
