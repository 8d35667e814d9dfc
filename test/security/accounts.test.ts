import { describe, expect, it } from 'vitest';
import { securityEvents } from '../../src/core/tables/accounts.ts';
import { policies } from '../../src/modules/auth/throttle/rules.ts';
import { logIn, register } from '../support/registering.ts';
import { createWorld, password, registerPatient, type World } from '../support/world.ts';

describe('whether an account exists', () => {
  const comparable = ({ status, body, headers }: Awaited<ReturnType<World['request']>>) => ({
    status,
    body: { ...body, request_id: '' },
    headers: [...headers].filter(([name]) => name !== 'x-request-id'),
  });
  it.each(['on', 'off'])('is not revealed by a login with a wrong password, RATE_LIMIT %s', async (limit) => {
    const world = await createWorld({ RATE_LIMIT: limit });
    const { email } = await registerPatient(world);
    const known = await logIn(world, email, 'wrong-password', '192.0.2.1');
    const unknown = await logIn(world, 'nobody@klinik.example', 'wrong-password', '192.0.2.2');
    expect(comparable(known)).toEqual(comparable(unknown));
    expect(known.body.code).toBe('invalid_credentials');
  });

  it('is not revealed by the number of round trips of a login', async () => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const { email } = await registerPatient(world);
    let trips = 0;
    const { db } = world;
    world.deps.db = new Proxy(db, {
      get: (target, name) => {
        if (name === 'batch') trips += 1;
        return Reflect.get(target, name);
      },
    });
    const tripsOf = async (address: string) => {
      trips = 0;
      await logIn(world, address, 'wrong-password', '192.0.2.9');
      return trips;
    };
    expect(await tripsOf(email)).toBe(await tripsOf('nobody@klinik.example'));
    expect(trips).toBeGreaterThan(0);
  });

  it('is not revealed by a request for a new password', async () => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const { email } = await registerPatient(world);
    const forgot = (address: string, from: string) =>
      world.request('/v1/auth/password/forgot', {
        body: { email: address },
        headers: { 'X-Test-Address': from },
      });
    const known = await forgot(email, '192.0.2.1');
    const unknown = await forgot('nobody@klinik.example', '192.0.2.2');
    expect(comparable(known)).toEqual(comparable(unknown));
  });
});

describe('100 wrong passwords', () => {
  const wrong = async (world: World, email: string, addressOf: (nth: number) => string) => {
    const statuses: number[] = [];
    for (let nth = 0; nth < 100; nth++)
      statuses.push((await logIn(world, email, `wrong-password-${nth}`, addressOf(nth))).status);
    return statuses;
  };
  it('from one network: five are looked at, and the right one is refused after them', async () => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const { email } = await registerPatient(world);
    const statuses = await wrong(world, email, () => '198.51.100.1');
    expect(statuses.filter((status) => status === 401)).toHaveLength(policies.login.pair.free);
    expect((await logIn(world, email, password)).status).toBe(429);
    world.clock.now += 15 * 60_000;
    expect((await logIn(world, email, password)).status).toBe(200);
  });

  it('from a hundred networks: twenty are looked at, and the patient at home still gets in', async () => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const { email } = await registerPatient(world);
    expect((await logIn(world, email, password)).status).toBe(200);
    const statuses = await wrong(world, email, (nth) => `192.0.2.${nth}`);
    expect(statuses.filter((status) => status === 401)).toHaveLength(policies.login.account.free - 1);
    expect((await logIn(world, email, password)).status).toBe(200);
  });

  it('under spellings of one e-mail are counted for the one account', async () => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const { email } = await registerPatient(world);
    const spellings = [email, email.toUpperCase(), ` ${email}`, email.replace('k', '\u212A')];
    const statuses: number[] = [];
    for (let nth = 0; nth < 12; nth++)
      statuses.push((await logIn(world, spellings[nth % 4] ?? '', 'wrong-password')).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(policies.login.pair.free);
  });

  it('leave a row each in the audit trail that was looked at, and none of what was typed', async () => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const { email, id } = await registerPatient(world);
    await wrong(world, email, () => '198.51.100.1');
    const rows = (await world.db.select().from(securityEvents)).filter(({ type }) => type === 'login_failed');
    expect(rows).toHaveLength(policies.login.pair.free);
    expect(rows.every(({ userId }) => userId === id)).toBe(true);
    expect(JSON.stringify(rows)).not.toMatch(/wrong-password|198\.51\.100/);
  });
});

describe('a spoofed X-Forwarded-For', () => {
  it.each(['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'True-Client-IP', 'X-Client-IP'])(
    'gives nobody a new try: %s',
    async (name) => {
      const world = await createWorld({ RATE_LIMIT: 'on' });
      const { email } = await registerPatient(world);
      const statuses: number[] = [];
      for (let nth = 0; nth < 8; nth++) {
        const headers = { [name]: name === 'Forwarded' ? `for=192.0.2.${nth}` : `192.0.2.${nth}` };
        const body = { email, password: 'wrong-password' };
        statuses.push((await world.request('/v1/auth/login', { body, headers })).status);
      }
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    },
  );
});

describe('a password', () => {
  it.each([
    ['of 128 characters counts to its last one', `${'kata sandi '.repeat(11)}panjang`.padEnd(128, 'x')],
    ['of 128 letters of four bytes counts to its last one', `${'𝒜'.repeat(127)}𝓏`],
    ['counts past the 72nd byte', `${'a1b2c3d4'.repeat(9)}-dan-lagi`],
    ['in Cyrillic counts to its last letter', 'парольСЕКРЕТ'],
  ])('%s', async (_name, secret) => {
    const world = await createWorld();
    const { email } = await registerPatient(world, { password: secret, password_confirmation: secret });
    const points = [...secret];
    expect((await logIn(world, email, secret)).status).toBe(200);
    expect((await logIn(world, email, [...points.slice(0, -1), '!'].join(''))).status).toBe(401);
    expect((await logIn(world, email, points.slice(0, -1).join(''))).status).toBe(401);
    expect((await logIn(world, email, `${secret}!`)).status).toBe(401);
  });

  it('is echoed by no answer that refuses it', async () => {
    const world = await createWorld();
    const secret = 'sangat-rahasia-sekali';
    const answers = [
      await register(world, 'a@klinik.example', { password_confirmation: secret }),
      await register(world, 'a@klinik.example', { password: [secret] }),
      await register(world, 'bukan-email', { password: secret, password_confirmation: secret }),
      await logIn(world, 'a@klinik.example', secret),
      await world.request('/v1/auth/login', { raw: `{"email":"a@klinik.example","password":"${secret}"` }),
      await world.request('/v1/auth/password/reset', {
        body: { token: secret, password: secret, password_confirmation: secret },
      }),
    ];
    for (const { status, body } of answers) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(JSON.stringify(body)).not.toContain(secret);
    }
  });
});
