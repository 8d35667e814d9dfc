import { eq } from 'drizzle-orm';
import type { JWTPayload } from 'jose';
import { describe, expect, it } from 'vitest';
import { users } from '../../src/core/tables/accounts.ts';
import { addFactor } from '../support/factors.ts';
import { cookiesOf, own } from '../support/page-login.ts';
import { oidcSettings } from '../support/peers/oidc.ts';
import { createPerson } from '../support/people.ts';
import { createSso, refused } from '../support/sso.ts';
import { linesOf } from '../support/trail.ts';
import { createWorld, password, registerPatient } from '../support/world.ts';

const minute = 60_000;

describe('single sign-on', () => {
  it('is not there without its settings, and asks nobody', async () => {
    const world = await createWorld();
    for (const path of ['/v1/auth/sso', '/v1/auth/sso/finish']) {
      const body = path.endsWith('finish') ? { response: 'code=a' } : {};
      expect(refused(await world.request(path, { body, headers: own }))).toEqual([404, 'not_found']);
    }
    expect((await world.request('/v1/clinic')).body.data.staff_sso).toBe(false);
  });

  it.each(['RS256', 'ES256'] as const)(
    'opens the account that the clinic made for the e-mail (%s)',
    async (algorithm) => {
      const { world, issuer, logIn, staff, row, rina } = await createSso({}, algorithm);
      expect((await world.request('/v1/clinic')).body.data.staff_sso).toBe(true);
      const got = await logIn(rina);
      expect([got.status, got.body.data.user.id, got.body.data.role]).toEqual([200, staff.id, 'staff']);
      const cookies = cookiesOf(got).join('\n');
      expect(cookies).toMatch(/__Host-janji-konsol=s\./);
      expect(cookies).toMatch(/__Host-janji-sso=; Max-Age=0/);
      expect(JSON.stringify(got.body)).not.toContain('refresh');
      const { access_token: token } = got.body.data;
      expect((await world.request('/v1/auth/profile', { token })).body.data.role).toBe('staff');
      expect(await row(staff.id)).toMatchObject({
        ssoSubject: JSON.stringify([oidcSettings.OIDC_ISSUER, 'rina-1']),
        emailProvedAt: world.clock.now,
      });
      const lines = (await linesOf(world)).filter(({ userId }) => userId === staff.id);
      expect(lines.map(({ type }) => type)).toEqual(expect.arrayContaining(['sso_linked', 'login']));
      expect(lines.find(({ type }) => type === 'login')?.detail).toContain('"by":"sso"');
      expect(issuer.wrongs).toEqual([]);
    },
  );

  it('goes by the person of the provider afterwards, and not by the e-mail', async () => {
    const { logIn, staff, rina, world } = await createSso();
    await logIn(rina);
    const renamed = await logIn({ ...rina, email: 'rina.baru@lain.example' });
    expect([renamed.status, renamed.body.data.user.id]).toEqual([200, staff.id]);
    // Somebody else at the provider who got the e-mail.
    expect(refused(await logIn({ ...rina, sub: 'orang-lain' }))).toEqual([403, 'sso_not_allowed']);
    // Until an admin shuts the account and opens it again.
    const admin = await createPerson(world, 'admin');
    for (const verb of ['deactivate', 'reactivate'])
      await world.request(`/v1/admin/people/${staff.id}/${verb}`, { token: admin.token, body: {} });
    expect((await logIn({ ...rina, sub: 'orang-lain' })).status).toBe(200);
  });

  it('opens nothing for a patient, a stranger, an account that is shut, or an e-mail that is not verified', async () => {
    const { world, logIn, staff, rina, row } = await createSso();
    const patient = await createPerson(world);
    const not = [403, 'sso_not_allowed'];
    expect(refused(await logIn({ ...rina, email: patient.email }))).toEqual(not);
    expect(refused(await logIn({ ...rina, email: 'siapa@klinik.example' }))).toEqual(not);
    for (const email_verified of [false, undefined, 'true', 1])
      expect(refused(await logIn({ ...rina, email_verified }))).toEqual(not);
    expect(refused(await logIn({ ...rina, email: undefined }))).toEqual(not);
    const { deactivatedAt: _, ...before } = (await row(staff.id)) ?? {};
    await world.db.update(users).set({ deactivatedAt: 1 }).where(eq(users.id, staff.id));
    expect(refused(await logIn(rina))).toEqual(not);
    expect(await row(staff.id)).toMatchObject(before);
    expect((await linesOf(world)).filter(({ type }) => type === 'login_failed').length).toBe(8);
  });

  it('gives the client’s secret as the provider wants it', async () => {
    const { issuer, logIn, rina } = await createSso();
    issuer.takesInBody = true;
    expect((await logIn(rina)).status).toBe(200);
  });

  it('asks for the second factor that the account has, and the link stays', async () => {
    const { world, logIn, staff, rina, row } = await createSso();
    await addFactor(world, staff.id);
    const got = await logIn(rina);
    expect(refused(got)).toEqual([401, 'second_factor_required']);
    expect(got.body.challenge).toEqual(expect.any(String));
    expect((await row(staff.id))?.ssoSubject).not.toBeNull();
  });
});

describe('what a provider, a stranger or a clock can do wrong', () => {
  const failed = [401, 'sso_failed'];

  it.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ['another nonce', (claims) => ({ ...claims, nonce: 'lain' })],
    ['no nonce', ({ nonce: _, ...claims }) => claims],
    ['another audience', (claims) => ({ ...claims, aud: 'aplikasi-lain' })],
    ['two audiences and another party', (claims) => ({ ...claims, aud: ['janji', 'lain'], azp: 'lain' })],
    ['another issuer', (claims) => ({ ...claims, iss: 'https://login.jahat.example' })],
    ['no subject', ({ sub: _, ...claims }) => claims],
    ['a token of long ago', (claims) => ({ ...claims, exp: Number(claims.iat) - 120 })],
    ['a token of later', (claims) => ({ ...claims, nbf: Number(claims.iat) + 600 })],
  ])('%s is refused', async (_name, change) => {
    const { issuer, logIn, rina, row, staff } = await createSso();
    issuer.change = change;
    expect(refused(await logIn(rina))).toEqual(failed);
    expect((await row(staff.id))?.ssoSubject).toBeNull();
  });

  it('a clock that is half a minute apart is taken', async () => {
    const { issuer, logIn, rina } = await createSso();
    issuer.change = (claims) => ({ ...claims, iat: Number(claims.iat) + 30, nbf: Number(claims.iat) + 30 });
    expect((await logIn(rina)).status).toBe(200);
    issuer.change = (claims) => ({ ...claims, exp: Number(claims.iat) - 30 });
    expect((await logIn(rina)).status).toBe(200);
  });

  it('a key that the provider never published is refused, and one that it changed to is found', async () => {
    const { issuer, logIn, rina } = await createSso();
    expect((await logIn(rina)).status).toBe(200);
    await issuer.rotate();
    expect((await logIn(rina)).status).toBe(200);
    issuer.signer = await issuer.foreignKey();
    expect(refused(await logIn(rina))).toEqual(failed);
  });

  it('a code is good once, in the browser that began, within ten minutes', async () => {
    const { world, issuer, begin, finish, rina } = await createSso();
    const mine = await begin();
    const response = issuer.authorize(mine.url, rina);
    expect(refused(await finish(response, ''))).toEqual(failed);
    const other = await begin();
    expect(refused(await finish(response, other.cookie))).toEqual(failed);
    expect((await finish(response, mine.cookie)).status).toBe(200);
    expect(refused(await finish(response, mine.cookie))).toEqual(failed);
    const late = await begin();
    world.clock.now += 10 * minute;
    expect(refused(await finish(issuer.authorize(late.url, rina), late.cookie))).toEqual(failed);
    // Something else that was sealed here is no such cookie.
    for (const text of ['lain a b c 9999999999999', 'sso a b c', '3171234567890123', 'null', '{}']) {
      const sealed = await world.deps.secretBox.seal(text);
      expect(refused(await finish(response, `__Host-janji-sso=${sealed}`)), text).toEqual(failed);
    }
  });

  it('an answer that names another provider, or a refusal, is refused', async () => {
    const { issuer, begin, finish, rina } = await createSso();
    const { url, cookie } = await begin();
    const response = new URLSearchParams(issuer.authorize(url, rina));
    response.set('iss', 'https://login.jahat.example');
    expect(refused(await finish(response.toString(), cookie))).toEqual(failed);
    response.delete('iss');
    expect(refused(await finish(response.toString(), cookie))).toEqual(failed);
    const state = response.get('state') ?? '';
    expect(refused(await finish(`error=access_denied&state=${state}`, cookie))).toEqual(failed);
    issuer.namedAs = 'https://login.jahat.example';
    await expect(begin()).rejects.toThrow('sso_failed');
  });

  it('only the clinic’s own page may ask', async () => {
    const { world } = await createSso();
    for (const path of ['/v1/auth/sso', '/v1/auth/sso/finish']) {
      const got = await world.request(path, {
        body: { response: 'code=a' },
        headers: { 'Sec-Fetch-Site': 'cross-site' },
      });
      expect(refused(got)).toEqual([403, 'cross_site']);
    }
  });

  it('no code, secret or token is logged', async () => {
    const { issuer, begin, finish, rina, logged } = await createSso();
    issuer.change = (claims) => ({ ...claims, aud: 'lain' });
    const { url, cookie } = await begin();
    const response = issuer.authorize(url, rina);
    await finish(response, cookie);
    const secrets = [
      oidcSettings.OIDC_CLIENT_SECRET,
      new URLSearchParams(response).get('code') ?? '',
      rina.email,
      'rina-1',
    ];
    expect(logged.length).toBe(1);
    expect(secrets.filter((one) => logged.join().includes(one))).toEqual([]);
  });
});

describe('roles by a claim', () => {
  const settings = { OIDC_ROLE_CLAIM: 'roles', OIDC_DOMAINS: 'klinik.example' };

  it('make an account for somebody of an allowed domain, and of no other', async () => {
    const { logIn, world } = await createSso(settings);
    const dewi = { sub: 'dewi', email: 'Dewi@Klinik.example', email_verified: true, name: 'Dewi Lestari' };
    const got = await logIn({ ...dewi, roles: ['lain', 'staff'] });
    expect(got.body.data).toMatchObject({
      role: 'staff',
      user: { name: 'Dewi Lestari', email: 'dewi@klinik.example' },
    });
    const again = await logIn({ ...dewi, roles: 'staff' });
    expect(again.body.data.user.id).toBe(got.body.data.user.id);
    const not = [403, 'sso_not_allowed'];
    for (const roles of [[], 'patient', ['doctor'], undefined, { admin: true }])
      expect(refused(await logIn({ ...dewi, sub: 'lain', email: 'lain@klinik.example', roles }))).toEqual(
        not,
      );
    for (const email of ['dewi@jahat.example', 'dewi@klinik.example.jahat.example', 'dewi@xklinik.example'])
      expect(refused(await logIn({ ...dewi, sub: 'x', email, roles: 'admin' }))).toEqual(not);
    const lines = (await linesOf(world)).filter(({ type }) => type === 'role_changed');
    expect(lines.at(-1)?.detail).toContain('"by":"sso"');
  });

  it('are followed at each login, but for a doctor whom nobody linked and for the last admin', async () => {
    const { logIn, world, staff, rina } = await createSso({ OIDC_ROLE_CLAIM: 'roles' });
    const admin = await logIn({ ...rina, roles: ['staff', 'admin'] });
    expect(admin.body.data.role).toBe('admin');
    const not = [403, 'sso_not_allowed'];
    expect(refused(await logIn({ ...rina, roles: 'doctor' }))).toEqual(not);
    expect(refused(await logIn({ ...rina, roles: [] }))).toEqual(not);
    expect(refused(await logIn({ ...rina, roles: 'staff' }))).toEqual(not);
    await createPerson(world, 'admin');
    expect((await logIn({ ...rina, roles: 'staff' })).body.data).toMatchObject({
      role: 'staff',
      user: { id: staff.id },
    });
  });
});

describe('passwords that are turned off', () => {
  it('open no account of these roles, but that of the break-glass admin, also while the provider is lost', async () => {
    const off = { OIDC_PASSWORDS_OFF: 'staff,admin', OIDC_BREAK_GLASS: 'Darurat@klinik.example' };
    const { world, issuer, staff, post, logIn, rina, row } = await createSso(off);
    const doctor = await createPerson(world, 'doctor');
    const rescue = await createPerson(world, 'admin');
    const { id: knownId } = await registerPatient(world);
    const { passwordHash = '' } = (await row(knownId)) ?? {};
    await world.db.update(users).set({ passwordHash });
    await world.db.update(users).set({ email: 'darurat@klinik.example' }).where(eq(users.id, rescue.id));
    const byPassword = (email: string, word = password) =>
      world.request('/v1/auth/login', { body: { email, password: word } });
    // Who does not know the password learns nothing.
    expect(refused(await byPassword(staff.email, 'salah-sama-sekali'))).toEqual([401, 'invalid_credentials']);
    expect(refused(await byPassword(staff.email))).toEqual([403, 'sso_required']);
    const onPage = { app: 'konsol', email: staff.email, password };
    expect(refused(await post('/v1/auth/session', onPage))).toEqual([403, 'sso_required']);
    expect((await byPassword(doctor.email)).status).toBe(200);
    expect((await logIn(rina)).status).toBe(200);
    issuer.isDown = true;
    expect(refused(await post('/v1/auth/sso', {}))).toEqual([503, 'unavailable']);
    expect((await byPassword('darurat@klinik.example')).status).toBe(200);
  });

  it('are refused as a setting that would lock everybody out', async () => {
    const { OIDC_CLIENT_SECRET: _, ...rest } = oidcSettings;
    await expect(createWorld(rest)).rejects.toThrow('OIDC_CLIENT_SECRET is missing');
    await expect(createWorld({ ...oidcSettings, OIDC_PASSWORDS_OFF: 'admin' })).rejects.toThrow(
      'OIDC_BREAK_GLASS',
    );
    await expect(createWorld({ OIDC_PASSWORDS_OFF: 'staff' })).rejects.toThrow('needs OIDC_ISSUER');
    await expect(createWorld({ ...oidcSettings, OIDC_ISSUER: 'http://login.example' })).rejects.toThrow(
      'OIDC_ISSUER',
    );
  });
});
