import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { securityEvents, users } from '../../src/core/tables/accounts.ts';
import { loginCodeTtlMs, phoneProofMs } from '../../src/modules/auth/code/rules.ts';
import { confirmationTarget } from '../../src/modules/auth/reauthentication/rules.ts';
import { recentLoginMs } from '../../src/modules/auth/rules.ts';
import { addFactor, codeOf } from '../support/factors.ts';
import { addDevice, createPerson } from '../support/people.ts';
import {
  ask,
  codeIn,
  createPhones,
  enter,
  type Phones,
  verify,
  word,
  wrongOf,
} from '../support/phone-codes.ts';
import { password, registerPatient } from '../support/world.ts';

const mails = { LOGIN_BY_CODE: 'on', MAIL_API_URL: 'https://mail.example/send' };

const askCode = async ({ world }: Phones, token: string, headers: Record<string, string> = {}) => {
  const path = '/v1/auth/reauthenticate/code';
  const answer = await world.request(path, { method: 'POST', token, headers });
  await Promise.all(world.background.splice(0));
  return answer;
};

const confirm = ({ world }: Phones, token: string, body: object, headers: Record<string, string> = {}) =>
  world.request('/v1/auth/reauthenticate', { token, body, headers });

/** Something that wants a recent login. */
const dangerous = async ({ world }: Phones, token: string) => {
  const answer = await world.request('/v1/auth/export', { method: 'POST', token });
  return answer.body.code ?? answer.status;
};

/** A person without a password, whose login is not recent any more. */
const setUp = async (settings: Record<string, string> = {}) => {
  const phones = await createPhones(settings);
  const owner = await enter(phones);
  phones.world.clock.now += recentLoginMs + 1;
  return { phones, owner, ...phones };
};

const mailedCode = ({ world }: Phones): string =>
  /\n(\d{3} \d{3})\n/.exec(world.mails.at(-1)?.text ?? '')?.[1] ?? '';

describe('an account without a password', () => {
  it('confirms who is there by a code to its phone, for ten minutes', async () => {
    const { phones, owner, world } = await setUp();
    expect(await dangerous(phones, owner.token)).toBe('reauthentication_required');
    const asked = await askCode(phones, owner.token);
    expect([asked.status, asked.body.data]).toEqual([202, { by: 'phone' }]);
    expect(JSON.parse(phones.sent.at(-1)?.body ?? '').to).toBe(`+${word}`);
    expect((await confirm(phones, owner.token, { sent_code: codeIn(phones) })).status).toBe(200);
    world.clock.now += recentLoginMs;
    expect(await dangerous(phones, owner.token)).toBe(200);
    world.clock.now += 1;
    expect(await dangerous(phones, owner.token)).toBe('reauthentication_required');
    const lines = await world.db.select().from(securityEvents);
    expect(lines.filter(({ type }) => type === 'reauthenticated')).toMatchObject([
      { userId: owner.id, actorId: owner.id, detail: '{"by":"code"}' },
    ]);
  });

  it('confirms by a mailed code where its e-mail is proved, which costs the clinic nothing', async () => {
    const { phones, owner, world, sent } = await setUp(mails);
    const at = { email: 'putri@klinik.example', emailProvedAt: 1 };
    await world.db.update(users).set(at).where(eq(users.id, owner.id));
    const before = sent.length;
    const asked = await askCode(phones, owner.token, { 'Accept-Language': 'en' });
    expect(asked.body.data).toEqual({ by: 'mail' });
    expect(sent).toHaveLength(before);
    expect(world.mails.at(-1)).toMatchObject({ to: at.email, subject: 'Your code to confirm' });
    expect((await confirm(phones, owner.token, { sent_code: mailedCode(phones) })).status).toBe(200);
    expect(await dangerous(phones, owner.token)).toBe(200);
  });

  it('renews the proof of its phone by it', async () => {
    const { phones, owner, world } = await setUp();
    world.clock.now += phoneProofMs;
    const { token } = await addDevice(world, owner.id);
    await askCode(phones, token);
    expect((await confirm(phones, token, { sent_code: codeIn(phones) })).status).toBe(200);
    await ask(phones);
    expect((await verify(phones, { code: codeIn(phones) })).body.data.user.id).toBe(owner.id);
  });

  it('takes a code once, in its time, on the device that asked, and for nothing else', async () => {
    const { phones, owner, world } = await setUp();
    const device = await addDevice(world, owner.id);
    await askCode(phones, owner.token);
    const code = codeIn(phones);
    expect((await confirm(phones, device.token, { sent_code: code })).status).toBe(422);
    expect((await confirm(phones, owner.token, { code })).status).toBe(422);
    expect((await verify(phones, { code })).status).toBe(401);
    const tries = await Promise.all([1, 2, 3].map(() => confirm(phones, owner.token, { sent_code: code })));
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    await ask(phones);
    expect((await confirm(phones, owner.token, { sent_code: codeIn(phones) })).status).toBe(422);
    await askCode(phones, owner.token);
    const late = codeIn(phones);
    world.clock.now += loginCodeTtlMs;
    expect((await confirm(phones, owner.token, { sent_code: late })).status).toBe(422);
    await askCode(phones, owner.token);
    const next = codeIn(phones);
    for (let nth = 0; nth < 5; nth++)
      expect(await confirm(phones, owner.token, { sent_code: wrongOf(next) })).toMatchObject({
        status: 422,
        body: { errors: { sent_code: [expect.anything()] } },
      });
    expect((await confirm(phones, owner.token, { sent_code: next })).status).toBe(422);
    // The code went to a phone that opens the account no longer.
    await askCode(phones, owner.token);
    const old = codeIn(phones);
    await world.db.update(users).set({ loginPhone: '6281311112222' }).where(eq(users.id, owner.id));
    expect((await confirm(phones, owner.token, { sent_code: old })).status).toBe(422);
  });

  it('is guessed at as a password is', async () => {
    const { phones, owner } = await setUp({ RATE_LIMIT: 'on' });
    await askCode(phones, owner.token);
    const code = codeIn(phones);
    const statuses: number[] = [];
    for (let nth = 0; nth < 7; nth++)
      statuses.push((await confirm(phones, owner.token, { sent_code: wrongOf(code) })).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429]);
    expect((await confirm(phones, owner.token, { password })).status).toBe(429);
  });

  it('is forgiven the wrong attempts by the right code, as by the right password', async () => {
    const { phones, owner } = await setUp({ RATE_LIMIT: 'on' });
    for (let round = 0; round < 2; round++) {
      await askCode(phones, owner.token);
      const code = codeIn(phones);
      for (let nth = 0; nth < 3; nth++)
        expect((await confirm(phones, owner.token, { sent_code: wrongOf(code) })).status).toBe(422);
      expect((await confirm(phones, owner.token, { sent_code: code })).status).toBe(200);
    }
  });

  it('costs no more messages than logins do', async () => {
    const { phones, owner, sent } = await setUp({ RATE_LIMIT: 'on' });
    for (let nth = 0; nth < 6; nth++)
      await askCode(phones, owner.token, { 'X-Test-Address': `198.51.100.${nth}` });
    expect(sent).toHaveLength(4);
    const few = await setUp({ PHONE_CODES_PER_DAY: '1' });
    expect((await askCode(few.phones, few.owner.token)).status).toBe(429);
  });

  it('confirms by the password or the second factor once it has one', async () => {
    const { phones, owner, world } = await setUp();
    await askCode(phones, owner.token);
    const code = codeIn(phones);
    await addFactor(world, owner.id);
    expect(codeOf(await askCode(phones, owner.token))).toBe('409 confirmation_code_unavailable');
    expect(codeOf(await confirm(phones, owner.token, { sent_code: code }))).toBe(
      '409 confirmation_code_unavailable',
    );
    expect(await dangerous(phones, owner.token)).toBe('reauthentication_required');
    const withPassword = await registerPatient(world);
    expect(codeOf(await askCode(phones, withPassword.token))).toBe('409 confirmation_code_unavailable');
    const staff = await createPerson(world, 'staff');
    expect((await askCode(phones, staff.token)).status).toBe(403);
  });
});

describe('where a code to confirm goes', () => {
  const account = {
    role: 'patient',
    email: 'a@klinik.example',
    emailProvedAt: 1,
    loginPhone: word,
    passwordUnsetAt: 1,
    secondFactorAt: null,
  };
  const all = { mail: true, phone: true };
  it.each([
    { what: 'a proved e-mail', change: {}, sends: all, by: 'mail' },
    { what: 'no mail', change: {}, sends: { mail: false, phone: true }, by: 'phone' },
    { what: 'an e-mail that nobody proved', change: { emailProvedAt: null }, sends: all, by: 'phone' },
    { what: 'no phone', change: { emailProvedAt: null, loginPhone: null }, sends: all, by: undefined },
    { what: 'no way', change: {}, sends: { mail: false, phone: false }, by: undefined },
    { what: 'a password', change: { passwordUnsetAt: null }, sends: all, by: undefined },
    { what: 'a second factor', change: { secondFactorAt: 1 }, sends: all, by: undefined },
    { what: 'a role', change: { role: 'staff' }, sends: all, by: undefined },
  ])('with $what: $by', ({ change, sends, by }) => {
    expect(confirmationTarget({ ...account, ...change }, sends)?.by).toBe(by);
  });
});
