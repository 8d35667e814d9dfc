import { describe, expect, it } from 'vitest';
import { policies } from '../../src/auth/throttle/rules.ts';
import { securityEvents, users } from '../../src/tables/accounts.ts';
import { createWorld, password, registerPatient, type World } from '../support/world.ts';

const registration = (email: string, more: Record<string, unknown> = {}) => ({
  name: 'Pasien Uji',
  phone_number: '81234567890',
  phone_country_code: '62',
  email,
  password,
  password_confirmation: password,
  device_id: '',
  ...more,
});

const register = (world: World, email: string, more: Record<string, unknown> = {}) =>
  world.request('/v1/auth/register', { body: registration(email, more) });

const logIn = (world: World, email: string, typed: string, address = '198.51.100.1') =>
  world.request('/v1/auth/login', {
    body: { email, password: typed },
    headers: { 'X-Test-Address': address },
  });

const everybody = (world: World) => world.db.select().from(users);

describe('a registration makes a patient, whatever it says:', () => {
  const typedForms: [name: string, raw: string][] = [
    ['a role', JSON.stringify(registration('a@klinik.example', { role: 'admin' }))],
    [
      'an id, a hash and dates',
      JSON.stringify(
        registration('a@klinik.example', {
          id: '11111111-1111-1111-1111-111111111111',
          password_hash: 'x',
          passwordHash: 'x',
          created_at: 0,
          doctor_id: '11111111-1111-1111-1111-111111111111',
        }),
      ),
    ],
    [
      'a __proto__ with a role',
      JSON.stringify(registration('a@klinik.example')).replace('{', '{"__proto__":{"role":"admin"},'),
    ],
    [
      'a constructor with a prototype',
      JSON.stringify(registration('a@klinik.example')).replace(
        '{',
        '{"constructor":{"prototype":{"role":"admin"}},',
      ),
    ],
    [
      'two roles',
      JSON.stringify(registration('a@klinik.example')).replace('{', '{"role":"patient","role":"admin",'),
    ],
  ];
  it.each(typedForms)('%s', async (_name, raw) => {
    const world = await createWorld();
    const { status, body } = await world.request('/v1/auth/register', { raw });
    expect([status, Object.keys(body.data.user)]).toEqual([
      201,
      ['id', 'name', 'phone_number', 'phone_country_code', 'email', 'device_id'],
    ]);
    const [user] = await everybody(world);
    expect(user).toMatchObject({ role: 'patient', doctorId: null, createdAt: world.clock.now });
    expect(user?.id).not.toBe('11111111-1111-1111-1111-111111111111');
    expect(({} as { role?: string }).role).toBeUndefined();
  });

  it('of two values under one key the last one counts, for the check and for the row alike', async () => {
    const world = await createWorld();
    const raw = JSON.stringify(registration('kedua@klinik.example')).replace(
      '{',
      '{"email":"pertama@klinik.example","password":"x",',
    );
    expect((await world.request('/v1/auth/register', { raw })).status).toBe(201);
    expect((await everybody(world)).map(({ email }) => email)).toEqual(['kedua@klinik.example']);
    const short = JSON.stringify(registration('ketiga@klinik.example')).replace(/\}$/, ',"password":"x"}');
    expect((await world.request('/v1/auth/register', { raw: short })).status).toBe(422);
  });
});

describe('twins of an e-mail, registered at the same time, are one account:', () => {
  it.each([
    ['upper and lower case', ['putri@klinik.example', 'PUTRI@KLINIK.EXAMPLE', 'Putri@Klinik.Example']],
    ['the Kelvin sign and k', ['kiki@klinik.example', '\u212Ai\u212Ai@\u212Alinik.example']],
    ['full-width letters', ['putri@klinik.example', 'ｐｕｔｒｉ@klinik.example', 'putri＠klinik．example']],
    [
      'composed and decomposed letters',
      ['\u212Bs@klinik.example', 'A\u030As@klinik.example', '\u00C5s@klinik.example'],
    ],
    [
      'spaces around it',
      [
        'putri@klinik.example',
        ' putri@klinik.example',
        'putri@klinik.example\u00a0',
        '\tputri@klinik.example\n',
      ],
    ],
    ['ligatures', ['fifi@klinik.example', '\uFB01\uFB01@klinik.example']],
    ['the very same text, 20 times', Array.from({ length: 20 }, () => 'putri@klinik.example')],
  ] as const)('%s', async (_name, twins) => {
    const world = await createWorld();
    const answers = await Promise.all(twins.map((email) => register(world, email)));
    const accounts = await everybody(world);
    expect(accounts.length).toBeLessThanOrEqual(1);
    // What is no e-mail in any spelling makes no account; of the others one wins.
    const outcomes = answers.map(({ status, body }) => `${status} ${body.code ?? ''}`.trim());
    const accepted = outcomes.filter((outcome) => outcome === '201');
    expect(accepted).toHaveLength(accounts.length);
    const refused = outcomes.filter((outcome) => outcome !== '201');
    const reason = accounts.length === 1 ? '409 email_taken' : '422 validation_failed';
    expect(new Set(refused)).toEqual(new Set([reason]));
    for (const email of accounts.length === 1 ? twins : [])
      expect((await logIn(world, email, password)).status).toBe(200);
  });
});

describe('whether an account exists', () => {
  const comparable = ({ status, body, headers }: Awaited<ReturnType<World['request']>>) => ({
    status,
    body: { ...body, request_id: '' },
    headers: [...headers].filter(([name]) => name !== 'x-request-id'),
  });

  it.each(['on', 'off'])('is not told by a login with a wrong password, RATE_LIMIT %s', async (limit) => {
    const world = await createWorld({ RATE_LIMIT: limit });
    const { email } = await registerPatient(world);
    const known = await logIn(world, email, 'wrong-password', '192.0.2.1');
    const unknown = await logIn(world, 'nobody@klinik.example', 'wrong-password', '192.0.2.2');
    expect(comparable(known)).toEqual(comparable(unknown));
    expect(known.body.code).toBe('invalid_credentials');
  });

  it('is not told by the number of round trips of a login', async () => {
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

  it('is not told by asking for a new password', async () => {
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
