import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { users } from '../../src/core/tables/accounts.ts';
import { doctors } from '../../src/core/tables/catalog.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { searchWords } from '../../src/core/tables/search.ts';
import { createDoctor } from '../support/clinic.ts';
import { findViolations } from '../support/invariants.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, registerPatient, type World } from '../support/world.ts';

/** The words of an owner's row: each has an entry, but for the e-mail of an account. */
const wordsOf = async ({ db }: World, id: string) => {
  const entries = await db.select().from(searchWords).where(eq(searchWords.ownerId, id));
  const found = [...entries, ...(await db.select({ word: users.email }).from(users).where(eq(users.id, id)))];
  const rows = [
    ...(await db.select({ words: patients.words }).from(patients).where(eq(patients.id, id))),
    ...(await db.select({ words: doctors.words }).from(doctors).where(eq(doctors.id, id))),
  ];
  const listed: string[] = rows.flatMap(({ words }) => JSON.parse(words ?? '[]'));
  expect(listed.toSorted()).toEqual(found.map(({ word }) => word).toSorted());
  return listed.filter((word) => /^[a-z]+$/.test(word)).toSorted();
};

it('the words of a person are those of the name that it has now, and no others are left', async () => {
  const world = await createWorld();
  const { id, token } = await registerPatient(world, { name: 'Sari Wulandari' });
  expect(await wordsOf(world, id)).toEqual(['sari', 'wulandari']);
  const body = { name: 'Sari Lestari' };
  expect((await world.request('/v1/auth/profile', { method: 'PATCH', token, body })).status).toBe(200);
  expect(await wordsOf(world, id)).toEqual(['lestari', 'sari']);
  expect(await findViolations(world.db)).toEqual([]);
});

it('and so are those of a doctor', async () => {
  const world = await createWorld();
  const { token } = await createPerson(world, 'admin');
  const id = await createDoctor(world, { name: 'Budi Santoso', title: 'dr.', specialty: 'Umum' });
  expect(await wordsOf(world, id)).toEqual(['budi', 'dr', 'santoso', 'umum']);
  const body = { name: 'Budi Hartono', version: 1 };
  expect((await world.request(`/v1/admin/doctors/${id}`, { method: 'PATCH', token, body })).status).toBe(200);
  expect(await wordsOf(world, id)).toEqual(['budi', 'dr', 'hartono', 'umum']);
});

/** Every form in which a person is looked for, each of which had an entry of its own once. */
const formsOf = (name: string, code: string, number: string, ...emails: string[]) => [
  ...name.toLowerCase().split(' '),
  ...[number, code + number].filter((form) => number !== '' && form !== ''),
  ...emails,
];

it('a person is found by the beginning of any form of their name, and once', async () => {
  const world = await createWorld();
  const { token } = await createPerson(world, 'admin');
  const forms = new Map<string, string[]>();
  const register = async (name: string, code: string, number: string, email: string) => {
    const phone = { phone_country_code: code, phone_number: `0${number}` };
    const { id } = await registerPatient(world, { name, email, ...phone });
    forms.set(id, formsOf(name, code, number, email));
    return id;
  };
  const own = await register('Sari Wulandari', '62', '81234567890', 'sari.w@klinik.example');
  await register('Lim Sari', '60', '123456789', 'lim62@klinik.example');
  await register('John Smith', '1', '6281234567', '6281@klinik.example');
  await register('Enam Dua', '62', '62812340000', 'wulan@klinik.example');
  const add = async (name: string, code: string, number: string, email?: string) => {
    const phone = { phone_country_code: code, phone_number: number };
    const body = { name, ...phone, ...(email !== undefined && { email }) };
    const added = await world.request('/v1/patients', { token, body });
    expect(added.status).toBe(201);
    forms.set(added.body.data.id, formsOf(name, code, number, ...(email === undefined ? [] : [email])));
  };
  await add('Wulan Sari', '62', '8123499999', 'tanpa.akun@klinik.example');
  await add('Dua Nomor', '65', '81234567');

  const idsOf = async (path: string) => {
    const answer = await world.request(path, { token });
    expect(answer.status).toBe(200);
    return (answer.body.data as { id: string }[]).map(({ id }) => id);
  };
  const check = async (typed: string, terms: readonly string[]) => {
    const wanted = [...forms].filter(([, own]) =>
      terms.every((term) => own.some((form) => form.startsWith(term))),
    );
    const found = await idsOf(`/v1/patients?limit=100&q=${encodeURIComponent(typed)}`);
    expect(new Set(found).size, typed).toBe(found.length);
    for (const [id] of wanted) expect(found, typed).toContain(id);
    const people = await idsOf(`/v1/admin/people?limit=100&q=${encodeURIComponent(typed)}`);
    expect(new Set(people).size, typed).toBe(people.length);
    for (const id of people) if (forms.has(id)) expect(found, typed).toContain(id);
    const accounts = await world.db.select({ id: users.id }).from(users);
    for (const { id } of accounts)
      if (wanted.some(([one]) => one === id)) expect(people, typed).toContain(id);
  };
  const all = [...new Set([...forms.values()].flat())];
  const beginnings = new Set(
    all.flatMap((form) => [1, 2, 3, 4, 5, form.length].map((length) => form.slice(0, length))),
  );
  for (const beginning of beginnings) await check(beginning, [beginning.replace(/[^a-z0-9@.]/g, '')]);
  for (const number of ['812', '62812', '6', '62', '123', '601'])
    await check(`sari ${number}`, ['sari', number]);
  await check('+62 812-3456', ['628123456']);
  await check('0812 3456', ['8123456']);

  // The record takes the e-mail of the account, and the account another: each is found as it was.
  const path = `/v1/patients/${own}`;
  const email = 'sari.w@klinik.example';
  expect((await world.request(path, { method: 'PATCH', token, body: { email } })).status).toBe(200);
  await check(email, [email]);
  const other = 'sari.rumah@klinik.example';
  expect((await world.request(path, { method: 'PATCH', token, body: { email: other } })).status).toBe(200);
  forms.set(own, formsOf('Sari Wulandari', '62', '81234567890', other));
  await check('sari.', ['sari.']);
  await world.db.update(users).set({ email: other }).where(eq(users.id, own));
  await check(other, [other]);
  expect(await findViolations(world.db)).toEqual([]);
});

it('pages of what digits find name each once, the two forms of a number in one order', async () => {
  const world = await createWorld();
  const { token } = await createPerson(world, 'admin');
  for (let at = 0; at < 7; at++) {
    const phone = { phone_country_code: at % 2 === 0 ? '62' : '60', phone_number: `81200${at}` };
    await registerPatient(world, { name: `Pasien ${at}`, email: `812${at}@klinik.example`, ...phone });
  }
  for (const list of ['/v1/patients?', '/v1/admin/people?role=patient&']) {
    const met: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await world.request(`${list}limit=2&q=812${cursor}`, { token });
      met.push(...(body.data as { id: string }[]).map(({ id }) => id));
      cursor = body.meta.next_cursor === null ? null : `&cursor=${body.meta.next_cursor}`;
    }
    expect(new Set(met).size, list).toBe(7);
    expect(met, list).toHaveLength(7);
  }
});

it.each([
  ["Nur'aini", ['nuraini', "nur'aini", 'Nur’aini', 'nurʼaini', 'nur`aini', 'aini', 'nur aini']],
  ['Nuraini', ['nuraini', "nur'aini", 'Nur´aini']],
  ['Siti Nur-Aini', ['nuraini', 'nur-aini', 'nur aini', 'siti nuraini']],
  ['Nûr‘aini', ['nuraini', "nur'aini"]],
])('%s is found however an apostrophe, a hyphen or an accent is typed', async (name, typed) => {
  const world = await createWorld();
  const { token } = await createPerson(world, 'staff');
  const { id } = await registerPatient(world, { name });
  for (const q of typed) {
    const { body } = await world.request(`/v1/patients?q=${encodeURIComponent(q)}`, { token });
    expect([q, body.data.map((each: { id: string }) => each.id)]).toEqual([q, [id]]);
  }
});
