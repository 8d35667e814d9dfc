import { describe, expect, it } from 'vitest';
import { passwordResets } from '../../src/core/tables/accounts.ts';
import { mailOutbox } from '../../src/core/tables/mail.ts';
import { runJobs } from '../../src/jobs/jobs.ts';
import { sendDueMail } from '../../src/modules/auth/mail/send.ts';
import { change, logIn, next, profile, settled } from '../support/account.ts';
import { createWorld, password, registerPatient, type World } from '../support/world.ts';

const forgot = async (world: World, email: string, headers: Record<string, string> = {}) => {
  const answer = await world.request('/v1/auth/password/forgot', { body: { email }, headers });
  await settled(world);
  return answer;
};

const reset = (world: World, token: string, password = next) =>
  world.request('/v1/auth/password/reset', { body: { token, password, password_confirmation: password } });

const tokenIn = (world: World) => /\n([\w-]{43})\n/.exec(world.mails.at(-1)?.text ?? '')?.[1] ?? '';

describe('a forgotten password', () => {
  it('is changed by the token from the mail, which ends every login', async () => {
    const world = await createWorld();
    const { token, email, refreshToken } = await registerPatient(world);
    expect((await forgot(world, email)).status).toBe(202);
    expect(world.mails[0]).toMatchObject({ to: email, subject: 'Atur ulang kata sandi Anda' });
    expect((await reset(world, tokenIn(world))).status).toBe(200);
    expect(await profile(world, token)).toBe(401);
    const refreshed = await world.request('/v1/auth/refresh', { body: { refresh_token: refreshToken } });
    expect(refreshed.status).toBe(401);
    expect((await logIn(world, email)).status).toBe(401);
    expect((await logIn(world, email, next)).status).toBe(200);
  });

  it('is answered alike whether or not anyone has the e-mail, and writes to nobody else', async () => {
    const world = await createWorld();
    const { email } = await registerPatient(world);
    const [known, unknown] = [await forgot(world, email), await forgot(world, 'nobody@klinik.example')];
    const comparable = ({ status, body, headers }: typeof known) => [
      status,
      body,
      [...headers].filter(([name]) => name !== 'x-request-id'),
    ];
    expect(comparable(known)).toEqual(comparable(unknown));
    expect(world.mails).toHaveLength(1);
  });

  it('has a token that is valid once, also for two requests at the same time', async () => {
    const world = await createWorld();
    const { email } = await registerPatient(world);
    await forgot(world, email);
    const token = tokenIn(world);
    const answers = await Promise.all([reset(world, token), reset(world, token, `${next}x`)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(await reset(world, token)).toMatchObject({ status: 422, body: { code: 'reset_token_invalid' } });
  });

  it('has a token that is valid for 30 minutes', async () => {
    const world = await createWorld();
    const { email } = await registerPatient(world);
    await forgot(world, email);
    world.clock.now += 30 * 60_000;
    expect((await reset(world, tokenIn(world))).status).toBe(422);
    await forgot(world, email);
    world.clock.now += 30 * 60_000 - 1;
    expect((await reset(world, tokenIn(world))).status).toBe(200);
  });

  it('is spent by a change of the password', async () => {
    const world = await createWorld();
    const { email, token } = await registerPatient(world);
    await forgot(world, email);
    const mailed = tokenIn(world);
    await change(world, token, password);
    expect((await reset(world, mailed)).status).toBe(422);
  });

  it('keeps the token when the new password is refused', async () => {
    const world = await createWorld();
    const { email } = await registerPatient(world);
    await forgot(world, email);
    expect((await reset(world, tokenIn(world), 'password')).body.errors.password).toHaveLength(1);
    expect((await reset(world, tokenIn(world))).status).toBe(200);
  });

  it('is never stored in plain text', async () => {
    const world = await createWorld();
    const { email } = await registerPatient(world);
    await forgot(world, email);
    const token = tokenIn(world);
    expect(token).toHaveLength(43);
    const stored = [await world.db.select().from(passwordResets), await world.db.select().from(mailOutbox)];
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  it('is the subject of a mail in the language of the request', async () => {
    const world = await createWorld({ PASSWORD_RESET_URL: 'https://klinik.example/sandi' });
    const { email } = await registerPatient(world);
    await forgot(world, email, { 'Accept-Language': 'en' });
    expect(world.mails[0]?.subject).toBe('Reset your password');
    expect(world.mails[0]?.text).toMatch(/\nhttps:\/\/klinik\.example\/sandi#token=[\w-]{43}\n/);
  });
});

describe('mail', () => {
  it('is tried again after a failure, later each time, with the same token and id', async () => {
    const world = await createWorld();
    const { email } = await registerPatient(world);
    const send = world.deps.mailer.send;
    world.deps.log.warn = () => {};
    world.deps.mailer.send = async () => {
      throw new Error('no connection');
    };
    await forgot(world, email);
    world.deps.mailer.send = send;
    await runJobs(world.deps);
    expect(world.mails).toHaveLength(0);
    world.clock.now += 15_000;
    await runJobs(world.deps);
    expect(world.mails).toHaveLength(1);
    expect((await reset(world, tokenIn(world))).status).toBe(200);
  });

  it('is sent once by many senders at the same time', async () => {
    const world = await createWorld();
    const { email } = await registerPatient(world);
    await world.request('/v1/auth/password/forgot', { body: { email } });
    await Promise.all([...world.background, ...Array.from({ length: 10 }, () => sendDueMail(world.deps))]);
    expect(world.mails).toHaveLength(1);
    world.clock.now += 120_000;
    await sendDueMail(world.deps);
    expect(world.mails).toHaveLength(1);
  });

  it('is taken over when its sender died', async () => {
    const world = await createWorld();
    const { email } = await registerPatient(world);
    const send = world.deps.mailer.send;
    const dying = new Promise<void>((reached) => {
      world.deps.mailer.send = () => {
        reached();
        return new Promise(() => {});
      };
    });
    await world.request('/v1/auth/password/forgot', { body: { email } });
    await dying;
    world.background.length = 0;
    world.deps.mailer.send = send;
    await sendDueMail(world.deps);
    expect(world.mails).toHaveLength(0);
    world.clock.now += 60_000;
    await sendDueMail(world.deps);
    expect(world.mails).toHaveLength(1);
  });

  it('is not sent once its token was used', async () => {
    const world = await createWorld();
    const { email, token } = await registerPatient(world);
    world.deps.log.warn = () => {};
    const send = world.deps.mailer.send;
    world.deps.mailer.send = async () => {
      throw new Error('no connection');
    };
    await forgot(world, email);
    world.deps.mailer.send = send;
    await change(world, token, password);
    await settled(world);
    world.clock.now += 60_000;
    await sendDueMail(world.deps);
    expect(world.mails.map(({ subject }) => subject)).toEqual(['Kata sandi Anda telah diubah']);
  });
});
