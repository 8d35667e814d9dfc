import { describe, expect, it } from 'vitest';
import { deviceLogins } from '../../src/core/tables/accounts.ts';
import { deviceWords } from '../../src/modules/auth/account/rules.ts';
import { logIn, profile, settled } from '../support/account.ts';
import { createWorld, password, registerPatient } from '../support/world.ts';

describe('devices', () => {
  const chrome =
    'Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36';
  it('are listed with their software in words, the newest first, and which one asks', async () => {
    const world = await createWorld();
    const { token, email } = await registerPatient(world, { device_id: 'ponsel' });
    world.clock.now += 1000;
    await logIn(world, email, password, { 'User-Agent': chrome });
    const { body } = await world.request('/v1/auth/devices', { token });
    expect(body.data).toHaveLength(2);
    expect(body.data[0]).toMatchObject({ user_agent: 'Chrome, Android', current: false });
    expect(body.data[1]).toMatchObject({ device_id: 'ponsel', current: true });
    expect(Object.keys(body.data[0])).toEqual([
      'id',
      'device_id',
      'user_agent',
      'created_at',
      'last_seen_at',
      'current',
    ]);
  });

  it('are paged', async () => {
    const world = await createWorld();
    const { token, email } = await registerPatient(world);
    for (let nth = 0; nth < 4; nth++) await logIn(world, email);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { body } = await world.request(`/v1/auth/devices?limit=2${query}`, { token });
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.meta.next_cursor;
    } while (cursor !== null);
    expect(new Set(seen).size).toBe(5);
    expect(seen).toHaveLength(5);
  });

  it('end one by one, and nobody ends those of others', async () => {
    const world = await createWorld();
    const [own, stranger] = [await registerPatient(world), await registerPatient(world)];
    const other = (await logIn(world, own.email)).body.data;
    const listed = (await world.request('/v1/auth/devices', { token: own.token })).body.data;
    const target = listed.find(({ current }: { current: boolean }) => !current);
    const end = (token: string) =>
      world.request(`/v1/auth/devices/${target.id}`, { method: 'DELETE', token });
    expect((await end(stranger.token)).status).toBe(404);
    expect(await profile(world, other.access_token)).toBe(200);
    expect((await end(own.token)).status).toBe(200);
    expect(await profile(world, other.access_token)).toBe(401);
    expect(await profile(world, own.token)).toBe(200);
    expect((await end(own.token)).status).toBe(404);
  });

  it('end all but the one that asks', async () => {
    const world = await createWorld();
    const { token, email } = await registerPatient(world);
    const others = [(await logIn(world, email)).body.data, (await logIn(world, email)).body.data];
    const ended = await world.request('/v1/auth/devices', { method: 'DELETE', token });
    expect(ended).toMatchObject({ status: 200, body: { data: { ended: 2 } } });
    for (const { access_token } of others) expect(await profile(world, access_token)).toBe(401);
    expect(await profile(world, token)).toBe(200);
  });

  it('are seen again after five minutes, without a write for each request', async () => {
    const world = await createWorld();
    const { token } = await registerPatient(world);
    const seen = async () => (await world.db.select().from(deviceLogins))[0]?.lastSeenAt;
    const first = await seen();
    world.clock.now += 5 * 60_000 - 1;
    await profile(world, token);
    expect(world.background).toHaveLength(0);
    world.clock.now += 1;
    await profile(world, token);
    await settled(world);
    expect(await seen()).toBe((first ?? 0) + 5 * 60_000);
  });

  it.each([
    [chrome, 'Chrome, Android'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0',
      'Edge, Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari, iPhone',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0', 'Firefox, Linux'],
    ['okhttp/4.12.0', 'okhttp'],
    ['', ''],
    ['<script>alert(1)</script>', ''],
  ])('are told in words: %s', (userAgent, words) => expect(deviceWords(userAgent)).toBe(words));
});
