import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { loginCodes, securityEvents, users } from '../../src/core/tables/accounts.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { searchWords } from '../../src/core/tables/search.ts';
import { loginCodeTtlMs, phoneProofMs } from '../../src/modules/auth/code/rules.ts';
import { sendDueMail } from '../../src/modules/auth/mail/send.ts';
import { contactAfter } from '../../src/modules/auth/phones/rules.ts';
import { addFactor, appCode, codeOf, enrol, everybodyConfirms } from '../support/factors.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { addDevice, createPerson } from '../support/people.ts';
import {
  ask,
  codeIn,
  createPhones,
  enter,
  type Phones,
  person,
  phone,
  verify,
  word,
  wrongOf,
} from '../support/phone-codes.ts';
import { password, registerPatient } from '../support/world.ts';

const mails = { LOGIN_BY_CODE: 'on', MAIL_API_URL: 'https://mail.example/send' };
const other = '0813-1111-2222';
const otherWord = '6281311112222';

const settle = ({ world }: Phones) => Promise.all(world.background.splice(0));

const change = async (
  phones: Phones,
  token: string,
  typed: string = phone,
  headers: Record<string, string> = {},
) => {
  const answer = await phones.world.request('/v1/auth/phone/change', {
    token,
    body: { phone: typed },
    headers,
  });
  await settle(phones);
  return answer;
};

const prove = async (phones: Phones, token: string, code: string, typed: string = phone) => {
  const body = { phone: typed, code };
  const answer = await phones.world.request('/v1/auth/phone/change/verify', { token, body });
  await settle(phones);
  return answer;
};

const takeOff = async (phones: Phones, token: string) => {
  const answer = await phones.world.request('/v1/auth/phone', { method: 'DELETE', token });
  await settle(phones);
  return answer;
};

/** Sets a phone by the code that was sent to it. */
const setPhone = async (phones: Phones, token: string, typed: string = phone) => {
  await change(phones, token, typed);
  return prove(phones, token, codeIn(phones), typed);
};

const setUp = async (settings: Record<string, string> = {}) => {
  const phones = await createPhones({ ...mails, ...settings });
  const owner = await registerPatient(phones.world, { phone_number: '81999990000' });
  await settle(phones);
  phones.world.mails.splice(0);
  return { phones, owner, ...phones };
};

const linesOf = async ({ world }: Phones, type: string) =>
  (await world.db.select().from(securityEvents)).filter((line) => line.type === type);

const phoneOf = async ({ world }: Phones, id: string) =>
  (await world.db.select().from(users).where(eq(users.id, id)))[0]?.loginPhone;

describe('a phone to log in with', () => {
  it('opens the account once the code that was sent to it was entered, and not before', async () => {
    const { phones, owner, world, sent } = await setUp();
    const asked = await change(phones, owner.token);
    expect([asked.status, asked.body.message]).toEqual([202, expect.stringContaining('10 menit')]);
    expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({
      to: `+${word}`,
      template: { name: 'janji_login_code' },
    });
    expect(await phoneOf(phones, owner.id)).toBeNull();
    const device = await addDevice(world, owner.id);
    const code = codeIn(phones);
    const set = await prove(phones, owner.token, `${code.slice(0, 3)} ${code.slice(3)}`);
    expect(set.body).toMatchObject({ data: { login_phone: `+${word}`, has_password: true } });
    // The number for messages was another one, and stays.
    expect(set.body.data.user.phone_number).toBe('81999990000');
    const profile = (token: string) => world.request('/v1/auth/profile', { token });
    expect((await profile(owner.token)).body.data).toEqual(set.body.data);
    expect((await profile(device.token)).status).toBe(401);
    expect(world.mails.map(({ to, subject }) => [to, subject])).toEqual([
      [owner.email, 'Nomor untuk masuk ke akun Anda telah diubah'],
    ]);
    await ask(phones);
    expect((await verify(phones, { code: codeIn(phones) })).body.data.user.id).toBe(owner.id);
    // The password goes on.
    const login = { email: owner.email, password };
    expect((await world.request('/v1/auth/login', { body: login })).status).toBe(200);
    expect(await linesOf(phones, 'phone_changed')).toMatchObject([
      { userId: owner.id, actorId: owner.id, detail: null },
    ]);
    expect(await linesOf(phones, 'login_code_sent')).toMatchObject([
      { userId: owner.id, actorId: owner.id, detail: '{"by":"phone","for":"change"}' },
      { userId: owner.id, actorId: null, detail: '{"by":"phone"}' },
    ]);
  });

  it('takes the place of the one before, which is told, and which then is nobody’s', async () => {
    const phones = await createPhones();
    const { world, sent } = phones;
    const { id, token } = await enter(phones);
    const set = await setPhone(phones, token, other);
    expect(set.body.data).toMatchObject({
      login_phone: `+${otherWord}`,
      user: { id, phone_number: '81311112222', phone_country_code: '62' },
    });
    const told = JSON.parse(sent.at(-1)?.body ?? '');
    expect([told.to, told.template.name]).toEqual([`+${word}`, 'janji_phone_released']);
    // Messages about visits, and the desk's search, follow.
    const [record] = await world.db.select().from(patients).where(eq(patients.id, id));
    expect(record?.phoneNumber).toBe('81311112222');
    const found = async (one: string) =>
      (await world.db.select().from(searchWords).where(eq(searchWords.word, one))).length;
    expect([await found(otherWord), await found(word)]).toEqual([1, 0]);
    const again = await enter(phones, { ...person, name: 'Orang Lain' });
    expect(again.id).not.toBe(id);
    expect((await setPhone(phones, token, phone)).body.code).toBe('phone_taken');
  });

  it('is told to the phone before until the message arrives, unless that phone opens an account again', async () => {
    for (const isBack of [false, true]) {
      const phones = await createPhones();
      const { world, sent } = phones;
      const { token } = await enter(phones);
      const { sendMessage } = world.deps;
      await change(phones, token, other);
      const code = codeIn(phones);
      world.deps.sendMessage = async () => ({ failure: 'connection' });
      expect((await prove(phones, token, code, other)).status).toBe(200);
      world.deps.sendMessage = sendMessage;
      sent.splice(0);
      if (isBack) expect((await setPhone(phones, token)).status).toBe(200);
      sent.splice(0);
      world.clock.now += 60_000;
      await sendDueMail(world.deps);
      const told = sent.map(({ body }) => JSON.parse(body)).map(({ to, template }) => [to, template.name]);
      expect(told).toEqual(isBack ? [] : [[`+${word}`, 'janji_phone_released']]);
    }
  });

  it('is asked for after a recent login alone, by patients alone, where the clinic sends codes', async () => {
    const { phones, owner, world } = await setUp();
    const staff = await createPerson(world, 'staff');
    expect((await change(phones, staff.token)).status).toBe(403);
    expect((await prove(phones, staff.token, '123456')).status).toBe(403);
    world.clock.now += 10 * 60_000 + 1;
    expect((await change(phones, owner.token)).body.code).toBe('reauthentication_required');
    expect((await takeOff(phones, owner.token)).body.code).toBe('reauthentication_required');
    await everybodyConfirms(world);
    expect((await change(phones, owner.token, '021-555-1234')).body.errors).toHaveProperty('phone');
    expect((await change(phones, owner.token, '+1 900 555 0100')).body.errors).toHaveProperty('phone');
    expect((await setPhone(phones, owner.token)).status).toBe(200);
    expect((await change(phones, owner.token)).body.errors).toHaveProperty('phone');
    const off = await createPhones({ ...mails, LOGIN_BY_PHONE_CODE: 'off' });
    const { token } = await registerPatient(off.world);
    expect((await change(off, token)).body.code).toBe('phone_codes_off');
    expect((await prove(off, token, '123456')).body.code).toBe('phone_codes_off');
  });

  it('of another account is answered alike until its holder proves it, and stays there', async () => {
    const { phones, owner, sent } = await setUp();
    const holder = await enter(phones);
    sent.splice(0);
    const [taken, free] = [
      await change(phones, owner.token),
      await change(phones, owner.token, '0812-3456-7891'),
    ];
    expect({ ...taken.body, request_id: '' }).toEqual({ ...free.body, request_id: '' });
    expect([...taken.headers.keys()]).toEqual([...free.headers.keys()]);
    expect(sent).toHaveLength(2);
    await change(phones, owner.token);
    const wrong = await prove(phones, owner.token, wrongOf(codeIn(phones)));
    const unknown = await prove(phones, owner.token, wrongOf(codeIn(phones)), '0812-3456-7892');
    expect({ ...wrong.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
    expect([wrong.status, wrong.body.code]).toEqual([422, 'phone_code_invalid']);
    const refused = await prove(phones, owner.token, codeIn(phones));
    expect([refused.status, refused.body.code]).toEqual([409, 'phone_taken']);
    expect([await phoneOf(phones, holder.id), await phoneOf(phones, owner.id)]).toEqual([word, null]);
    expect(await linesOf(phones, 'phone_changed')).toEqual([]);
  });

  it('is proved by its own code alone: of this account, this number, this use and this time, five tries at most', async () => {
    const { phones, owner, world } = await setUp();
    const stranger = await registerPatient(world);
    await change(phones, owner.token);
    const code = codeIn(phones);
    // Neither as a login, nor for another account or number.
    expect((await verify(phones, { code, ...person })).status).toBe(401);
    expect((await prove(phones, stranger.token, code)).status).toBe(422);
    expect((await prove(phones, owner.token, code, other)).status).toBe(422);
    await ask(phones);
    expect((await prove(phones, owner.token, codeIn(phones))).status).toBe(422);
    // Another number takes the place of the first.
    await change(phones, owner.token, other);
    expect((await prove(phones, owner.token, code)).status).toBe(422);
    await change(phones, owner.token);
    const late = codeIn(phones);
    world.clock.now += loginCodeTtlMs;
    expect((await prove(phones, owner.token, late)).status).toBe(422);
    await everybodyConfirms(world);
    await change(phones, owner.token);
    const next = codeIn(phones);
    for (let nth = 0; nth < 5; nth++)
      expect((await prove(phones, owner.token, wrongOf(next))).status).toBe(422);
    expect((await prove(phones, owner.token, next)).status).toBe(422);
    expect(await phoneOf(phones, owner.id)).toBeNull();
    const rows = JSON.stringify([
      await world.db.select().from(loginCodes),
      await world.db.select().from(securityEvents),
    ]);
    expect(rows).not.toContain('8123456');
  });

  it('goes to one of two accounts that prove it at the same time, and no code works twice', async () => {
    const { phones, owner, world } = await setUp();
    const second = await registerPatient(world);
    await change(phones, owner.token);
    const mine = codeIn(phones);
    await change(phones, second.token);
    const theirs = codeIn(phones);
    const tries = await Promise.all([
      prove(phones, owner.token, mine),
      prove(phones, owner.token, mine),
      prove(phones, second.token, theirs),
      prove(phones, second.token, theirs),
    ]);
    expect(tries.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    const holders = await world.db.select().from(users).where(eq(users.loginPhone, word));
    expect(holders).toHaveLength(1);
    expect(await linesOf(phones, 'phone_changed')).toHaveLength(1);
  });

  it('is registered and proved at the same time by one of the two alone', async () => {
    const { phones, owner, world } = await setUp();
    await change(phones, owner.token);
    const mine = codeIn(phones);
    await ask(phones);
    const login = codeIn(phones);
    const [set, made] = await Promise.all([
      prove(phones, owner.token, mine),
      verify(phones, { code: login, ...person }),
    ]);
    expect([200, 409]).toContain(set.status);
    expect([200, 503]).toContain(made.status);
    const holders = await world.db.select().from(users).where(eq(users.loginPhone, word));
    expect(holders).toHaveLength(1);
  });

  it('is swapped by two accounts only after one gave it up', async () => {
    const { phones, owner, world } = await setUp();
    const second = await registerPatient(world);
    await setPhone(phones, owner.token, phone);
    await setPhone(phones, second.token, other);
    const swaps = await Promise.all([
      change(phones, owner.token, other).then(() => prove(phones, owner.token, codeIn(phones), other)),
      change(phones, second.token, phone).then(() => prove(phones, second.token, codeIn(phones), phone)),
    ]);
    expect(swaps.every(({ status }) => status !== 200)).toBe(true);
    expect((await takeOff(phones, owner.token)).status).toBe(200);
    expect((await setPhone(phones, second.token, phone)).status).toBe(200);
    expect((await setPhone(phones, owner.token, other)).status).toBe(200);
    expect([await phoneOf(phones, owner.id), await phoneOf(phones, second.id)]).toEqual([otherWord, word]);
  });

  it('that another account has not used for 60 days is taken from it, unless it is the same person’s', async () => {
    const { phones, owner, world } = await setUp();
    const holder = await enter(phones);
    world.clock.now += phoneProofMs - loginCodeTtlMs;
    const { token } = await addDevice(world, owner.id);
    expect((await setPhone(phones, token)).body.code).toBe('phone_taken');
    world.clock.now += loginCodeTtlMs;
    await everybodyConfirms(world);
    // A wrong code takes nothing from anybody.
    await change(phones, token);
    expect((await prove(phones, token, wrongOf(codeIn(phones)))).status).toBe(422);
    expect(await phoneOf(phones, holder.id)).toBe(word);
    await world.db.update(patients).set({ birthDate: person.birth_date }).where(eq(patients.id, owner.id));
    await world.db.update(users).set({ name: 'Ayu Lestari' }).where(eq(users.id, owner.id));
    expect((await setPhone(phones, token)).body.code).toBe('phone_taken');
    await world.db.update(users).set({ name: 'Budi' }).where(eq(users.id, owner.id));
    const released = phones.sent.length;
    expect((await setPhone(phones, token)).status).toBe(200);
    expect([await phoneOf(phones, holder.id), await phoneOf(phones, owner.id)]).toEqual([null, word]);
    expect(await linesOf(phones, 'phone_released')).toMatchObject([{ userId: holder.id, actorId: null }]);
    // The number is this account's now: nobody is told that it was given up.
    expect(phones.sent).toHaveLength(released + 1);
  });

  it('costs no more messages than the number and the day of the clinic have, together with logins', async () => {
    const { phones, owner, sent } = await setUp({ RATE_LIMIT: 'on', PHONE_CODES_PER_DAY: '6' });
    const from = (nth: number) => ({ 'X-Test-Address': `198.51.100.${nth}` });
    for (let nth = 0; nth < 3; nth++) await ask(phones, phone, from(nth));
    for (let nth = 3; nth < 8; nth++) await change(phones, owner.token, phone, from(nth));
    expect(sent).toHaveLength(4);
    for (let nth = 0; nth < 5; nth++) await change(phones, owner.token, `0812-3456-780${nth}`);
    expect(sent).toHaveLength(6);
    expect((await ask(phones, '0812-3456-7810')).status).toBe(429);
  });

  it('counts what the phone before is told as a message of the day, and tells it in any case', async () => {
    const phones = await createPhones({ PHONE_CODES_PER_DAY: '3' });
    const { token } = await enter(phones);
    expect((await setPhone(phones, token, other)).status).toBe(200);
    // Two codes, and the message to the phone before.
    expect(phones.sent).toHaveLength(3);
    expect((await ask(phones, '0812-3456-7810')).status).toBe(429);
    phones.world.clock.now += 24 * 3_600_000;
    const more = await createPhones({ PHONE_CODES_PER_DAY: '2' });
    const second = await enter(more);
    await setPhone(more, second.token, other);
    expect(JSON.parse(more.sent.at(-1)?.body ?? '').template.name).toBe('janji_phone_released');
  });

  it.each([
    ['is changed', (phones: Phones, token: string) => setPhone(phones, token, other)],
    ['is taken off', takeOff],
  ])(
    'ends a login by it that waits for the second factor as it %s, also at the last moment',
    async (_, act) => {
      const phones = await createPhones(mails);
      const { world } = phones;
      const begin = async () => {
        const { id, token } = await enter(phones);
        await world.db
          .update(users)
          .set({ email: `${id}@klinik.example`, emailProvedAt: 1 })
          .where(eq(users.id, id));
        const { secret } = await enrol(world, token);
        await ask(phones);
        const challenge = (await verify(phones, { code: codeIn(phones) })).body.challenge as string;
        await everybodyConfirms(world);
        const step = () => {
          const body = { challenge, code: appCode(secret, world.clock.now) };
          return world.request('/v1/auth/login/second-factor', { body });
        };
        return { id, token, step };
      };
      const first = await begin();
      expect((await act(phones, first.token)).status).toBe(200);
      expect(codeOf(await first.step())).toBe('401 challenge_invalid');
      await world.db.update(users).set({ loginPhone: null });
      const second = await begin();
      beforeRoundTrip(world, 2, async () => {
        await act(phones, second.token);
      });
      expect(codeOf(await second.step())).toBe('401 second_factor_invalid');
      await world.db.update(users).set({ loginPhone: null });
      // Where nothing changes, it goes on.
      expect((await (await begin()).step()).status).toBe(200);
    },
  );

  it('is guessed at a few times, from however many networks', async () => {
    const { phones, owner, world } = await setUp({ RATE_LIMIT: 'on' });
    const body = { phone, code: '000000' };
    const statuses: number[] = [];
    for (let nth = 0; nth < 14; nth++) {
      const headers = { 'X-Test-Address': `198.51.100.${nth}` };
      const path = '/v1/auth/phone/change/verify';
      statuses.push((await world.request(path, { token: owner.token, body, headers })).status);
    }
    expect(statuses.filter((status) => status === 422).length).toBeLessThanOrEqual(10);
    expect(statuses.at(-1)).toBe(429);
    expect(await linesOf(phones, 'phone_changed')).toEqual([]);
  });
});

describe('a phone that is taken off', () => {
  it('opens the account no longer; its owner and the phone are told', async () => {
    const { phones, owner, world, sent } = await setUp();
    await setPhone(phones, owner.token);
    const device = await addDevice(world, owner.id);
    world.mails.splice(0);
    const off = await takeOff(phones, owner.token);
    expect([off.status, off.body.data.login_phone]).toEqual([200, null]);
    expect(world.mails.map(({ to }) => to)).toEqual([owner.email]);
    expect(JSON.parse(sent.at(-1)?.body ?? '').template.name).toBe('janji_phone_released');
    expect((await world.request('/v1/auth/profile', { token: device.token })).status).toBe(401);
    await ask(phones);
    // The number is nobody's.
    expect((await verify(phones, { code: codeIn(phones) })).status).toBe(422);
    expect((await takeOff(phones, owner.token)).status).toBe(200);
    expect(await linesOf(phones, 'phone_removed')).toHaveLength(1);
  });

  it('is never the last way in', async () => {
    const phones = await createPhones(mails);
    const { world } = phones;
    const { id, token } = await enter(phones);
    const refused = await takeOff(phones, token);
    expect([refused.status, refused.body.code]).toEqual([409, 'last_way_in']);
    expect(refused.body.message).toContain('satu-satunya');
    const at = (fields: Partial<typeof users.$inferInsert>) =>
      world.db.update(users).set(fields).where(eq(users.id, id));
    // An e-mail that nobody proved, and no password.
    await at({ email: 'putri@klinik.example' });
    expect((await takeOff(phones, token)).status).toBe(409);
    // A second factor opens nothing by itself.
    await addFactor(world, id);
    expect((await takeOff(phones, token)).status).toBe(409);
    await at({ emailProvedAt: 1, secondFactorAt: null });
    const { mailer } = world.deps;
    world.deps.mailer = { send: mailer.send };
    expect((await takeOff(phones, token)).status).toBe(409);
    world.deps.mailer = mailer;
    const both = await Promise.all([takeOff(phones, token), takeOff(phones, token)]);
    expect(both.every(({ status }) => status === 200 || status === 401)).toBe(true);
    expect(await phoneOf(phones, id)).toBeNull();
    expect(await linesOf(phones, 'phone_removed')).toHaveLength(1);
  });

  it('is told nothing once it may be somebody else’s', async () => {
    const { phones, owner, world, sent } = await setUp();
    await setPhone(phones, owner.token);
    world.clock.now += phoneProofMs;
    const { token } = await addDevice(world, owner.id);
    const before = sent.length;
    expect((await takeOff(phones, token)).status).toBe(200);
    expect(sent).toHaveLength(before);
  });
});

describe('an account whose e-mail was never proved', () => {
  const proveBy = {
    code: async ({ world }: Phones, email: string) => {
      await world.request('/v1/auth/code', { body: { email } });
      await Promise.all(world.background.splice(0));
      const code = /\n(\d{3} \d{3})\n/.exec(world.mails.at(-1)?.text ?? '')?.[1];
      return world.request('/v1/auth/code/verify', { body: { email, code } });
    },
    reset: async ({ world }: Phones, email: string) => {
      await world.request('/v1/auth/password/forgot', { body: { email } });
      await Promise.all(world.background.splice(0));
      const token = /\n([\w-]{43})\n/.exec(world.mails.at(-1)?.text ?? '')?.[1];
      const chosen = 'sandi-yang-baru-42';
      const body = { token, password: chosen, password_confirmation: chosen };
      return world.request('/v1/auth/password/reset', { body });
    },
  };

  it.each(['code', 'reset'] as const)(
    'is the mailbox’s owner’s from the first %s on, and the phone of whoever registered it opens it no longer',
    async (way) => {
      const { phones, owner: stranger } = await setUp();
      await setPhone(phones, stranger.token);
      expect((await proveBy[way](phones, stranger.email)).status).toBe(200);
      expect(await phoneOf(phones, stranger.id)).toBeNull();
      await ask(phones);
      expect((await verify(phones, { code: codeIn(phones) })).status).toBe(422);
      expect((await enter(phones)).id).not.toBe(stranger.id);
      expect(await linesOf(phones, 'phone_removed')).toMatchObject([{ userId: stranger.id }]);
    },
  );

  it.each(['code', 'reset'] as const)('keeps its phone at a %s once it was proved', async (way) => {
    const { phones, owner, world } = await setUp();
    await setPhone(phones, owner.token);
    await world.db.update(users).set({ emailProvedAt: 1 }).where(eq(users.id, owner.id));
    expect((await proveBy[way](phones, owner.email)).status).toBe(200);
    expect(await phoneOf(phones, owner.id)).toBe(word);
    expect(await linesOf(phones, 'phone_removed')).toEqual([]);
  });
});

describe('between the reading and the writing of a request', () => {
  const trips = [1, 2, 3, 4, 5, 6];

  it.each(trips)('no login by a phone that is taken off before round trip %i stays open', async (nth) => {
    const { phones, owner, world } = await setUp();
    await setPhone(phones, owner.token);
    await ask(phones);
    const { db } = world;
    const offs: number[] = [];
    beforeRoundTrip(world, nth, async () => offs.push((await takeOff(phones, owner.token)).status));
    const opened = await verify(phones, { code: codeIn(phones) });
    world.deps.db = db;
    if (offs.length === 0) offs.push((await takeOff(phones, owner.token)).status);
    expect(offs).toEqual([200]);
    // Nobody has the phone any more, and a code that was used up is good for no second try.
    expect([200, 422, 401]).toContain(opened.status);
    const token = opened.body.data?.access_token ?? 'none';
    expect((await world.request('/v1/auth/profile', { token })).status).toBe(401);
  });

  it.each(trips)('a device that is logged out before round trip %i sets no phone any more', async (nth) => {
    const { phones, owner, world } = await setUp();
    await change(phones, owner.token);
    const { db } = world;
    beforeRoundTrip(world, nth, () =>
      world.request('/v1/auth/logout', { method: 'POST', token: owner.token }),
    );
    const set = await prove(phones, owner.token, codeIn(phones));
    world.deps.db = db;
    expect([200, 401]).toContain(set.status);
    const lines = (await db.select().from(securityEvents)).map(({ type }) => type);
    expect(lines.filter((type) => type === 'phone_changed')).toHaveLength(set.status === 200 ? 1 : 0);
    if (set.status === 200 && lines.includes('logout'))
      expect(lines.indexOf('phone_changed')).toBeLessThan(lines.indexOf('logout'));
  });
});

describe('the number for messages after a phone was proved', () => {
  it.each([
    { what: 'none', number: '', follows: true },
    { what: 'the phone before', number: '81234567890', follows: true },
    { what: 'the phone before, with a zero', number: '081234567890', follows: true },
    { what: 'the phone before, with its country code', number: '6281234567890', follows: true },
    { what: 'another one', number: '81999990000', follows: false },
  ])('follows it where it was $what: $follows', ({ number, follows }) => {
    const after = contactAfter(
      { phoneNumber: number, phoneCountryCode: '62', loginPhone: word },
      { phoneNumber: '81311112222', phoneCountryCode: '62' },
    );
    expect(after.phoneNumber).toBe(follows ? '81311112222' : number);
  });
});
