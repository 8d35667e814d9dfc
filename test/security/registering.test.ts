import { describe, expect, it } from 'vitest';
import { users } from '../../src/core/tables/accounts.ts';
import { logIn, register, registration } from '../support/registering.ts';
import { createWorld, password, type World } from '../support/world.ts';

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
    // A text that is not an e-mail in any spelling makes no account; of the others one wins.
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
