import { describe, expect, it } from 'vitest';
import { users } from '../../src/core/tables/accounts.ts';
import { mailOutbox } from '../../src/core/tables/mail.ts';
import { runJobs } from '../../src/jobs/jobs.ts';
import { createAdmin } from '../support/admin.ts';
import { createGuarded } from '../support/factors.ts';
import { createWorld, password, registerPatient, type World } from '../support/world.ts';

const hour = 3_600_000;
const day = 24 * hour;

const device = async (world: World, email: string) => {
  const { body } = await world.request('/v1/auth/login', { body: { email, password } });
  let refreshToken = body.data.refresh_token as string;
  let token = body.data.access_token as string;
  const refresh = async () => {
    const got = await world.request('/v1/auth/refresh', { body: { refresh_token: refreshToken } });
    if (got.status === 200) {
      refreshToken = got.body.data.refresh_token;
      token = got.body.data.access_token;
    }
    return got.status;
  };
  const profile = async () => (await world.request('/v1/auth/profile', { token })).status;
  return { refresh, profile };
};

const colleague = async (world: World) => {
  const admin = await createAdmin(world);
  const body = { name: 'Rina', email: 'rina@klinik.example', role: 'staff', password };
  await admin.post('/v1/admin/people', body);
  return body.email;
};

/** Uses the login every so often; how long it lasted, in all. */
const lastingOf = async (world: World, login: { refresh: () => Promise<number> }, everyMs: number) => {
  const began = world.clock.now;
  for (let uses = 0; uses < 400; uses++) {
    world.clock.now += everyMs;
    if ((await login.refresh()) !== 200) break;
  }
  return world.clock.now - began;
};

describe('a login ends', () => {
  it('for a patient after 30 days without use', async () => {
    const world = await createWorld();
    const { email } = await registerPatient(world);
    const login = await device(world, email);
    world.clock.now += 30 * day - 1;
    expect(await login.refresh()).toBe(200);
    world.clock.now += 30 * day;
    expect(await login.refresh()).toBe(401);
  });

  it('for a patient after 180 days, however much it is used', async () => {
    const world = await createWorld();
    const { email } = await registerPatient(world);
    expect(await lastingOf(world, await device(world, email), 10 * day)).toBe(180 * day);
  });

  it('for the people of the clinic after 12 hours without use', async () => {
    const world = await createWorld({ ACCESS_TOKEN_TTL_SECONDS: '86400' });
    const login = await device(world, await colleague(world));
    world.clock.now += 12 * hour - 1;
    expect(await login.profile()).toBe(200);
    await Promise.all(world.background.splice(0));
    world.clock.now += 11 * hour;
    expect(await login.profile()).toBe(200);
    await Promise.all(world.background.splice(0));
    world.clock.now += 12 * hour;
    expect([await login.profile(), await login.refresh()]).toEqual([401, 401]);
  });

  it('for the people of the clinic after 14 days, however much it is used', async () => {
    const world = await createWorld();
    const login = await device(world, await colleague(world));
    expect(await lastingOf(world, login, 6 * hour)).toBe(14 * day);
  });

  it('as the settings say', async () => {
    const world = await createWorld({
      SESSION_IDLE_DAYS: '2',
      SESSION_MAX_DAYS: '5',
      CLINIC_SESSION_IDLE_HOURS: '1',
      CLINIC_SESSION_MAX_DAYS: '1',
    });
    const { email } = await registerPatient(world);
    const clinic = await device(world, await colleague(world));
    const patient = await device(world, email);
    expect(await lastingOf(world, clinic, hour / 2)).toBe(day);
    expect(await patient.refresh()).toBe(200);
    expect(await lastingOf(world, patient, day)).toBe(4 * day);
    const again = await device(world, email);
    world.clock.now += 2 * day;
    expect(await again.refresh()).toBe(401);
  });
});

describe('a login on a new device', () => {
  const mail = { MAIL_API_URL: 'https://mail.example/send', RATE_LIMIT: 'on' };

  const setUp = async (settings: Record<string, string> = mail) => {
    const world = await createWorld(settings);
    const { email, token } = await registerPatient(world);
    const logIn = (headers: Record<string, string> = {}) =>
      world.request('/v1/auth/login', { body: { email, password }, headers });
    const told = async () => {
      const kinds = (await world.db.select().from(mailOutbox)).map(({ kind }) => kind);
      return kinds.filter((kind) => kind === 'new_device').length;
    };
    return { world, email, token, logIn, told };
  };
  const elsewhere = { 'X-Test-Address': '198.51.100.9' };

  it('is reported by mail, once', async () => {
    const { world, email, logIn, told } = await setUp();
    expect((await logIn(elsewhere)).status).toBe(200);
    expect(await told()).toBe(1);
    await runJobs(world.deps);
    const letter = world.mails.find(({ subject }) => subject === 'Akun Anda dibuka dari perangkat baru');
    expect(letter?.to).toBe(email);
    await logIn(elsewhere);
    expect(await told()).toBe(1);
  });

  it('is not reported for a network or a device that the account knows, nor of a wrong password', async () => {
    const { logIn, told, world, email } = await setUp();
    const { headers } = await logIn();
    const known = { ...elsewhere, 'X-Device-Token': headers.get('X-Device-Token') ?? '' };
    expect((await logIn(known)).status).toBe(200);
    const body = { email, password: 'bukan-sandinya-99' };
    await world.request('/v1/auth/login', { body, headers: { 'X-Test-Address': '192.0.2.1' } });
    expect(await told()).toBe(0);
  });

  it('is not reported where no mail can be sent, nor at the first login of all', async () => {
    const { logIn, told } = await setUp({ RATE_LIMIT: 'on' });
    await logIn(elsewhere);
    expect(await told()).toBe(0);
    const world = await createWorld(mail);
    await colleague(world);
    await world.request('/v1/auth/login', { body: { email: 'rina@klinik.example', password } });
    const kinds = (await world.db.select().from(mailOutbox)).map(({ kind }) => kind as string);
    expect(kinds).not.toContain('new_device');
    expect(await world.db.select().from(users)).toHaveLength(2);
  });

  it('is reported after the second factor, not before', async () => {
    const world = await createWorld(mail);
    const person = await createGuarded(world);
    const body = { email: person.email, password };
    const { challenge } = (await world.request('/v1/auth/login', { body, headers: elsewhere })).body;
    const kinds = async () => (await world.db.select().from(mailOutbox)).map(({ kind }) => kind as string);
    expect(await kinds()).not.toContain('new_device');
    expect((await person.step({ challenge, code: person.code() }, elsewhere)).status).toBe(200);
    expect(await kinds()).toContain('new_device');
  });
});
