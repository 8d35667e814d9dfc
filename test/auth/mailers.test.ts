import { describe, expect, inject, it } from 'vitest';
import { sendDueMail } from '../../src/auth/mail/send.ts';
import { letters } from '../../src/auth/mail/text.ts';
import { apiMailer, logMailer, MailRefused } from '../../src/mailer.ts';
import { mailOutbox } from '../../src/tables/mail.ts';
import { createWorld, registerPatient, type World } from '../support/world.ts';

const from = 'Klinik Sehat <klinik@klinik.example>';
const letter = {
  id: '22222222-2222-4222-8222-222222222222',
  to: 'pasien@klinik.example',
  subject: 'Atur ulang kata sandi Anda',
  text: 'Yth. Putri,\n\nkode-rahasia\n',
};

/** A separate mailbox at the mail provider that runs beside the tests. */
const openBox = () => {
  const box = `${inject('mailProvider')}/${crypto.randomUUID()}`;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came.
  const asked = async (): Promise<any[]> => (await fetch(box)).json();
  const mailer = (answer: string, timeoutMs?: number) =>
    apiMailer(`${box}/${answer}`, 'kunci-api', from, timeoutMs);
  return { asked, mailer };
};

const refusalOf = (sending: Promise<void>) =>
  sending.then(
    () => null,
    (error: unknown) => error as Error,
  );

describe("the mailer for a provider's API", () => {
  it('posts one mail as JSON, with the key and an id that every attempt shares', async () => {
    const { asked, mailer } = openBox();
    await mailer('202').send(letter);
    const [one, ...others] = await asked();
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      method: 'POST',
      authorization: 'Bearer kunci-api',
      idempotencyKey: letter.id,
      contentType: 'application/json',
    });
    const { subject, text, to } = letter;
    expect(JSON.parse(one.body)).toEqual({ from, to: [to], subject, text });
  });

  it.each(['400', '401', '422', '429', '500', '503'])(
    'takes %s for a refusal, and quotes none of it',
    async (status) => {
      const { mailer } = openBox();
      const refused = await refusalOf(mailer(status).send(letter));
      expect(refused).toBeInstanceOf(MailRefused);
      expect(refused).toMatchObject({ message: `HTTP ${status}`, final: false });
      expect(JSON.stringify([refused?.cause, refused?.stack])).not.toContain('pasien@');
    },
  );

  it.each([
    ['429-90', 90_000],
    ['429', 0],
    ['503-7200', 3_600_000],
    ['503', 'answer'],
  ])('hears of %s how long to wait', async (answer, heard) => {
    const { mailer } = openBox();
    expect(await refusalOf(mailer(answer).send(letter))).toMatchObject({ heard });
  });

  it('follows no redirect: the key and the mail go where the setting says', async () => {
    const { asked, mailer } = openBox();
    expect((await refusalOf(mailer('redirect').send(letter)))?.message).toBe('HTTP 307');
    expect((await asked()).map(({ path }) => path.split('/')[2])).toEqual(['redirect']);
  });

  it('gives up on a provider that does not answer', async () => {
    const { mailer } = openBox();
    expect((await refusalOf(mailer('hang', 300).send(letter)))?.name).toBe('TimeoutError');
  });
});

describe('the mailer that writes to the log', () => {
  it('writes the whole mail, so that a developer can go on', async () => {
    const lines: unknown[] = [];
    const silent = () => {};
    const log = {
      debug: silent,
      info: silent,
      error: silent,
      warn: (...line: unknown[]) => void lines.push(line),
    };
    await logMailer(log).send(letter);
    const { to, subject, text } = letter;
    expect(lines).toEqual([['mail', { mail_id: letter.id, to, subject, text }]]);
  });
});

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

  it('gives a mail up after ten attempts, and says so', async () => {
    const { world, logged } = await started();
    const { asked, mailer } = openBox();
    const { email, token } = await registerPatient(world);
    world.deps.mailer = mailer('500');
    const password = 'sandi-yang-baru-42';
    const body = { current_password: 'kata-sandi-uji-17', password, password_confirmation: password };
    expect((await world.request('/v1/auth/password', { token, body })).status).toBe(200);
    await Promise.all(world.background.splice(0));
    for (let nth = 0; nth < 15; nth++) {
      world.clock.now += 15 * 60_000;
      await sendDueMail(world.deps);
    }
    expect(await asked()).toHaveLength(10);
    const [mail] = await world.db.select().from(mailOutbox);
    expect(mail).toMatchObject({ attempts: 10, lastError: 'HTTP 500', sentAt: null });
    expect(mail?.failedAt).not.toBeNull();
    expect(logged.filter((line) => line.includes('given up'))).toHaveLength(1);
    expect(logged.join()).not.toContain(email);
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

describe('a letter', () => {
  const letterFields = { name: 'Putri Ayu', key: 'https://klinik.example/sandi#token=abc', isLink: true };

  it('asks in natural Indonesian to open the link, and says for how long it holds', () => {
    expect(letters.password_reset.id(letterFields)).toEqual({
      subject: 'Atur ulang kata sandi Anda',
      text: `Yth. Putri Ayu,

Kami menerima permintaan untuk mengatur ulang kata sandi akun Anda. Silakan buka tautan berikut untuk membuat kata sandi baru:

https://klinik.example/sandi#token=abc

Tautan ini berlaku selama 30 menit sejak permintaan Anda dan hanya dapat digunakan satu kali.

Jika Anda tidak memintanya, abaikan email ini. Kata sandi Anda tidak berubah.
`,
    });
  });

  it('speaks of a code where there is no page for it', () => {
    const { text } = letters.password_reset.id({ ...letterFields, key: 'kode-rahasia', isLink: false });
    expect(text).toContain('gunakan kode berikut');
    expect(text).toContain('\n\nkode-rahasia\n\nKode ini berlaku selama 30 menit');
    expect(text).not.toMatch(/tautan/i);
  });

  it('carries no link that whoever registered wrote as a name', () => {
    for (const name of [
      'Menang! https://evil.example',
      'klik evil.example',
      'www.evil.id',
      'a@evil.id',
      'evil。example',
    ])
      for (const language of ['id', 'en'] as const)
        for (const kind of ['password_reset', 'password_changed'] as const) {
          const { subject, text } = letters[kind][language]({ ...letterFields, name });
          expect(subject + text).not.toMatch(/evil/);
        }
    for (const name of ['Putri\u2028Balas ke evil', '\u202eevil'])
      expect(letters.password_reset.id({ ...letterFields, name }).text).toContain('Yth. Bapak/Ibu,');
    for (const name of ['dr. Sari Wulandari', "Ma'ruf Amin", 'I Gusti N. Rai', 'Siti binti H. Ali'])
      expect(letters.password_reset.id({ ...letterFields, name }).text).toContain(`Yth. ${name},`);
  });

  it.each(['Putri\r\nBcc: semua@klinik.example', 'Putri\nX: y', 'Putri\u0085X'])(
    'cannot be given headers by a name such as %j: nobody gets one',
    async (name) => {
      const world = await createWorld();
      const body = {
        name,
        phone_number: '81234567890',
        phone_country_code: '62',
        email: 'header@klinik.example',
        password: 'kata-sandi-uji-17',
        password_confirmation: 'kata-sandi-uji-17',
      };
      const refused = await world.request('/v1/auth/register', { body });
      expect(refused.status).toBe(422);
      expect(refused.body.errors.name).toHaveLength(1);
    },
  );
});
