import { describe, expect, it } from 'vitest';
import { logMailer, MailRefused } from '../../src/core/mailer.ts';
import { letters } from '../../src/modules/auth/mail/text.ts';
import { from, openBox } from '../support/mailbox.ts';
import { createWorld } from '../support/world.ts';

const letter = {
  id: '22222222-2222-4222-8222-222222222222',
  to: 'pasien@klinik.example',
  subject: 'Atur ulang kata sandi Anda',
  text: 'Yth. Putri,\n\nkode-rahasia\n',
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

  it('contains no link that somebody registered as a name', () => {
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
