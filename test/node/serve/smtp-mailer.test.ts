import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Mailer, MailRefused } from '../../../src/core/mailer.ts';
import { mailOutbox } from '../../../src/core/tables/mail.ts';
import { sendDueMail } from '../../../src/modules/auth/mail/send.ts';
import { smtpMailer } from '../../../src/runtime/node/serve/mailer.ts';
import { parseNodeSettings } from '../../../src/runtime/node/settings.ts';
import { type SmtpReceiver, startSmtpReceiver } from '../../support/node/smtp-receiver.ts';
import { createWorld, registerPatient, type World } from '../../support/world.ts';

const from = 'Klinik Sehat <klinik@klinik.example>';
const letter = {
  id: '11111111-1111-4111-8111-111111111111',
  to: 'pasien@klinik.example',
  subject: 'Atur ulang kata sandi Anda',
  text: 'Yth. Putri,\n\nkode-rahasia\n',
};

let smtp: SmtpReceiver;
beforeEach(async () => {
  smtp = await startSmtpReceiver();
});
afterEach(async () => {
  for (const mailer of opened.splice(0)) mailer.close?.();
  await smtp.stop();
});

const opened: Mailer[] = [];
/** A mailer whose connections are let go of after the test. */
const mailerTo: typeof smtpMailer = (...given) => {
  const mailer = smtpMailer(...given);
  opened.push(mailer);
  return mailer;
};

const refusalOf = (sending: Promise<void>) =>
  sending.then(
    () => null,
    (error: unknown) => error as MailRefused,
  );

describe('the SMTP mailer', () => {
  it('sends a mail only to its recipient, with the same Message-ID at every attempt', async () => {
    await mailerTo(`smtp://${smtp.host}`, from).send(letter);
    await mailerTo(`smtp://${smtp.host}`, from).send(letter);
    expect(smtp.received).toHaveLength(2);
    for (const mail of smtp.received) {
      expect(mail).toMatchObject({ from: 'klinik@klinik.example', to: ['pasien@klinik.example'] });
      expect(mail.raw).toContain('From: Klinik Sehat <klinik@klinik.example>\r\n');
      expect(mail.raw).toContain('To: pasien@klinik.example\r\n');
      expect(mail.raw).toContain('Subject: Atur ulang kata sandi Anda\r\n');
      expect(mail.raw).toContain(`Message-ID: <${letter.id}@janji>\r\n`);
      expect(mail.raw).toContain('Yth. Putri,\r\n\r\nkode-rahasia\r\n');
    }
  });

  it.each(['smtp.klinik.example', 'smtp://', 'smtp://a b', 'https://klinik.example'])(
    'is not started with %s, which is no address of the kind',
    (address) => {
      expect(() => parseNodeSettings({ SMTP_URL: address })).toThrow(/^SMTP_URL is not acceptable: /);
    },
  );

  it('logs in where the address names a user', async () => {
    const guarded = await startSmtpReceiver('kunci');
    await mailerTo(`smtp://klinik:kunci@${guarded.host}`, from).send(letter);
    expect(guarded.received[0]?.user).toBe('klinik');
    const refused = await refusalOf(mailerTo(`smtp://klinik:salah@${guarded.host}`, from).send(letter));
    expect(refused).toMatchObject({ name: 'MailRefused', message: 'SMTP EAUTH 535', final: false });
    expect(guarded.received).toHaveLength(1);
    for (const mailer of opened.splice(0)) mailer.close?.();
    await guarded.stop();
  });

  it.each([
    ['a recipient for now', { recipient: 450 }, 'SMTP EENVELOPE 450', false],
    ['a recipient for good', { recipient: 550 }, 'SMTP EENVELOPE 550', true],
    ['a message for now', { data: 451 }, 'SMTP EMESSAGE 451', false],
    ['a message for good', { data: 554 }, 'SMTP EMESSAGE 554', true],
  ] as const)(
    'says when %s is refused, by code and never in words that quote',
    async (_, reply, code, final) => {
      Object.assign(smtp.replies, reply);
      const refused = await refusalOf(mailerTo(`smtp://${smtp.host}`, from).send(letter));
      expect(refused).toBeInstanceOf(MailRefused);
      expect(refused).toMatchObject({ message: code, final });
      expect(JSON.stringify([refused?.message, refused?.cause, refused?.stack])).not.toContain(
        'klinik.example',
      );
    },
  );

  it('keeps its connection for the next mail, and lets go of it at the end', async () => {
    const mailer = mailerTo(`smtp://${smtp.host}`, from);
    for (let times = 0; times < 5; times++) await mailer.send(letter);
    expect(smtp.received).toHaveLength(5);
    expect(smtp.counts()).toEqual({ connections: 1, closed: 0 });
    mailer.close?.();
    await expect.poll(smtp.counts).toEqual({ connections: 1, closed: 1 });
  });

  it.each([
    [421, 0],
    [450, 'answer'],
  ])('tells by %i whether the server takes nothing at all for now', async (recipient, heard) => {
    smtp.replies.recipient = recipient;
    expect((await refusalOf(mailerTo(`smtp://${smtp.host}`, from).send(letter)))?.heard).toBe(heard);
  });

  it('gives up on a server that does not answer, and hangs up, so that nothing is taken in later', async () => {
    smtp.replies.data = 'silent';
    const refused = await refusalOf(mailerTo(`smtp://${smtp.host}`, from, 300).send(letter));
    expect(refused).toBeInstanceOf(MailRefused);
    expect(refused?.final).toBe(false);
    await expect.poll(smtp.counts).toEqual({ connections: 1, closed: 1 });
    expect(smtp.received).toEqual([]);
  });

  it('gives up on a server that says a little again and again, and hangs up', async () => {
    const { promise: hungUp, resolve: hangUp } = Promise.withResolvers<void>();
    const tarpit = createServer((socket) => {
      socket.write('220 mail\r\n');
      const drip = setInterval(() => socket.write('250-mail\r\n'), 20);
      socket
        .on('error', () => {})
        .on('close', () => {
          clearInterval(drip);
          hangUp();
        });
      socket.resume();
    }).listen(0, '127.0.0.1');
    await once(tarpit, 'listening');
    const { port } = tarpit.address() as { port: number };
    const refused = await refusalOf(mailerTo(`smtp://127.0.0.1:${port}`, from, 300).send(letter));
    expect(refused).toMatchObject({ name: 'MailRefused', final: false });
    await hungUp;
    tarpit.close();
  });

  it('sends a password over the network only where the connection is encrypted', async () => {
    let sent = '';
    const plain = createServer((socket) => {
      socket.write('220 mail\r\n');
      socket.on('error', () => {});
      socket.on('data', (bytes: Buffer) => {
        sent += bytes.toString();
        socket.write(sent.includes('STARTTLS') ? '502 no\r\n' : '250-mail\r\n250 AUTH PLAIN LOGIN\r\n');
      });
    }).listen(0, '127.0.0.2');
    await once(plain, 'listening');
    const { port } = plain.address() as { port: number };
    // A name that is no loopback literal, though the machine itself answers.
    const mailer = mailerTo(`smtp://klinik:kunci@[::ffff:127.0.0.2]:${port}`, from, 2_000);
    expect(await refusalOf(mailer.send(letter))).toBeInstanceOf(MailRefused);
    expect(sent).toContain('STARTTLS');
    expect(sent).not.toContain('AUTH');
    plain.close();
  });
});

describe('mail by SMTP, from the request to the server', () => {
  const logged: unknown[][] = [];
  const started = async () => {
    const world = await createWorld({ PASSWORD_RESET_URL: 'https://klinik.example/sandi' });
    world.deps.mailer = mailerTo(`smtp://${smtp.host}`, from);
    logged.length = 0;
    for (const level of ['debug', 'info', 'warn', 'error'] as const)
      world.deps.log[level] = (...line) => void logged.push([level, ...line]);
    return world;
  };
  /** A patient whose first mail, with the code that proves the e-mail, has arrived and is out of the way. */
  const registered = async (world: World, fields?: Record<string, unknown>) => {
    const patient = await registerPatient(world, fields);
    await Promise.all(world.background.splice(0));
    expect(smtp.received.splice(0)).toHaveLength(1);
    return patient;
  };
  const forgot = async (world: World, email: string) => {
    await world.request('/v1/auth/password/forgot', { body: { email } });
    await Promise.all(world.background.splice(0));
  };
  const outbox = async (world: World) =>
    (await world.db.select().from(mailOutbox)).find(({ kind }) => kind === 'password_reset');

  it('brings the link that sets a new password', async () => {
    const world = await started();
    const { email } = await registered(world, { name: 'Putri Ayu Lestari' });
    await forgot(world, email);
    const [mail] = smtp.received;
    expect(mail?.to).toEqual([email]);
    const raw = (mail?.raw ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=');
    expect(raw).toContain('Yth. Putri Ayu Lestari,');
    expect(raw).toContain('30 menit');
    const token = /https:\/\/klinik\.example\/sandi#token=([\w-]{43})\r\n/.exec(raw)?.[1];
    const body = { token, password: 'sandi-yang-baru-42', password_confirmation: 'sandi-yang-baru-42' };
    expect((await world.request('/v1/auth/password/reset', { body })).status).toBe(200);
    await Promise.all(world.background.splice(0));
    expect(smtp.received[1]?.raw).toContain('Subject: Kata sandi Anda telah diubah');
  });

  it('is tried again after a refusal for now, and logs neither the address nor the token', async () => {
    const world = await started();
    const { email } = await registered(world);
    smtp.replies.recipient = 451;
    await forgot(world, email);
    expect(await outbox(world)).toMatchObject({
      attempts: 1,
      lastError: 'SMTP EENVELOPE 451',
      failedAt: null,
    });
    delete smtp.replies.recipient;
    world.clock.now += 15_000;
    await sendDueMail(world.deps);
    expect(smtp.received).toHaveLength(1);
    const logText = JSON.stringify(logged);
    expect(logText).toContain('SMTP EENVELOPE 451');
    expect(logText).not.toContain('klinik.example');
    expect(logText).not.toContain(/#token=([\w-]+)/.exec(smtp.received[0]?.raw ?? '')?.[1] ?? 'no token');
  });

  it('is given up at once when its reader is refused for good', async () => {
    const world = await started();
    const { email } = await registered(world);
    smtp.replies.recipient = 550;
    await forgot(world, email);
    expect((await outbox(world))?.failedAt).toBe(world.clock.now);
    delete smtp.replies.recipient;
    world.clock.now += 20 * 60_000;
    await sendDueMail(world.deps);
    expect(smtp.received).toEqual([]);
    expect(JSON.stringify(logged)).toContain('mail given up');
  });
});
