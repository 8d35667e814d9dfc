import { describe, expect, it } from 'vitest';
import { passwordResets, securityEvents, users } from '../../src/core/tables/accounts.ts';
import { recoveryCodes, secondFactors } from '../../src/core/tables/factors.ts';
import { replays } from '../../src/core/tables/idempotency.ts';
import { mailOutbox } from '../../src/core/tables/mail.ts';
import { policies } from '../../src/modules/auth/throttle/rules.ts';
import { createAdmin } from '../support/admin.ts';
import { createDoctor } from '../support/clinic.ts';
import { enrol, everybodyConfirms } from '../support/factors.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { createWorld, password, registerPatient, type World } from '../support/world.ts';

const email = 'dr.sari@klinik.example';
const chosen = 'sandi-milik-dokter-77';

const logIn = (world: World, typed: string) =>
  world.request('/v1/auth/login', { body: { email, password: typed } });

const reset = (world: World, token: string, to = chosen) =>
  world.request('/v1/auth/password/reset', { body: { token, password: to, password_confirmation: to } });

const mailedToken = (world: World) => /\n([\w-]{43})\n/.exec(world.mails.at(-1)?.text ?? '')?.[1] ?? '';

/** A stranger has registered the e-mail of the doctor who is to come. */
const squatted = async (settings: Record<string, string> = {}) => {
  const world = await createWorld(settings);
  const admin = await createAdmin(world);
  const doctorId = await createDoctor(world);
  const stranger = await registerPatient(world, { email });
  const path = `/v1/admin/people/${stranger.id}`;
  const raise = (body: object = { role: 'doctor', doctor_id: doctorId }) => admin.patch(path, body);
  return { world, admin, doctorId, stranger, path, raise };
};

const isOut = async (world: World, { token, refreshToken }: { token: string; refreshToken: string }) => {
  expect((await world.request('/v1/auth/profile', { token })).status).toBe(401);
  const refreshed = await world.request('/v1/auth/refresh', { body: { refresh_token: refreshToken } });
  expect(refreshed.status).toBe(401);
};

describe('rights on an account that somebody registered', () => {
  it('begin with a new password: what opened it before opens it no more', async () => {
    const { world, admin, doctorId, stranger, path, raise } = await squatted();
    const invited = await admin.post('/v1/admin/people', {
      name: 'Sari',
      email,
      role: 'doctor',
      doctor_id: doctorId,
    });
    expect(invited).toMatchObject({ status: 409, body: { code: 'email_taken' } });
    const raised = await raise();
    expect(raised).toMatchObject({
      status: 200,
      body: {
        data: { role: 'doctor', password_set: false },
        meta: { password_setup: { by: 'link', url: null, expires_at: '2026-11-25T00:00:00.000Z' } },
      },
    });
    expect((await logIn(world, password)).body.code).toBe('invalid_credentials');
    await isOut(world, stranger);
    const { token } = raised.body.meta.password_setup;
    expect((await reset(world, token)).status).toBe(200);
    const opened = await logIn(world, chosen);
    const profile = await world.request('/v1/auth/profile', { token: opened.body.data.access_token });
    expect(profile.body.data).toMatchObject({ role: 'doctor', email_proved: false });
    expect((await admin.get(path)).body.data.password_set).toBe(true);
    expect((await reset(world, token, 'sandi-lain-lagi-88')).body.code).toBe('reset_token_invalid');
  });

  it('are mailed a way to set one where mail can leave, which proves the e-mail as well', async () => {
    const { world, raise } = await squatted({ MAIL_API_URL: 'https://mail.example/send' });
    const raised = await raise();
    expect(raised.body.meta.password_setup).toMatchObject({ by: 'mail', token: null, url: null });
    await Promise.all(world.background.splice(0));
    expect(world.mails.at(-1)).toMatchObject({
      to: email,
      subject: 'Buat kata sandi untuk akun klinik Anda',
    });
    expect((await logIn(world, password)).status).toBe(401);
    expect((await reset(world, mailedToken(world))).status).toBe(200);
    const opened = await logIn(world, chosen);
    const profile = await world.request('/v1/auth/profile', { token: opened.body.data.access_token });
    expect(profile.body.data).toMatchObject({ role: 'doctor', email_proved: true });
  });

  it('end the way to a new password that was asked for before', async () => {
    const { world, raise } = await squatted();
    await world.request('/v1/auth/password/forgot', { body: { email } });
    await Promise.all(world.background.splice(0));
    const before = mailedToken(world);
    expect(before).not.toBe('');
    await raise();
    expect((await reset(world, before)).body.code).toBe('reset_token_invalid');
  });

  it('cannot be overtaken by a login or a change of the password that is under way', async () => {
    const logging = await squatted();
    beforeRoundTrip(logging.world, 2, logging.raise);
    expect((await logIn(logging.world, password)).status).not.toBe(200);
    const changing = await squatted();
    const { token } = changing.stranger;
    beforeRoundTrip(changing.world, 3, changing.raise);
    const body = { current_password: password, password: chosen, password_confirmation: chosen };
    expect((await changing.world.request('/v1/auth/password', { token, body })).status).not.toBe(200);
    expect((await logIn(changing.world, chosen)).status).toBe(401);
    expect((await logIn(changing.world, password)).status).toBe(401);
  });

  it('take a second factor of the stranger away, with its recovery codes', async () => {
    const { world, raise, stranger } = await squatted();
    await enrol(world, stranger.token);
    expect((await raise()).body.data.second_factor).toBe(false);
    expect(await world.db.select().from(secondFactors)).toEqual([]);
    expect(await world.db.select().from(recoveryCodes)).toEqual([]);
    const [user] = (await world.db.select().from(users)).filter(({ id }) => id === stranger.id);
    expect(user?.secondFactorAt).toBeNull();
  });

  it('leave a stranger who opened it before no more guesses than anybody else', async () => {
    const { world, raise } = await squatted({ RATE_LIMIT: 'on' });
    const from = (nth: number, device = '') => ({
      'X-Test-Address': `198.51.100.${nth}`,
      'X-Device-Token': device,
    });
    const devices: string[] = [];
    for (let nth = 0; nth < 30; nth++) {
      const headers = from(nth);
      const opened = await world.request('/v1/auth/login', { body: { email, password }, headers });
      devices.push(opened.headers.get('X-Device-Token') ?? '');
      // Logins from new networks are counted for the account too, until they have drained.
      world.clock.now += 600_000;
    }
    expect(devices).not.toContain('');
    await everybodyConfirms(world);
    expect((await raise()).status).toBe(200);
    const guess = (headers: Record<string, string>) =>
      world.request('/v1/auth/login', { body: { email, password: 'tebakan-orang-1' }, headers });
    const looked: number[] = [];
    for (let nth = 0; nth < 30; nth++) {
      looked.push((await guess(from(nth))).status);
      looked.push((await guess(from(100 + nth, devices[nth]))).status);
    }
    expect(looked.filter((status) => status !== 429)).toHaveLength(policies.login.account.free);
  });

  it('are in the trail, and the secret of the link is stored nowhere', async () => {
    const { world, admin, doctorId, stranger, path } = await squatted();
    const sent = { method: 'PATCH', token: admin.token, headers: { 'Idempotency-Key': 'sekali' } };
    const body = { role: 'doctor', doctor_id: doctorId };
    const raised = await world.request(path, { ...sent, body });
    const { token } = raised.body.meta.password_setup;
    expect(token).toMatch(/^[\w-]{43}$/);
    const again = await world.request(path, { ...sent, body });
    expect(again.headers.get('Idempotency-Replayed')).toBeNull();
    expect(again.body.meta.password_setup.token).not.toBe(token);
    const { db } = world;
    const rows = [
      await db.select().from(replays),
      await db.select().from(securityEvents),
      await db.select().from(passwordResets),
      await db.select().from(mailOutbox),
      await db.select().from(users),
    ];
    expect(rows[0]).toEqual([]);
    expect(JSON.stringify(rows)).not.toContain(token);
    const trail = await admin.get(`/v1/admin/security-events?user_id=${stranger.id}&type=role_changed`);
    expect(trail.body.data[0].detail).toEqual({
      from: 'patient',
      to: 'doctor',
      doctor_id: doctorId,
      password: 'unset',
    });
  });

  it('come with a link where there is a page to set it on', async () => {
    const page = 'https://klinik.example/sandi';
    const { raise } = await squatted({ PASSWORD_RESET_URL: page });
    const { url, token } = (await raise({ role: 'staff' })).body.meta.password_setup;
    expect(url).toBe(`${page}#token=${token}`);
  });
});

describe('the way to a first password', () => {
  it('is made again when the role is named again, and the one before ends', async () => {
    const { world, admin, path, raise } = await squatted();
    const first = (await raise({ role: 'staff' })).body.meta.password_setup.token;
    const second = (await raise({ role: 'staff' })).body.meta.password_setup.token;
    expect((await reset(world, first)).body.code).toBe('reset_token_invalid');
    expect((await reset(world, second)).status).toBe(200);
    expect((await raise({ role: 'staff' })).body.meta.password_setup).toBeNull();
    expect((await logIn(world, chosen)).status).toBe(200);
    const trail = await admin.get('/v1/admin/security-events?type=password_setup_sent');
    expect(trail.body.data).toMatchObject([{ actor_id: admin.id, user_id: path.split('/').at(-1) }]);
  });

  it('lasts 48 hours', async () => {
    const { world, raise } = await squatted();
    const { token } = (await raise({ role: 'staff' })).body.meta.password_setup;
    world.clock.now += 48 * 3_600_000;
    expect((await reset(world, token)).status).toBe(422);
  });

  it('is given to a person who is invited without a password, by mail or by link', async () => {
    const body = { name: 'Rina', email, role: 'staff' };
    const linked = await createWorld();
    const invited = await (await createAdmin(linked)).post('/v1/admin/people', body);
    expect((await reset(linked, invited.body.meta.password_setup.token)).status).toBe(200);
    expect((await logIn(linked, chosen)).status).toBe(200);
    const mailed = await createWorld({ MAIL_API_URL: 'https://mail.example/send' });
    const answer = await (await createAdmin(mailed)).post('/v1/admin/people', body);
    expect(answer.body.meta.password_setup.by).toBe('mail');
    await Promise.all(mailed.background.splice(0));
    expect((await reset(mailed, mailedToken(mailed))).status).toBe(200);
    const withOne = await (await createAdmin(mailed)).post('/v1/admin/people', {
      ...body,
      email: 'lain@klinik.example',
      password,
    });
    expect(withOne.body.meta.password_setup).toBeNull();
  });
});

describe('an account keeps its password', () => {
  it('when the clinic made it and gives it another role', async () => {
    const { world, admin, doctorId } = await squatted();
    const body = { name: 'Rina', email: 'rina@klinik.example', role: 'staff', password };
    const { id } = (await admin.post('/v1/admin/people', body)).body.data;
    const raised = await admin.patch(`/v1/admin/people/${id}`, { role: 'doctor', doctor_id: doctorId });
    expect(raised.body).toMatchObject({ data: { password_set: true }, meta: { password_setup: null } });
    const login = { email: body.email, password };
    expect((await world.request('/v1/auth/login', { body: login })).status).toBe(200);
  });

  it('when its rights are taken away, and when it gets others after it was taken over once', async () => {
    const { world, raise } = await squatted();
    await reset(world, (await raise({ role: 'staff' })).body.meta.password_setup.token);
    for (const role of ['patient', 'admin', 'staff']) {
      const changed = await raise({ role });
      expect(changed.body).toMatchObject({
        data: { role, password_set: true },
        meta: { password_setup: null },
      });
      expect((await logIn(world, chosen)).status).toBe(200);
    }
  });
});
