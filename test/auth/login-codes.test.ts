import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { createTokenKeys } from '../../src/core/crypto/token-keys.ts';
import { loginCodes, securityEvents, users } from '../../src/core/tables/accounts.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { loginCodeFrom, loginCodeTtlMs, opensByCode } from '../../src/modules/auth/code/rules.ts';
import { addFactor } from '../support/factors.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, findKeys, password, registerPatient, secret, type World } from '../support/world.ts';

const on = { LOGIN_BY_CODE: 'on', MAIL_API_URL: 'https://mail.example/send' };
const email = 'baru@klinik.example';
const person = { name: 'Putri Ayu', birth_date: '1990-05-17' };

const settled = async (world: World) => {
  await Promise.all(world.background.splice(0));
};

const ask = async (world: World, to = email) => {
  const answer = await world.request('/v1/auth/code', { body: { email: to } });
  await settled(world);
  return answer;
};

const codeIn = (world: World, to = email) =>
  /\n(\d{3} \d{3})\n/.exec(
    world.mails.findLast((mail) => mail.to === to && /\n\d{3} \d{3}\n/.test(mail.text))?.text ?? '',
  )?.[1] ?? '';

const wrongOf = (code: string) => `${code.slice(0, -1)}${(Number(code.at(-1)) + 1) % 10}`;

const verify = async (world: World, body: object, headers: Record<string, string> = {}) => {
  const answer = await world.request('/v1/auth/code/verify', { body: { email, ...body }, headers });
  await settled(world);
  return answer;
};

const logIn = (world: World, account: string, secretWord = password) =>
  world.request('/v1/auth/login', { body: { email: account, password: secretWord } });

/** A patient whose e-mail is proved. */
const provedPatient = async (world: World) => {
  const patient = await registerPatient(world);
  await settled(world);
  await world.db.update(users).set({ emailProvedAt: world.clock.now }).where(eq(users.id, patient.id));
  return patient;
};

describe('a login by a code', () => {
  it('is not there until the clinic turns it on and can send mail', async () => {
    for (const settings of [{}, { LOGIN_BY_CODE: 'on' }, { MAIL_API_URL: on.MAIL_API_URL }]) {
      const world = await createWorld(settings);
      expect(await ask(world)).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect(await verify(world, { code: '123 456', ...person })).toMatchObject({ status: 404 });
      expect(world.mails).toEqual([]);
      expect(await world.db.select().from(securityEvents)).toEqual([]);
    }
  });

  it('gives what a login by password gives', async () => {
    const world = await createWorld(on);
    const patient = await provedPatient(world);
    await ask(world, patient.email);
    const answer = await verify(world, {
      email: patient.email.toUpperCase(),
      code: codeIn(world, patient.email),
    });
    const byPassword = await logIn(world, patient.email);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body.data)).toEqual(Object.keys(byPassword.body.data));
    expect(answer.body.data.user).toEqual(byPassword.body.data.user);
    expect(answer.headers.get('X-Device-Token')).toMatch(/^[\w-]{22}\./);
    const token = answer.body.data.access_token;
    expect((await world.request('/v1/auth/profile', { token })).status).toBe(200);
    // The password is what it was, and the audit trail says by what the login was.
    const events = await world.db.select().from(securityEvents);
    expect(events.map(({ type }) => type)).toEqual([
      ...['registered', 'email_code_sent', 'login_code_sent', 'login', 'login'],
    ]);
    expect(events[2]).toMatchObject({ userId: patient.id, actorId: null });
    expect(events[3]?.detail).toBe('{"by":"code"}');
  });

  it('registers a new person, who has no password until one is set', async () => {
    const world = await createWorld(on);
    await ask(world);
    const code = codeIn(world);
    const asked = await verify(world, { code });
    expect(asked).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect(Object.keys(asked.body.errors)).toEqual(['name', 'birth_date']);
    expect(await verify(world, { code, ...person, birth_date: '2026-11-24' })).toMatchObject({ status: 422 });
    const answer = await verify(world, {
      code,
      ...person,
      phone_number: '81234567890',
      phone_country_code: '62',
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { user: { email, name: person.name, phone_number: '81234567890' } } },
    });
    const { id } = answer.body.data.user;
    const [record] = await world.db.select().from(patients).where(eq(patients.id, id));
    expect(record).toMatchObject({ name: person.name, birthDate: person.birth_date, createdBy: id });
    const profile = await world.request('/v1/auth/profile', { token: answer.body.data.access_token });
    expect(profile.body.data).toMatchObject({ role: 'patient', email_proved: true });
    const refused = await logIn(world, email);
    const unknown = await logIn(world, 'tidak-ada@klinik.example');
    expect(refused.status).toBe(401);
    expect({ ...refused.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
    await world.request('/v1/auth/password/forgot', { body: { email } });
    await settled(world);
    const token = /\n([\w-]{40,})\n/.exec(world.mails.at(-1)?.text ?? '')?.[1];
    const set = { token, password: 'sandi-baru-42', password_confirmation: 'sandi-baru-42' };
    expect((await world.request('/v1/auth/password/reset', { body: set })).status).toBe(200);
    expect((await logIn(world, email, 'sandi-baru-42')).status).toBe(200);
  });

  it('answers and mails the same to anybody', async () => {
    const world = await createWorld(on);
    const patient = await provedPatient(world);
    world.mails.splice(0);
    const [known, unknown] = [await ask(world, patient.email), await ask(world)];
    expect(known.status).toBe(202);
    expect({ ...unknown.body, request_id: '' }).toEqual({ ...known.body, request_id: '' });
    expect([...unknown.headers.keys()]).toEqual([...known.headers.keys()]);
    const texts = world.mails.map(({ text }) => text.replace(/\d{3} \d{3}/, ''));
    expect(texts).toHaveLength(2);
    expect(texts[0]).toBe(texts[1]);
    const tries = [
      await verify(world, { email: patient.email, code: wrongOf(codeIn(world, patient.email)) }),
      await verify(world, { code: wrongOf(codeIn(world)) }),
    ];
    expect(tries[0]).toMatchObject({ status: 401, body: { code: 'login_code_invalid' } });
    expect({ ...tries[1]?.body, request_id: '' }).toEqual({ ...tries[0]?.body, request_id: '' });
  });

  it('takes a code once, of any number of requests at the same time', async () => {
    const world = await createWorld(on);
    const patient = await provedPatient(world);
    await ask(world, patient.email);
    const code = codeIn(world, patient.email);
    const tries = await Promise.all([1, 2, 3, 4].map(() => verify(world, { email: patient.email, code })));
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    expect(await world.db.select().from(loginCodes)).toEqual([]);
  });

  it('takes a code neither after its time nor after a newer one, nor for another address', async () => {
    const world = await createWorld(on);
    const patient = await provedPatient(world);
    const to = { email: patient.email };
    await ask(world, patient.email);
    const first = codeIn(world, patient.email);
    expect((await verify(world, { code: first, ...person })).status).toBe(401);
    await ask(world, patient.email);
    const second = codeIn(world, patient.email);
    if (second !== first) expect((await verify(world, { ...to, code: first })).status).toBe(401);
    world.clock.now += loginCodeTtlMs - 1;
    expect((await verify(world, { ...to, code: second })).status).toBe(200);
    await ask(world, patient.email);
    world.clock.now += loginCodeTtlMs;
    expect((await verify(world, { ...to, code: codeIn(world, patient.email) })).status).toBe(401);
  });

  it('voids a code after five wrong ones', async () => {
    const world = await createWorld(on);
    await ask(world);
    const code = codeIn(world);
    for (let nth = 0; nth < 4; nth++)
      expect((await verify(world, { code: wrongOf(code), ...person })).status).toBe(401);
    // The fifth is the last that could have been right.
    expect((await verify(world, { code: wrongOf(code), ...person })).status).toBe(401);
    expect((await verify(world, { code, ...person })).status).toBe(401);
  });

  it('is throttled: the asking, and the guessing beyond the tries of one code', async () => {
    const world = await createWorld({ ...on, RATE_LIMIT: 'on' });
    for (let nth = 0; nth < 3; nth++) expect((await ask(world)).status).toBe(202);
    expect(await ask(world)).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    for (let nth = 0; nth < 5; nth++)
      expect((await verify(world, { code: wrongOf(codeIn(world)) })).status).toBe(401);
    const refused = await verify(world, { code: codeIn(world), ...person });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('Retry-After')).toBe('30');
  });

  it('stores and logs no code and no address', async () => {
    const world = await createWorld(on);
    await ask(world);
    const rows = JSON.stringify([
      await world.db.select().from(loginCodes),
      await world.db.select().from(securityEvents),
    ]);
    expect(rows).not.toContain(codeIn(world).replace(' ', ''));
    expect(rows).not.toContain('klinik.example');
    expect((await verify(world, { code: codeIn(world), ...person })).status).toBe(200);
  });

  it('still knows a code after the secret was changed', async () => {
    const world = await createWorld(on);
    await ask(world);
    world.deps.tokenKeys = await createTokenKeys(
      await findKeys('another-secret-of-the-tests-0123456789', secret),
    );
    expect((await verify(world, { code: codeIn(world), ...person })).status).toBe(200);
  });

  it('asks for the second factor of an account that has one', async () => {
    const world = await createWorld(on);
    const patient = await provedPatient(world);
    await addFactor(world, patient.id);
    await ask(world, patient.email);
    const answer = await verify(world, { email: patient.email, code: codeIn(world, patient.email) });
    expect(answer).toMatchObject({ status: 401, body: { code: 'second_factor_required' } });
    expect(answer.body.challenge).toBeTypeOf('string');
  });

  it('lets nobody in who works for the clinic and has no second factor', async () => {
    const world = await createWorld(on);
    for (const role of ['staff', 'doctor', 'admin'] as const) {
      const { id } = await createPerson(world, role);
      const [account] = await world.db.select().from(users).where(eq(users.id, id));
      const to = account?.email ?? '';
      await ask(world, to);
      const answer = await verify(world, { email: to, code: codeIn(world, to) });
      expect(answer).toMatchObject({ status: 403, body: { code: 'password_required' } });
    }
    const made = { secondFactorAt: 1, emailProvedAt: 1 };
    expect(opensByCode({ role: 'staff', ...made })).toBe(true);
    expect(opensByCode({ role: 'staff', ...made, emailProvedAt: null })).toBe(false);
    expect(opensByCode({ role: 'staff', ...made, secondFactorAt: null })).toBe(false);
  });

  it('opens no account that was shut', async () => {
    const world = await createWorld(on);
    const patient = await provedPatient(world);
    await world.db.update(users).set({ deactivatedAt: 1 }).where(eq(users.id, patient.id));
    await ask(world, patient.email);
    const answer = await verify(world, { email: patient.email, code: codeIn(world, patient.email) });
    expect(answer).toMatchObject({ status: 401, body: { code: 'login_code_invalid' } });
  });

  it('takes an account with an unproved e-mail from whoever had registered it', async () => {
    const world = await createWorld(on);
    const stranger = await registerPatient(world);
    await settled(world);
    await ask(world, stranger.email);
    const answer = await verify(world, { email: stranger.email, code: codeIn(world, stranger.email) });
    expect(answer.status).toBe(200);
    expect((await world.request('/v1/auth/profile', { token: stranger.token })).status).toBe(401);
    expect((await logIn(world, stranger.email)).status).toBe(401);
    const token = answer.body.data.access_token;
    const profile = await world.request('/v1/auth/profile', { token });
    expect(profile.body.data.email_proved).toBe(true);
  });

  it('lets a new person in whose address somebody else registers at the same moment', async () => {
    const registered: number[] = [];
    for (const nth of [1, 2, 3]) {
      const world = await createWorld(on);
      await ask(world);
      const code = codeIn(world);
      beforeRoundTrip(world, nth, async () => {
        await registerPatient(world, { email });
        registered.push(nth);
      });
      const { status, body } = await verify(world, { code, ...person });
      expect([status, body.data?.user.email], `${nth}`).toEqual([200, email]);
      const profile = await world.request('/v1/auth/profile', { token: body.data.access_token });
      expect(profile.body.data).toMatchObject({ email_proved: true, has_password: false });
      expect((await logIn(world, email)).status).toBe(401);
    }
    expect(registered).toEqual([1, 2, 3]);
  });

  it("keeps the refresh token of our own page in its cookie, and answers no other site's page", async () => {
    const world = await createWorld(on);
    await ask(world);
    const body = { code: codeIn(world), ...person, app: 'pasien' };
    expect(await verify(world, body)).toMatchObject({ status: 403, body: { code: 'cross_site' } });
    const answer = await verify(world, body, { 'Sec-Fetch-Site': 'same-origin' });
    expect(answer.status).toBe(200);
    expect(answer.body.data.refresh_token).toBeUndefined();
    expect(answer.headers.get('Set-Cookie')).toContain('__Host-janji-pasien=s.');
  });
});

it('makes codes of six digits, zeros at the front included', () => {
  expect(loginCodeFrom(new Uint8Array([0, 0, 0, 0, 0, 7]))).toBe('000007');
  expect(loginCodeFrom(new Uint8Array([255, 255, 255, 255, 255, 255]))).toBe(
    String((2 ** 48 - 1) % 1_000_000),
  );
});
