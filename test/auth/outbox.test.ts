import { describe, expect, it } from 'vitest';
import { hourMs } from '../../src/core/clinic/durations.ts';
import { MailRefused } from '../../src/core/mailer.ts';
import { mailOutbox } from '../../src/core/tables/mail.ts';
import { sendDueMail } from '../../src/modules/auth/mail/send.ts';
import { openBox } from '../support/mailbox.ts';
import { createWorld, registerPatient, type World } from '../support/world.ts';

const forgot = async (world: World, email: string) => {
  await world.request('/v1/auth/password/forgot', { body: { email } });
  await Promise.all(world.background.splice(0));
};

describe('the outbox', () => {
  const started = async () => {
    const world = await createWorld();
    const logged: string[] = [];
    for (const level of ['warn', 'error'] as const)
      world.deps.log[level] = (...line) => void logged.push(JSON.stringify(line));
    return { world, logged };
  };
  it('tries again at a provider that refuses, later each time, until the mail has expired', async () => {
    const { world, logged } = await started();
    const { asked, mailer } = openBox();
    const { email } = await registerPatient(world);
    world.deps.mailer = mailer('503');
    await forgot(world, email);
    const pauses: number[] = [];
    for (let at = 0; at < 30 * 60; at += 15) {
      const before = (await asked()).length;
      world.clock.now += 15_000;
      await sendDueMail(world.deps);
      if ((await asked()).length > before) pauses.push(at + 15);
    }
    expect(pauses).toEqual([15, 45, 105, 225, 465, 945]);
    expect(new Set((await asked()).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(logged.join()).not.toContain(email);
    expect(logged.join()).toContain('HTTP 503');
  });

  const changePassword = async (world: World, token: string) => {
    const password = 'sandi-yang-baru-42';
    const body = { current_password: 'kata-sandi-uji-17', password, password_confirmation: password };
    expect((await world.request('/v1/auth/password', { token, body })).status).toBe(200);
    await Promise.all(world.background.splice(0));
  };

  it('gives a mail up with the last attempt before it expires, and says so', async () => {
    const { world, logged } = await started();
    const { asked, mailer } = openBox();
    const { email, token } = await registerPatient(world);
    world.deps.mailer = mailer('500');
    await changePassword(world, token);
    for (let quarters = 0; quarters < 25 * 4; quarters++) {
      world.clock.now += hourMs / 4;
      await sendDueMail(world.deps);
    }
    const [mail] = await world.db.select().from(mailOutbox);
    expect(mail).toMatchObject({ attempts: 30, lastError: 'HTTP 500', sentAt: null });
    expect(await asked()).toHaveLength(30);
    const { failedAt, expiresAt = 0 } = mail ?? {};
    expect(expiresAt - (failedAt ?? 0)).toBe(hourMs / 4);
    expect(logged.filter((line) => line.includes('given up'))).toHaveLength(1);
    expect(logged.join()).not.toContain(email);
  });

  it('sends what lasts for a day after half a day without a mail server', async () => {
    const { world } = await started();
    const { token } = await registerPatient(world);
    const { mailer } = world.deps;
    world.deps.mailer = openBox().mailer('503');
    await changePassword(world, token);
    for (let quarters = 0; quarters < 12 * 4; quarters++) {
      world.clock.now += hourMs / 4;
      await sendDueMail(world.deps);
    }
    world.deps.mailer = mailer;
    world.clock.now += hourMs;
    await sendDueMail(world.deps);
    expect(world.mails.map(({ subject }) => subject)).toEqual(['Kata sandi Anda telah diubah']);
  });

  it('sends those first that have waited longest, and all that wait', async () => {
    const { world } = await started();
    const waiting = world.deps.mailer;
    world.deps.mailer = { send: () => Promise.reject(new MailRefused('HTTP 503')) };
    const emails: string[] = [];
    for (let nth = 0; nth < 12; nth++) {
      const { email } = await registerPatient(world);
      emails.push(email);
      await forgot(world, email);
      world.clock.now += 1000;
    }
    world.deps.mailer = waiting;
    world.clock.now += 60_000;
    await sendDueMail(world.deps);
    const sent = world.mails.map(({ to }) => to);
    expect([...sent.slice(0, 10)].sort()).toEqual(emails.slice(0, 10).sort());
    expect([...sent.slice(10)].sort()).toEqual(emails.slice(10).sort());
  });

  it('does not send a mail twice when recording its success failed', async () => {
    const { world } = await started();
    const { email } = await registerPatient(world);
    const { mailer } = world.deps;
    world.deps.mailer = {
      send: async (mail) => {
        await mailer.send(mail);
        const { batch } = world.db;
        world.db.batch = async () => {
          world.db.batch = batch;
          throw new Error('the database is gone');
        };
      },
    };
    await world.request('/v1/auth/password/forgot', { body: { email } });
    await expect(Promise.all(world.background.splice(0))).rejects.toThrow('the database is gone');
    const [mail] = await world.db.select().from(mailOutbox);
    expect(world.mails).toHaveLength(1);
    expect(mail?.lastError).toBeNull();
    world.deps.mailer = mailer;
    world.clock.now += 59_000;
    await sendDueMail(world.deps);
    expect(world.mails).toHaveLength(1);
  });
});
