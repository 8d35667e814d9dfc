import { describe, expect, it } from 'vitest';
import { cookiesOf, jar, loginCookie, open, own, path, refresh } from '../support/page-login.ts';
import { createWorld, type Sent, type World } from '../support/world.ts';

describe('the cookie', () => {
  it('continues the login, rotates, and keeps its lifetime', async () => {
    const world = await createWorld();
    for (const [remember, kind] of [
      [true, 'k'],
      [false, 's'],
    ] as const) {
      const { person, opened } = await open(world, { remember });
      const again = await refresh(world, jar(loginCookie(opened)));
      expect(again).toMatchObject({
        status: 200,
        body: { data: { user: { id: person.id }, role: 'patient', token_type: 'bearer', expires_in: 3600 } },
      });
      expect(loginCookie(again)).toMatch(new RegExp(`^__Host-janji-pasien=${kind}\\.`));
      expect(loginCookie(again)).not.toBe(loginCookie(opened));
      expect(loginCookie(again).includes('Max-Age')).toBe(remember);
    }
  });

  it('gives the same successor to tabs that refresh at once, and to one whose answer was lost', async () => {
    const world = await createWorld();
    const { opened } = await open(world);
    const cookie = jar(loginCookie(opened));
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(world, cookie)));
    expect(new Set(answers.map(loginCookie)).size).toBe(1);
    world.clock.now += 20 * 3_600_000;
    expect(loginCookie(await refresh(world, cookie))).toBe(loginCookie(answers[0] ?? opened));
  });

  it('ends its login when it is used again after its successor was', async () => {
    const world = await createWorld();
    const { opened } = await open(world);
    const first = jar(loginCookie(opened));
    const second = jar(loginCookie(await refresh(world, first)));
    const third = jar(loginCookie(await refresh(world, second)));
    world.clock.now += 60_000;
    const nobody = { status: 200, body: { data: null } };
    expect(await refresh(world, first)).toMatchObject(nobody);
    expect(await refresh(world, third)).toMatchObject(nobody);
  });

  it('that is not there, or not one of ours, is nobody', async () => {
    const world = await createWorld();
    const { opened } = await open(world);
    const cookie = jar(loginCookie(opened));
    for (const [sent, app] of [
      ['', 'pasien'],
      [cookie, 'konsol'],
      [cookie.replace('__Host-', ''), 'pasien'],
      ['__Host-janji-pasien=k.', 'pasien'],
      ['__Host-janji-pasien=%00', 'pasien'],
    ] as const)
      expect((await refresh(world, sent, app)).body).toEqual({ status: 'success', data: null });
  });

  it('that no longer holds is nobody, and is cleared', async () => {
    const world = await createWorld();
    const refused = await refresh(world, '__Host-janji-pasien=k.tidak-dikenal');
    expect(refused).toMatchObject({ status: 200, body: { data: null } });
    expect(loginCookie(refused)).toMatch(/^__Host-janji-pasien=; Max-Age=0; Path=\//);
  });

  it('is read by no other endpoint', async () => {
    const world = await createWorld();
    const { opened } = await open(world, { remember: true });
    const headers = { ...own, Cookie: jar(...cookiesOf(opened)) };
    for (const [where, sent] of [
      ['/v1/auth/profile', {}],
      ['/v1/bookings/history', {}],
      ['/v1/auth/logout', { body: {} }],
      ['/v1/auth/password', { body: {} }],
    ] as [string, Sent][])
      expect((await world.request(where, { ...sent, headers })).status).toBe(401);
    const bare = await world.request('/v1/auth/refresh', { body: { refresh_token: 'x' }, headers });
    expect([bare.status, cookiesOf(bare)]).toEqual([401, []]);
  });
});

describe('logging out on a page', () => {
  const end = (world: World, headers: Record<string, string>, token?: string) =>
    world.request(path, {
      method: 'DELETE',
      body: { app: 'pasien' },
      headers: { ...own, ...headers },
      token,
    });
  it('ends the login by its cookie, even an old one, and clears it', async () => {
    const world = await createWorld();
    const { opened } = await open(world, { remember: true });
    const cookie = jar(loginCookie(opened));
    const ended = await end(world, { Cookie: cookie });
    expect(ended).toMatchObject({ status: 200, body: { status: 'success' } });
    expect(loginCookie(ended)).toMatch(/^__Host-janji-pasien=; Max-Age=0/);
    const { access_token: token } = opened.body.data;
    expect((await world.request('/v1/auth/profile', { token })).status).toBe(401);
    expect((await refresh(world, cookie)).body.data).toBeNull();
    expect((await end(world, { Cookie: cookie })).status).toBe(200);
  });

  it('ends it by the access token where the cookie is gone, and answers nobody alike', async () => {
    const world = await createWorld();
    const { opened } = await open(world);
    const { access_token: token } = opened.body.data;
    expect((await end(world, {}, token)).status).toBe(200);
    expect((await world.request('/v1/auth/profile', { token })).status).toBe(401);
    for (const sent of [undefined, 'e30.e30.e30', token])
      expect((await end(world, {}, sent)).status).toBe(200);
  });
});
