import { describe, expect, it } from 'vitest';
import { createTokenKeys } from '../../src/core/crypto/token-keys.ts';
import { emailCodes, securityEvents } from '../../src/core/tables/accounts.ts';
import { mailOutbox } from '../../src/core/tables/mail.ts';
import { hashCode } from '../../src/modules/auth/mail/email-code.ts';
import { sendDueMail } from '../../src/modules/auth/mail/send.ts';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { createWorld, findKeys, registerPatient, secret, type World } from '../support/world.ts';

const mail = { MAIL_API_URL: 'https://mail.example/send' };

const settled = async (world: World) => {
  await Promise.all(world.background.splice(0));
};

const codeIn = (world: World) => /\n(\d{4} \d{4})\n/.exec(world.mails.at(-1)?.text ?? '')?.[1] ?? '';

const ask = async (world: World, token: string) => {
  const answer = await world.request('/v1/auth/email/code', { method: 'POST', token });
  await settled(world);
  return answer;
};

const verify = (world: World, token: string, code: string) =>
  world.request('/v1/auth/email/verify', { token, body: { code } });

const isProved = async (world: World, token: string): Promise<boolean> =>
  (await world.request('/v1/auth/profile', { token })).body.data.email_proved;

/** Another code of the same form. */
const wrongOf = (code: string) => `${code.slice(0, -1)}${(Number(code.at(-1)) + 1) % 10}`;

const setUp = async (settings: Record<string, string> = {}) => {
  const world = await createWorld(settings);
  const patient = await registerPatient(world);
  await settled(world);
  return { world, patient, token: patient.token };
};

describe('the proof of an e-mail', () => {
  it('comes by the code that was mailed, once, and leaves an event', async () => {
    const { world, patient, token } = await setUp();
    expect(await isProved(world, token)).toBe(false);
    expect(await ask(world, token)).toMatchObject({
      status: 202,
      body: { message: 'Kode verifikasi telah kami kirim ke email Anda.' },
    });
    expect(world.mails).toMatchObject([{ to: patient.email, subject: 'Verifikasi email Anda' }]);
    expect(await verify(world, token, codeIn(world))).toMatchObject({ status: 200 });
    expect(await isProved(world, token)).toBe(true);
    expect(await world.db.select().from(emailCodes)).toEqual([]);
    const events = await world.db.select().from(securityEvents);
    expect(events.map(({ type }) => type)).toEqual(['registered', 'email_code_sent', 'email_proved']);
    expect(events.at(-1)).toMatchObject({ userId: patient.id, actorId: patient.id });
    expect(await ask(world, token)).toMatchObject({ status: 409, body: { code: 'email_already_proved' } });
  });

  it('takes the code with or without the space, and refuses another', async () => {
    const { world, token } = await setUp();
    await ask(world, token);
    const code = codeIn(world);
    expect(await verify(world, token, wrongOf(code))).toMatchObject({
      status: 422,
      body: { code: 'email_code_invalid' },
    });
    expect(await isProved(world, token)).toBe(false);
    expect((await verify(world, token, code.replace(' ', ''))).status).toBe(200);
  });

  it('lets an account book that held as many as one without proof may', async () => {
    const { world, token } = await setUp(mail);
    const practice = await createPractice(world);
    const book = (schedule_time: string) =>
      world.request('/v1/bookings', { token, body: bookingInput(practice, { schedule_time }) });
    for (const time of ['09:00:00', '10:00:00']) expect((await book(time)).status).toBe(201);
    expect((await book('11:00:00')).body.code).toBe('email_unproved');
    expect((await verify(world, token, codeIn(world))).status).toBe(200);
    expect((await book('11:00:00')).status).toBe(201);
  });

  it('is asked for at registration where mail can leave, and nowhere else', async () => {
    const { world, token } = await setUp(mail);
    expect(world.mails).toMatchObject([{ subject: 'Verifikasi email Anda' }]);
    expect((await verify(world, token, codeIn(world))).status).toBe(200);
    expect((await setUp()).world.mails).toEqual([]);
  });

  it('comes by a link as well, where there is a page for it', async () => {
    const page = 'https://klinik.example/email';
    const { world, token } = await setUp({ ...mail, EMAIL_PROOF_URL: page });
    const text = world.mails.at(-1)?.text ?? '';
    const linked = /https:\/\/klinik\.example\/email#code=(\d{8})\n/.exec(text)?.[1] ?? '';
    expect(linked).toBe(codeIn(world).replace(' ', ''));
    expect((await verify(world, token, linked)).status).toBe(200);
  });

  it('comes by a reset of the password too, since its token was mailed', async () => {
    const { world, patient } = await setUp();
    await world.request('/v1/auth/password/forgot', { body: { email: patient.email } });
    await settled(world);
    const resetToken = /\n([\w-]{43})\n/.exec(world.mails.at(-1)?.text ?? '')?.[1] ?? '';
    const chosen = 'sandi-yang-baru-42';
    const body = { token: resetToken, password: chosen, password_confirmation: chosen };
    expect((await world.request('/v1/auth/password/reset', { body })).status).toBe(200);
    const login = { email: patient.email, password: chosen };
    const { body: opened } = await world.request('/v1/auth/login', { body: login });
    expect(await isProved(world, opened.data.access_token)).toBe(true);
  });
});

describe('a mailed code', () => {
  it('is stored only as a keyed hash', async () => {
    const { world, token } = await setUp();
    await ask(world, token);
    const code = codeIn(world).replace(' ', '');
    const stored = await world.db.select().from(emailCodes);
    expect(stored).toHaveLength(1);
    expect(JSON.stringify([stored, await world.db.select().from(mailOutbox)])).not.toContain(code);
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code));
    const plain = btoa(String.fromCharCode(...new Uint8Array(digest))).replaceAll('=', '');
    expect(stored.map(({ hash }) => hash)).not.toContain(plain.replaceAll('+', '-').replaceAll('/', '_'));
  });

  it('is hashed differently for each account and address', async () => {
    const { deps } = await createWorld();
    const to = { userId: deps.newId(), email: 'a@klinik.example' };
    const others = [
      { ...to, userId: deps.newId() },
      { ...to, email: 'b@klinik.example' },
    ];
    const hashes = await Promise.all([to, ...others].map((who) => hashCode(deps.tokenKeys, who, '12345678')));
    expect(new Set(hashes).size).toBe(3);
  });

  it('holds for 30 minutes', async () => {
    const { world, token } = await setUp();
    await ask(world, token);
    const code = codeIn(world);
    world.clock.now += 30 * 60_000;
    expect((await verify(world, token, code)).status).toBe(422);
    await ask(world, token);
    world.clock.now += 30 * 60_000 - 1;
    expect((await verify(world, token, codeIn(world))).status).toBe(200);
  });

  it('ends the one before it', async () => {
    const { world, token } = await setUp();
    await ask(world, token);
    const first = codeIn(world);
    await ask(world, token);
    expect((await verify(world, token, first)).status).toBe(422);
    expect((await verify(world, token, codeIn(world))).status).toBe(200);
  });

  it('is void after five wrong tries, also when they come at once', async () => {
    const { world, token } = await setUp();
    await ask(world, token);
    const code = codeIn(world);
    await Promise.all(Array.from({ length: 5 }, () => verify(world, token, wrongOf(code))));
    expect((await verify(world, token, code)).status).toBe(422);
    await ask(world, token);
    for (let nth = 0; nth < 4; nth++) await verify(world, token, wrongOf(codeIn(world)));
    expect((await verify(world, token, codeIn(world))).status).toBe(200);
  });

  it('proves only the account to whose address it was mailed', async () => {
    const { world, token } = await setUp();
    const other = await registerPatient(world);
    await ask(world, other.token);
    const code = codeIn(world);
    await ask(world, token);
    expect((await verify(world, token, code)).status).toBe(422);
    expect((await verify(world, other.token, code)).status).toBe(200);
    expect(await isProved(world, token)).toBe(false);
  });

  it('is not sent any more once it is of no use', async () => {
    const { world, token } = await setUp();
    world.deps.mailer.send = async () => {
      throw new Error('gangguan');
    };
    world.deps.log = { ...world.deps.log, warn: () => {} };
    await ask(world, token);
    await ask(world, token);
    const sent: string[] = [];
    world.deps.mailer.send = async ({ id }) => void sent.push(id);
    world.clock.now += 15_000;
    await sendDueMail(world.deps);
    const rows = await world.db.select().from(mailOutbox);
    expect(rows.filter(({ lastError }) => lastError === 'Obsolete')).toHaveLength(1);
    expect(sent).toHaveLength(1);
  });

  it('is good after the secret was rotated, whether it was mailed before or not yet', async () => {
    const { world, token } = await setUp();
    const send = world.deps.mailer.send;
    world.deps.mailer.send = async () => {
      throw new Error('gangguan');
    };
    world.deps.log = { ...world.deps.log, warn: () => {} };
    await ask(world, token);
    world.deps.mailer.send = send;
    world.deps.tokenKeys = await createTokenKeys(
      await findKeys('another-secret-that-is-used-by-tests-only-98765', secret),
    );
    world.clock.now += 15_000;
    await sendDueMail(world.deps);
    expect((await verify(world, token, codeIn(world))).status).toBe(200);
  });

  it('is asked for and tried so often and no more, with the headers that say when to go on', async () => {
    const { world, token } = await setUp({ RATE_LIMIT: 'on' });
    const statuses: number[] = [];
    for (let nth = 0; nth < 4; nth++) statuses.push((await ask(world, token)).status);
    expect(statuses).toEqual([202, 202, 202, 429]);
    const tries: number[] = [];
    for (let nth = 0; nth < 11; nth++) tries.push((await verify(world, token, '0000 0000')).status);
    expect(tries.filter((status) => status === 422)).toHaveLength(10);
    const refused = await verify(world, token, '0000 0000');
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(refused.headers.get('RateLimit-Policy')).toMatch(/^"email-verify/);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
  });
});
