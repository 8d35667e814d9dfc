import { describe, expect, it } from 'vitest';
import { deviceLogins, users } from '../../src/core/tables/accounts.ts';
import { change, logIn, next, profile, settled } from '../support/account.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, password, registerPatient } from '../support/world.ts';
import { WEAKER } from './password-hashes.ts';

describe('the profile', () => {
  it('changes what is named and keeps the rest', async () => {
    const world = await createWorld();
    const { token, email } = await registerPatient(world);
    const body = { name: ' Putri Ayu ', phone_number: '0811222333' };
    const changed = await world.request('/v1/auth/profile', { method: 'PATCH', token, body });
    expect(changed).toMatchObject({ status: 200, body: { message: 'Profil berhasil diperbarui.' } });
    const shown = await world.request('/v1/auth/profile', { token });
    expect(shown.body.data).toEqual(changed.body.data);
    expect(shown.body.data).toMatchObject({
      user: { name: 'Putri Ayu', phone_number: '0811222333', phone_country_code: '62', email },
      role: 'patient',
    });
  });

  it('ignores role, e-mail and id in the body', async () => {
    const world = await createWorld();
    const { token, email, id } = await registerPatient(world);
    const others = { role: 'admin', email: 'other@klinik.example', id: 'x', password_hash: 'x' };
    const body = { name: 'Nama Baru', ...others };
    const { body: answer } = await world.request('/v1/auth/profile', { method: 'PATCH', token, body });
    expect(answer.data).toMatchObject({ user: { id, email }, role: 'patient' });
  });

  it('counts the digits of a phone without the country code behind a plus', async () => {
    const world = await createWorld();
    const { token } = await registerPatient(world);
    const number = (phone_number: string) =>
      world.request('/v1/auth/profile', { method: 'PATCH', token, body: { phone_number } });
    expect(await number('+62 123')).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: { phone_number: [expect.stringContaining('4–15')] } },
    });
    expect((await number('+62 1234')).body.data.user.phone_number).toBe('1234');
  });

  it('loses no field to another change at the same time', async () => {
    const world = await createWorld();
    const { token } = await registerPatient(world);
    const patch = (body: object) => world.request('/v1/auth/profile', { method: 'PATCH', token, body });
    await Promise.all([
      patch({ name: 'Nama Baru' }),
      patch({ phone_number: '777777' }),
      patch({ phone_country_code: '65' }),
    ]);
    const { body } = await world.request('/v1/auth/profile', { token });
    expect(body.data.user).toMatchObject({
      name: 'Nama Baru',
      phone_number: '777777',
      phone_country_code: '65',
    });
  });
});

describe('changing the password', () => {
  it('ends the other device logins, keeps the own, and lets only the new password in', async () => {
    const world = await createWorld();
    const { token, email } = await registerPatient(world);
    const other = (await logIn(world, email)).body.data;
    expect((await change(world, token, password)).status).toBe(200);
    expect(await profile(world, token)).toBe(200);
    expect(await profile(world, other.access_token)).toBe(401);
    const refreshed = await world.request('/v1/auth/refresh', {
      body: { refresh_token: other.refresh_token },
    });
    expect(refreshed.status).toBe(401);
    expect((await logIn(world, email)).status).toBe(401);
    expect((await logIn(world, email, next)).status).toBe(200);
    await settled(world);
    expect(world.mails.at(-1)).toMatchObject({ to: email, subject: 'Kata sandi Anda telah diubah' });
  });

  it('needs the present one', async () => {
    const world = await createWorld();
    const { token, email } = await registerPatient(world);
    const refused = await change(world, token, 'wrong-password');
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: { current_password: ['Kata sandi saat ini salah.'] } },
    });
    expect((await logIn(world, email)).status).toBe(200);
  });

  it('cannot be guessed through: the waits are those of the login', async () => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const { token } = await registerPatient(world);
    for (let nth = 0; nth < 5; nth++)
      expect((await change(world, token, `wrong-password-${nth}`)).status).toBe(422);
    expect((await change(world, token, password)).status).toBe(429);
  });

  it('lets one of two changes at the same time win', async () => {
    const world = await createWorld();
    const { token } = await registerPatient(world);
    const answers = await Promise.all([
      change(world, token, password, `${next}a`),
      change(world, token, password, `${next}b`),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  it('leaves no login open that was made with the old password meanwhile', async () => {
    const world = await createWorld();
    const { token, email } = await registerPatient(world);
    const { verify } = world.deps.hasher;
    world.deps.hasher.verify = async (phc, typed) => {
      const matches = await verify(phc, typed);
      world.deps.hasher.verify = verify;
      await change(world, token, password);
      return matches;
    };
    expect((await logIn(world, email)).status).toBe(401);
    const live = (await world.db.select().from(deviceLogins)).filter(({ revokedAt }) => revokedAt === null);
    expect(live).toHaveLength(1);
  });
});

describe('the audit trail of accounts', () => {
  it('shows an admin who did what, newest first, by type and person, and nobody else', async () => {
    const world = await createWorld();
    const admin = await createPerson(world, 'admin');
    const { token, email, id } = await registerPatient(world);
    await logIn(world, email, 'wrong-password');
    await logIn(world, 'nobody@klinik.example', 'wrong-password');
    await world.request('/v1/auth/logout', { method: 'POST', token });
    const list = (query = '', who = admin.token) =>
      world.request(`/v1/admin/security-events${query}`, { token: who });
    const all = (await list()).body.data;
    expect(all.map(({ type }: { type: string }) => type)).toEqual([
      'logout',
      'login_failed',
      'login_failed',
      'registered',
    ]);
    expect(all[1].user_id).toBeNull();
    expect(JSON.stringify(all)).not.toMatch(/nobody@|wrong-password|203\.0\.113/);
    expect((await list(`?type=login_failed&user_id=${id}`)).body.data).toHaveLength(1);
    // Two lines more by now: of this admin, who reads the trail.
    const page = (await list('?limit=4')).body;
    expect((await list(`?limit=4&cursor=${page.meta.next_cursor}`)).body.data).toHaveLength(2);
    const other = await registerPatient(world);
    expect((await list('', other.token)).status).toBe(403);
  });
});

describe('a weak hash', () => {
  it('is replaced at the next login, and the login succeeds', async () => {
    const world = await createWorld();
    const { email } = await registerPatient(world);
    await world.db.update(users).set({ passwordHash: WEAKER[0] as string });
    expect((await logIn(world, email, 'correct horse')).status).toBe(200);
    const [user] = await world.db.select().from(users);
    expect(user?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await logIn(world, email, 'correct horse')).status).toBe(200);
  });
});
