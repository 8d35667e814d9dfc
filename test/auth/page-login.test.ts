import { describe, expect, it } from 'vitest';
import { createGuarded } from '../support/factors.ts';
import { cookiesOf, jar, loginCookie, open, own, path, refresh } from '../support/page-login.ts';
import { createWorld, password, type Sent } from '../support/world.ts';

const attributesOf = (cookie: string): string[] => cookie.split('; ').slice(1).sort();

describe('a page that logs in', () => {
  it('gets the person and an access token, and its refresh token only in a cookie', async () => {
    const world = await createWorld();
    const { person, opened } = await open(world, { remember: true });
    expect(opened).toMatchObject({
      status: 200,
      body: { data: { user: { id: person.id, email: person.email }, role: 'patient', email_proved: false } },
    });
    expect(JSON.stringify(opened.body)).not.toContain('refresh_token');
    const [login = '', device = '', ...more] = cookiesOf(opened);
    expect(more).toEqual([]);
    expect(login).toMatch(/^__Host-janji-pasien=k\.[\w-]{43};/);
    const strict = ['HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure'];
    expect(attributesOf(login)).toEqual([
      'HttpOnly',
      'Max-Age=2592000',
      'Path=/',
      'SameSite=Strict',
      'Secure',
    ]);
    expect(device).toMatch(/^__Host-janji-pasien-device=/);
    expect(attributesOf(device)).toEqual(expect.arrayContaining(strict));
    expect(opened.headers.get('X-Device-Token')).toBeNull();
    const { access_token: token } = opened.body.data;
    expect((await world.request('/v1/auth/profile', { token })).status).toBe(200);
  });

  it('keeps its cookie until the browser closes, unless asked; the console never longer', async () => {
    const world = await createWorld();
    for (const more of [{}, { remember: false }, { app: 'konsol', remember: true }]) {
      const { opened } = await open(world, more);
      expect(attributesOf(loginCookie(opened))).toEqual(['HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure']);
    }
    const { opened } = await open(world, { app: 'konsol' });
    expect(loginCookie(opened)).toMatch(/^__Host-janji-konsol=s\./);
  });

  it('is refused as any login is, and throttled alike', async () => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const { body } = await open(world);
    const wrong = { ...body, password: 'salah-sekali-2026' };
    const first = await world.request(path, { body: wrong, headers: own });
    expect(first).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
    expect(cookiesOf(first)).toEqual([]);
    for (let nth = 0; nth < 4; nth++) await world.request('/v1/auth/login', { body: wrong });
    expect((await world.request(path, { body, headers: own })).body.code).toBe('rate_limited');
  });

  it('asks for no more than sixty renewals at once with the same cookie', async () => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const cookie = `__Host-janji-pasien=s.${'x'.repeat(43)}`;
    for (let nth = 0; nth < 60; nth++) expect((await refresh(world, cookie)).status).toBe(200);
    expect(await refresh(world, cookie)).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  });

  it('is known again by its device cookie, whatever is guessed elsewhere', async () => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const { body, opened } = await open(world);
    const cookie = jar(cookiesOf(opened)[1] ?? '');
    const guess = { ...body, password: 'salah-sekali-2026' };
    const from = (address: string) => ({ ...own, 'X-Test-Address': address });
    for (let nth = 0; nth < 30; nth++)
      await world.request(path, { body: guess, headers: from(`198.51.100.${nth}`) });
    const elsewhere = from('198.51.100.200');
    expect((await world.request(path, { body, headers: elsewhere })).status).toBe(429);
    const known = await world.request(path, { body, headers: { ...elsewhere, Cookie: cookie } });
    expect(known.status).toBe(200);
  });
});

describe('a request that no page of ours made', () => {
  const hosts: Record<string, Record<string, string>> = {
    'from another site': { 'Sec-Fetch-Site': 'cross-site' },
    'from a neighbour': { 'Sec-Fetch-Site': 'same-site' },
    'typed by hand': { 'Sec-Fetch-Site': 'none' },
    'without either header': {},
    'from another origin': { Origin: 'https://jahat.example', Host: 'klinik.example' },
    'from another port': { Origin: 'https://klinik.example:8443', Host: 'klinik.example' },
    'from no origin': { Origin: 'null', Host: 'klinik.example' },
    'whose metadata says otherwise': {
      'Sec-Fetch-Site': 'cross-site',
      Origin: 'https://klinik.example',
      Host: 'klinik.example',
    },
  };
  for (const [what, headers] of Object.entries(hosts))
    it(`${what} is refused wherever a cookie is read or set, and ends nothing`, async () => {
      const world = await createWorld();
      const { person, body, opened } = await open(world, { remember: true });
      const held = { ...headers, Cookie: jar(loginCookie(opened)) };
      const registration = {
        name: 'Wulan',
        phone_number: '81234567890',
        phone_country_code: '62',
        email: 'wulan@klinik.example',
        password,
        password_confirmation: password,
        app: 'pasien',
      };
      const asked: [string, Sent][] = [
        [path, { body }],
        [`${path}/refresh`, { body: { app: 'pasien' } }],
        [path, { method: 'DELETE', body: { app: 'pasien' } }],
        ['/v1/auth/register', { body: registration }],
        ['/v1/auth/login/second-factor', { body: { challenge: 'x', code: '123456', app: 'pasien' } }],
      ];
      for (const [where, sent] of asked) {
        const got = await world.request(where, { ...sent, headers: held });
        expect(got).toMatchObject({ status: 403, body: { code: 'cross_site' } });
        expect(cookiesOf(got)).toEqual([]);
      }
      const login = await world.request('/v1/auth/login', { body: { email: registration.email, password } });
      expect(login.status).toBe(401);
      const { token } = person;
      expect((await world.request('/v1/auth/profile', { token })).status).toBe(200);
      expect((await refresh(world, jar(loginCookie(opened)))).status).toBe(200);
    });

  it('from an old browser is recognized by its Origin, whatever its scheme', async () => {
    const world = await createWorld();
    for (const origin of ['https://klinik.example', 'http://klinik.example']) {
      const { opened } = await open(world, {}, { Origin: origin, Host: 'klinik.example' });
      expect(opened.status).toBe(200);
    }
  });
});

describe('with the name of a page', () => {
  it('a registration gives the cookie, and no refresh token', async () => {
    const world = await createWorld();
    const body = {
      name: 'Wulan',
      phone_number: '81234567890',
      phone_country_code: '62',
      email: 'wulan@klinik.example',
      password,
      password_confirmation: password,
      app: 'pasien',
      remember: true,
    };
    const made = await world.request('/v1/auth/register', { body, headers: own });
    expect(made).toMatchObject({ status: 201, body: { data: { role: 'patient', user: { name: 'Wulan' } } } });
    expect(JSON.stringify(made.body)).not.toContain('refresh_token');
    expect((await refresh(world, jar(loginCookie(made)))).status).toBe(200);
  });

  it('so does the second step of a login', async () => {
    const world = await createWorld();
    const guarded = await createGuarded(world);
    const first = await world.request(path, {
      body: { email: guarded.email, password, app: 'konsol' },
      headers: own,
    });
    expect(first).toMatchObject({ status: 401, body: { code: 'second_factor_required' } });
    const body = { challenge: first.body.challenge, code: guarded.code(), app: 'konsol' };
    const got = await world.request('/v1/auth/login/second-factor', { body, headers: own });
    expect(got.status).toBe(200);
    expect(JSON.stringify(got.body)).not.toContain('refresh_token');
    expect((await refresh(world, jar(loginCookie(got)), 'konsol')).status).toBe(200);
  });
});
