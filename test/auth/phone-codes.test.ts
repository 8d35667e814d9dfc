import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { loginCodes, securityEvents, users } from '../../src/core/tables/accounts.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { searchWords } from '../../src/core/tables/search.ts';
import { loginCodeTtlMs, phoneProofMs } from '../../src/modules/auth/code/rules.ts';
import { bookingInput } from '../support/clinic.ts';
import { createClinic } from '../support/clinic-people.ts';
import { addFactor } from '../support/factors.ts';
import { createPerson } from '../support/people.ts';
import {
  ask,
  codeIn,
  createPhones,
  enter,
  on,
  type Phones,
  person,
  phone,
  verify,
  word,
  wrongOf,
} from '../support/phone-codes.ts';
import { createWorld, registerPatient } from '../support/world.ts';

const dayMs = 24 * 60 * 60 * 1000;

const typesOf = async ({ world }: Pick<Phones, 'world'>) =>
  (await world.db.select().from(securityEvents)).map(({ type }) => type);

describe('a login by a code to a phone', () => {
  it('is refused in plain words until the clinic turns it on and has a gateway', async () => {
    for (const settings of [
      { LOGIN_BY_PHONE_CODE: 'on', NOTICE_API_URL: '' },
      { LOGIN_BY_PHONE_CODE: 'off', NOTICE_API_URL: on.NOTICE_API_URL },
    ]) {
      const byNothing = await createWorld({ ...settings, NOTICE_API_KEY: 'k' });
      expect(await ask({ world: byNothing })).toMatchObject({ status: 404 });
      const mails = { LOGIN_BY_CODE: 'on', MAIL_API_URL: 'https://mail.example/send' };
      const world = await createWorld({ ...settings, ...mails, NOTICE_API_KEY: 'k' });
      expect(await ask({ world })).toMatchObject({ status: 409, body: { code: 'phone_codes_off' } });
      expect(await verify({ world }, { code: '123456' })).toMatchObject({
        status: 409,
        body: { code: 'phone_codes_off' },
      });
      const { data } = (await world.request('/v1/clinic')).body;
      expect(data).toMatchObject({ login_by_code: true, login_by_phone_code: false });
    }
    const phones = await createPhones();
    const { data } = (await phones.world.request('/v1/clinic')).body;
    expect(data).toMatchObject({ login_by_code: false, login_by_phone_code: true });
    const byMail = await phones.world.request('/v1/auth/code', { body: { email: 'a@klinik.example' } });
    expect(byMail.status).toBe(404);
  });

  it('takes an e-mail or a phone, and no number that a clinic would pay dearly for', async () => {
    const phones = await createPhones();
    const code = (body: object) => phones.world.request('/v1/auth/code', { body });
    for (const body of [{}, { phone, email: 'a@klinik.example' }])
      expect(await code(body)).toMatchObject({
        status: 422,
        body: { errors: { email: [expect.anything()] } },
      });
    for (const typed of ['021-555-1234', '12', 'abc', '', '+', '0812 3456 7890 1234 56'])
      expect((await code({ phone: typed })).body.errors).toHaveProperty('phone');
    expect((await code({ phone: '+1 900 555 0100' })).body.errors.phone[0]).toContain('+62');
    expect(phones.sent).toEqual([]);
    const abroad = await createPhones({ PHONE_CODE_COUNTRIES: '62, 65' });
    expect((await ask(abroad, '+65 8123 4567')).status).toBe(202);
    expect(JSON.parse(abroad.sent[0]?.body ?? '').to).toBe('+6581234567');
  });

  it('registers a new person with an account that has neither an e-mail nor a password', async () => {
    const phones = await createPhones();
    const { world } = phones;
    await ask(phones);
    expect(JSON.parse(phones.sent[0]?.body ?? '')).toMatchObject({
      to: `+${word}`,
      template: { name: 'janji_login_code', language: { code: 'id' } },
    });
    const code = codeIn(phones);
    expect(code).toMatch(/^\d{6}$/);
    const asked = await verify(phones, { code });
    expect(Object.keys(asked.body.errors)).toEqual(['name', 'birth_date']);
    const answer = await verify(phones, { code: `${code.slice(0, 3)} ${code.slice(3)}`, ...person });
    expect(answer.status).toBe(200);
    const { user, access_token: token } = answer.body.data;
    expect(user).toEqual({
      id: user.id,
      name: person.name,
      phone_number: '81234567890',
      phone_country_code: '62',
      email: null,
      device_id: '',
    });
    const profile = await world.request('/v1/auth/profile', { token });
    expect(profile.body.data).toEqual({
      user,
      role: 'patient',
      email_proved: false,
      login_phone: `+${word}`,
      has_password: false,
      confirms_by_sso: false,
    });
    const [record] = await world.db.select().from(patients).where(eq(patients.id, user.id));
    expect(record).toMatchObject({ name: person.name, birthDate: person.birth_date, email: null });
    // However the number is typed, it is the same account.
    for (const typed of ['+62 812 3456 7890', '6281234567890', '081234567890']) {
      await ask(phones, typed);
      const again = await verify(phones, { phone: typed, code: codeIn(phones) });
      expect(again.body.data.user).toEqual(user);
    }
    expect(await typesOf(phones)).toEqual([
      ...['login_code_sent', 'registered'],
      ...['login_code_sent', 'login', 'login_code_sent', 'login', 'login_code_sent', 'login'],
    ]);
    const [, , , login] = await world.db.select().from(securityEvents);
    expect(login?.detail).toBe('{"by":"phone_code"}');
    for (const account of ['', 'null', phone, word])
      expect(
        (await world.request('/v1/auth/login', { body: { email: account, password: 'kata-sandi-uji-17' } }))
          .status,
      ).toBe(401);
  });

  it('never opens an account that only names the number, and gives it to nobody by that', async () => {
    const phones = await createPhones();
    const owner = await registerPatient(phones.world);
    await ask(phones);
    const code = codeIn(phones);
    // As for a number that nobody has.
    expect((await verify(phones, { code })).body.errors).toHaveProperty('birth_date');
    const { body } = await verify(phones, { code, ...person });
    expect(body.data.user.id).not.toBe(owner.id);
    expect((await phones.world.request('/v1/auth/profile', { token: owner.token })).status).toBe(200);
    // Nor does the holder of the phone open an account whose owner types it into the profile.
    const before = body.data.user.id;
    const changed = await phones.world.request('/v1/auth/profile', {
      method: 'PATCH',
      token: owner.token,
      body: { phone_number: '81234567890' },
    });
    expect(changed.status).toBe(200);
    await ask(phones);
    expect((await verify(phones, { code: codeIn(phones) })).body.data.user.id).toBe(before);
  });

  it('answers and sends the same to anybody, also where the gateway fails', async () => {
    const phones = await createPhones();
    await enter(phones);
    phones.sent.splice(0);
    const [known, unknown] = [await ask(phones), await ask(phones, '0812-3456-7891')];
    const failing = await createPhones({}, { failure: 'timeout' });
    const refusing = await createPhones({}, { status: 500 });
    for (const answer of [unknown, await ask(failing), await ask(refusing)]) {
      expect(answer.status).toBe(202);
      expect({ ...answer.body, request_id: '' }).toEqual({ ...known.body, request_id: '' });
      expect([...answer.headers.keys()]).toEqual([...known.headers.keys()]);
    }
    const texts = phones.sent.map(({ body }) =>
      body
        .replaceAll(/"\d{6}"/g, '')
        .replaceAll(/\d{13}/g, '')
        .replaceAll(/[\da-f-]{36}/g, ''),
    );
    expect(texts[0]).toBe(texts[1]);
    for (const { logged } of [failing, refusing]) {
      expect(logged.join()).toContain('message not sent');
      expect(logged.join()).not.toMatch(/"\d{6}"|8123456/);
    }
    const tries = [
      await verify(phones, { code: '000000' }),
      await verify(phones, { phone: '0812-3456-7892', code: '000000' }),
    ];
    expect({ ...tries[1]?.body, request_id: '' }).toEqual({ ...tries[0]?.body, request_id: '' });
    expect(tries[0]).toMatchObject({ status: 401, body: { code: 'login_code_invalid' } });
  });

  it('stores no code, and no number of somebody who did not use it', async () => {
    const phones = await createPhones();
    await ask(phones);
    const rows = JSON.stringify([
      await phones.world.db.select().from(loginCodes),
      await phones.world.db.select().from(securityEvents),
    ]);
    expect(rows).not.toContain(codeIn(phones));
    expect(rows).not.toContain('8123456');
    expect(phones.logged).toEqual([]);
  });

  it('takes a code once, of any number of requests at the same time', async () => {
    const phones = await createPhones();
    await ask(phones);
    const code = codeIn(phones);
    const tries = await Promise.all([1, 2, 3, 4].map(() => verify(phones, { code, ...person })));
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    expect(await phones.world.db.select().from(users)).toHaveLength(1);
    await ask(phones);
    const next = codeIn(phones);
    const again = await Promise.all([1, 2, 3].map(() => verify(phones, { code: next })));
    expect(again.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  it('takes a code neither after its time, nor by mail, nor after five wrong ones', async () => {
    const phones = await createPhones({ LOGIN_BY_CODE: 'on', MAIL_API_URL: 'https://mail.example/send' });
    await ask(phones);
    phones.world.clock.now += loginCodeTtlMs - 1;
    const code = codeIn(phones);
    // The same text as an e-mail would be another address.
    const byMail = { phone: undefined, email: `${word}@klinik.example`, code, ...person };
    expect((await verify(phones, byMail)).status).toBe(401);
    expect((await verify(phones, { phone: '0812-3456-7891', code, ...person })).status).toBe(401);
    phones.world.clock.now += 1;
    expect((await verify(phones, { code, ...person })).status).toBe(401);
    await ask(phones);
    const next = codeIn(phones);
    for (let nth = 0; nth < 5; nth++)
      expect((await verify(phones, { code: wrongOf(next), ...person })).status).toBe(401);
    expect((await verify(phones, { code: next, ...person })).status).toBe(401);
  });

  it('sends few codes a day to a number, from wherever they are asked for', async () => {
    const phones = await createPhones({ RATE_LIMIT: 'on' });
    const { world } = phones;
    const end = world.clock.now + dayMs;
    for (let nth = 0; world.clock.now < end; nth++) {
      await ask(phones, phone, { 'X-Test-Address': `198.51.100.${nth % 250}` });
      world.clock.now += 5 * 60_000;
    }
    expect(phones.sent.length).toBeGreaterThanOrEqual(4);
    expect(phones.sent.length).toBeLessThanOrEqual(11);
    // Another number is not held up by it.
    expect((await ask(phones, '0812-3456-7891')).status).toBe(202);
  });

  it('limits the numbers that one network asks for', async () => {
    const phones = await createPhones({ RATE_LIMIT: 'on', PHONE_CODES_PER_DAY: '10000' });
    for (let nth = 0; nth < 40; nth++) await ask(phones, `0812-3456-80${nth + 10}`);
    expect(phones.sent).toHaveLength(20);
  });

  it("sends no more than the clinic's day has, of any number of requests at the same time", async () => {
    const phones = await createPhones({ PHONE_CODES_PER_DAY: '3' });
    const { world } = phones;
    const tries = await Promise.all([0, 1, 2, 3, 4, 5].map((nth) => ask(phones, `0812-3456-789${nth}`)));
    expect(tries.filter(({ status }) => status === 202)).toHaveLength(3);
    expect(phones.sent).toHaveLength(3);
    const refused = tries.find(({ status }) => status !== 202);
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    // It is 7 in the morning: the next day begins in 17 hours.
    expect(refused?.headers.get('Retry-After')).toBe(String(17 * 60 * 60));
    expect(await typesOf(phones)).toEqual(Array.from({ length: 3 }, () => 'login_code_sent'));
    expect(phones.logged.join()).not.toContain('8123456');
    world.clock.now += 17 * 60 * 60 * 1000 - 1;
    expect((await ask(phones)).status).toBe(429);
    world.clock.now += 1;
    expect((await ask(phones)).status).toBe(202);
  });

  it('counts no mailed code as a message', async () => {
    const mails = { LOGIN_BY_CODE: 'on', MAIL_API_URL: 'https://mail.example/send' };
    const phones = await createPhones({ ...mails, PHONE_CODES_PER_DAY: '1' });
    const byMail = () => phones.world.request('/v1/auth/code', { body: { email: 'a@klinik.example' } });
    expect((await byMail()).status).toBe(202);
    expect((await ask(phones)).status).toBe(202);
    expect((await ask(phones)).status).toBe(429);
    expect((await byMail()).status).toBe(202);
  });

  it('gives a number that was not used for long to a new person, unless they are the old one', async () => {
    const phones = await createPhones();
    const { world } = phones;
    const first = await enter(phones);
    world.clock.now += phoneProofMs - 1;
    await ask(phones);
    expect((await verify(phones, { code: codeIn(phones) })).body.data.user.id).toBe(first.id);
    // Now the same answer as for a number that nobody has.
    world.clock.now += phoneProofMs;
    await ask(phones);
    const asked = await verify(phones, { code: codeIn(phones) });
    expect(Object.keys(asked.body.errors)).toEqual(['name', 'birth_date']);
    const same = { name: 'putri ayu lestari', birth_date: person.birth_date };
    const theirs = await verify(phones, { code: codeIn(phones), ...same });
    expect(theirs.body.data.user).toMatchObject({ id: first.id, name: person.name });
    world.clock.now += phoneProofMs;
    await ask(phones);
    const other = { name: 'Putri Ayu', birth_date: '1991-05-17' };
    const moved = await verify(phones, { code: codeIn(phones), ...other });
    expect(moved.status).toBe(200);
    const { id } = moved.body.data.user;
    expect(id).not.toBe(first.id);
    const [old] = await world.db.select().from(users).where(eq(users.id, first.id));
    expect(old).toMatchObject({ loginPhone: null, phoneProvedAt: null, phoneNumber: '' });
    const [record] = await world.db.select().from(patients).where(eq(patients.id, first.id));
    expect(record?.phoneNumber).toBe('');
    expect(record?.words).not.toContain(word);
    const found = await world.db.select().from(searchWords).where(eq(searchWords.word, word));
    expect(found.map(({ ownerId }) => ownerId)).toEqual([id]);
    const released = (await world.db.select().from(securityEvents)).filter(
      ({ type }) => type === 'phone_released',
    );
    expect(released).toMatchObject([{ userId: first.id, actorId: null, detail: null }]);
  });

  it('takes from an account the number that its owner typed with the country code', async () => {
    const phones = await createPhones();
    const { world } = phones;
    const { id, token } = await enter(phones);
    const typed = { method: 'PATCH', token, body: { phone_number: word } };
    expect((await world.request('/v1/auth/profile', typed)).status).toBe(200);
    world.clock.now += phoneProofMs;
    await ask(phones);
    const other = { name: 'Budi', birth_date: '1991-05-17' };
    expect((await verify(phones, { code: codeIn(phones), ...other })).status).toBe(200);
    const [account] = await world.db.select().from(users).where(eq(users.id, id));
    const [record] = await world.db.select().from(patients).where(eq(patients.id, id));
    expect([account?.phoneNumber, record?.phoneNumber]).toEqual(['', '']);
  });

  it.each([
    { what: 'was shut', change: { deactivatedAt: 1 }, status: 401 },
    { what: 'works for the clinic now', change: { role: 'staff' as const }, status: 403 },
  ])('keeps no number for an account that $what, however often it is tried', async ({ change, status }) => {
    const phones = await createPhones();
    const { world } = phones;
    const { id } = await enter(phones);
    await world.db.update(users).set(change).where(eq(users.id, id));
    world.clock.now += phoneProofMs - 1;
    await ask(phones);
    expect((await verify(phones, { code: codeIn(phones) })).status).toBe(status);
    world.clock.now += 1;
    await ask(phones);
    const other = { name: 'Budi', birth_date: '1991-05-17' };
    const moved = await verify(phones, { code: codeIn(phones), ...other });
    expect(moved.status).toBe(200);
    expect(moved.body.data.user.id).not.toBe(id);
  });

  it('stores a number without its country code, however that was typed', async () => {
    for (const typed of ['0062 812-3456-7890', '+62 62 812 3456 7890', '+62 (0)812 3456 7890']) {
      const phones = await createPhones();
      await ask(phones, typed);
      const { body } = await verify(phones, { phone: typed, code: codeIn(phones), ...person });
      expect(body.data.user).toMatchObject({ phone_number: '81234567890', phone_country_code: '62' });
    }
  });

  it('ends a proof before an operator gives the number to somebody else', () => {
    // Two months after its last use at the earliest.
    expect(phoneProofMs).toBeLessThanOrEqual(60 * dayMs);
  });

  it('asks for the second factor of an account that has one, opens none that was shut, and none of the clinic', async () => {
    const phones = await createPhones();
    const { world } = phones;
    const { id } = await enter(phones);
    await addFactor(world, id);
    await ask(phones);
    expect(await verify(phones, { code: codeIn(phones) })).toMatchObject({
      status: 401,
      body: { code: 'second_factor_required' },
    });
    await world.db.update(users).set({ deactivatedAt: 1 }).where(eq(users.id, id));
    await ask(phones);
    expect(await verify(phones, { code: codeIn(phones) })).toMatchObject({
      status: 401,
      body: { code: 'login_code_invalid' },
    });
    const staff = await createPerson(world, 'staff');
    await world.db.update(users).set({ loginPhone: null }).where(eq(users.id, id));
    await world.db
      .update(users)
      .set({ loginPhone: word, phoneProvedAt: world.clock.now, secondFactorAt: 1, emailProvedAt: 1 })
      .where(eq(users.id, staff.id));
    await ask(phones);
    expect(await verify(phones, { code: codeIn(phones) })).toMatchObject({
      status: 403,
      body: { code: 'password_required' },
    });
  });
});

describe('an account that has only a phone', () => {
  it('gets an e-mail and a password, and keeps its phone', async () => {
    const mails = { LOGIN_BY_CODE: 'on', MAIL_API_URL: 'https://mail.example/send' };
    const phones = await createPhones(mails);
    const { world } = phones;
    const { id, token } = await enter(phones);
    for (const path of ['/v1/auth/email/code', '/v1/auth/email/verify'])
      expect(await world.request(path, { method: 'POST', token, body: { code: '12345678' } })).toMatchObject({
        status: 409,
        body: { code: 'email_missing' },
      });
    expect(world.mails).toEqual([]);
    const email = 'putri@klinik.example';
    expect((await world.request('/v1/auth/email/change', { token, body: { email } })).status).toBe(202);
    await Promise.all(world.background.splice(0));
    expect(world.mails.map(({ to }) => to)).toEqual([email]);
    const code = /\n(\d{4} \d{4})\n/.exec(world.mails[0]?.text ?? '')?.[1];
    const proved = await world.request('/v1/auth/email/change/verify', { token, body: { code } });
    expect(proved.body.data).toMatchObject({ user: { id, email }, login_phone: `+${word}` });
    await world.request('/v1/auth/password/forgot', { body: { email } });
    await Promise.all(world.background.splice(0));
    const reset = /\n([\w-]{40,})\n/.exec(world.mails.at(-1)?.text ?? '')?.[1];
    const set = { token: reset, password: 'sandi-baru-42', password_confirmation: 'sandi-baru-42' };
    expect((await world.request('/v1/auth/password/reset', { body: set })).status).toBe(200);
    expect(
      (await world.request('/v1/auth/login', { body: { email, password: 'sandi-baru-42' } })).status,
    ).toBe(200);
    await ask(phones);
    expect((await verify(phones, { code: codeIn(phones) })).body.data.user).toMatchObject({ id, email });
  });

  it('is exported and deleted with its phone, which is then nobody’s', async () => {
    const phones = await createPhones();
    const { world } = phones;
    const { token } = await enter(phones);
    const file = await world.request('/v1/auth/export', { method: 'POST', token });
    expect(file.status).toBe(200);
    expect(JSON.stringify(file.body)).toContain(`"login_phone":"+${word}"`);
    expect((await world.request('/v1/auth/account', { method: 'DELETE', token })).status).toBe(200);
    const left = JSON.stringify([
      await world.db.select().from(users),
      await world.db.select().from(patients),
      await world.db.select().from(searchWords),
      await world.db.select().from(securityEvents),
    ]);
    expect(left).not.toContain('8123456');
    await ask(phones);
    expect((await verify(phones, { code: codeIn(phones) })).status).toBe(422);
  });

  it('books as one with a proved e-mail does', async () => {
    const mails = { MAIL_API_URL: 'https://mail.example/send', MAX_UNPROVED_BOOKINGS: '1' };
    const phones = await createPhones(mails);
    const { world } = phones;
    const clinic = await createClinic(world, { capacity: 5 });
    const bookTwo = async (token: string) => {
      const statuses: number[] = [];
      for (const schedule_time of ['09:00:00', '09:30:00']) {
        const body = bookingInput(clinic.practice, { schedule_time });
        statuses.push((await world.request('/v1/bookings', { token, body })).status);
      }
      return statuses;
    };
    expect(await bookTwo((await registerPatient(world)).token)).toEqual([201, 409]);
    expect(await bookTwo((await enter(phones)).token)).toEqual([201, 201]);
  });

  it('gets no rights of the clinic before it has an e-mail', async () => {
    const phones = await createPhones();
    const { world } = phones;
    const { id } = await enter(phones);
    const admin = await createPerson(world, 'admin');
    const answer = await world.request(`/v1/admin/people/${id}`, {
      method: 'PATCH',
      token: admin.token,
      body: { role: 'staff' },
    });
    expect(answer).toMatchObject({ status: 409, body: { code: 'email_missing' } });
    const shown = await world.request(`/v1/admin/people/${id}`, { token: admin.token });
    expect(shown.body.data).toMatchObject({ email: null, role: 'patient' });
  });
});
