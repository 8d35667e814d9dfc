import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { createAdmin } from '../support/admin.ts';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { documentedOperations } from '../support/documented.ts';
import { createWorld, registerPatient, type World } from '../support/world.ts';

const ajv = new Ajv2020({ strict: false, formats: { password: true } });
addFormats.default(ajv);
const operations = documentedOperations();

/** The document's description of a body field, or of a parameter. */
const schemaOf = (id: string, name: string): object => {
  const operation = operations.find((one) => one.id === id);
  const parameter = operation?.parameters.find((one) => one.name === name)?.schema;
  const schema = operation?.fields[name] ?? parameter;
  if (schema === undefined) throw new Error(`${id} has no ${name}.`);
  return schema;
};

let registered = 0;
const register = (fields: object) => async (world: World) => {
  registered += 1;
  const body = {
    name: 'Wulan Hapsari',
    phone_number: '81234567890',
    phone_country_code: '62',
    email: `wulan${registered}@klinik.example`,
    password: 'kopi-susu-pagi-7',
    password_confirmation: 'kopi-susu-pagi-7',
    ...fields,
  };
  return (await world.request('/v1/auth/register', { body })).status;
};
const passwords = (text: string) => register({ password: text, password_confirmation: text });

const bookWith = (key: string) => async (world: World) => {
  const { token } = await registerPatient(world);
  const body = bookingInput(await createPractice(world));
  const headers = { 'Idempotency-Key': key };
  return (await world.request('/v1/bookings', { token, body, headers })).status;
};

const listFrom = (cursor: string) => async (world: World) =>
  (await world.request(`/v1/doctors?cursor=${encodeURIComponent(cursor)}`)).status;

const changeAt = (version: unknown) => async (world: World) => {
  const admin = await createAdmin(world);
  const { id } = (await admin.post('/v1/admin/sessions', { name: 'Fisioterapi' })).body.data;
  return (await admin.patch(`/v1/admin/sessions/${id}`, { name: 'Lain', version })).status;
};

type Send = (world: World) => Promise<number>;

/** A field with values: the service accepts those that the document accepts, and refuses the others. */
const stated: [what: string, id: string, field: string, value: unknown, send: Send, accepted: boolean][] = [
  ['a password of 8 characters', 'register', 'password', 'kopisus7', passwords('kopisus7'), true],
  ['a password of 7', 'register', 'password', 'kopisu7', passwords('kopisu7'), false],
  ['a password of 128', 'register', 'password', 'kopi'.repeat(32), passwords('kopi'.repeat(32)), true],
  [
    'a password of 129',
    'register',
    'password',
    `${'kopi'.repeat(32)}7`,
    passwords(`${'kopi'.repeat(32)}7`),
    false,
  ],
  ['a name', 'register', 'name', 'Ni Luh Ayu', register({ name: 'Ni Luh Ayu' }), true],
  ['a line break in a name', 'register', 'name', 'Ni\nLuh', register({ name: 'Ni\nLuh' }), false],
  ['a C1 control in a name', 'register', 'name', 'Ni\u0085Luh', register({ name: 'Ni\u0085Luh' }), false],
  ['a name of spaces', 'register', 'name', '   ', register({ name: '   ' }), false],
  ['NUL in free text', 'register', 'device_id', 'a\0b', register({ device_id: 'a\0b' }), false],
  ['a line break in free text', 'register', 'device_id', 'a\nb', register({ device_id: 'a\nb' }), true],
  ['an e-mail', 'register', 'email', "o'neil+x@a-b.id", register({ email: "o'neil+x@a-b.id" }), true],
  [
    'an e-mail with two dots',
    'register',
    'email',
    'a..b@klinik.id',
    register({ email: 'a..b@klinik.id' }),
    false,
  ],
  [
    'an e-mail without a domain',
    'register',
    'email',
    'a@localhost',
    register({ email: 'a@localhost' }),
    false,
  ],
  ['a quoted e-mail', 'register', 'email', '"a b"@klinik.id', register({ email: '"a b"@klinik.id' }), false],
  ['a bare key', 'createBooking', 'Idempotency-Key', 'k'.repeat(255), bookWith('k'.repeat(255)), true],
  ['a quoted key', 'createBooking', 'Idempotency-Key', '"kunci"', bookWith('"kunci"'), true],
  ['a key of 256', 'createBooking', 'Idempotency-Key', 'k'.repeat(256), bookWith('k'.repeat(256)), false],
  ['a key of two words', 'createBooking', 'Idempotency-Key', 'dua kata', bookWith('dua kata'), false],
  ['an empty cursor', 'listDoctors', 'cursor', '', listFrom(''), true],
  ['a cursor of another alphabet', 'listDoctors', 'cursor', 'a*b', listFrom('a*b'), false],
  ['a cursor of 2,049', 'listDoctors', 'cursor', 'a'.repeat(2_049), listFrom('a'.repeat(2_049)), false],
  ['a version', 'changeSession', 'version', 1, changeAt(1), true],
  ['a version beyond a safe integer', 'changeSession', 'version', 2 ** 53, changeAt(2 ** 53), false],
];

describe('the document states what is enforced', () => {
  for (const [what, id, field, value, send, accepted] of stated)
    it(`${what}: ${accepted ? 'accepted' : 'refused'}`, async () => {
      const status = await send(await createWorld());
      const verdicts = { document: ajv.validate(schemaOf(id, field), value), service: status < 400 };
      expect(verdicts).toEqual({ document: accepted, service: accepted });
    });

  it('31 days of slots', async () => {
    const world = await createWorld();
    const { doctorId } = await createPractice(world);
    const until = async (to: string) =>
      (await world.request(`/v1/doctors/${doctorId}/slots?from=2026-12-01&to=${to}`)).status;
    expect([await until('2026-12-31'), await until('2027-01-01')]).toEqual([200, 400]);
    expect(JSON.stringify(operations.find(({ id }) => id === 'listSlots')?.parameters)).toContain('31 days');
  });
});
