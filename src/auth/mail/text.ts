import type { Language } from '../../messages.ts';

interface Told {
  name: string;
  /** What sets the new password: a link, or the code itself. */
  key: string;
}

interface Letter {
  subject: string;
  text: string;
}

type Letters = Readonly<Record<Language, (told: Told) => Letter>>;

const passwordReset: Letters = {
  id: ({ name, key }) => ({
    subject: 'Atur ulang kata sandi Anda',
    text: `Yth. ${name},

Kami menerima permintaan untuk mengatur ulang kata sandi akun Anda. Gunakan tautan atau kode berikut dalam 30 menit:

${key}

Jika Anda tidak memintanya, abaikan email ini. Kata sandi Anda tidak berubah.
`,
  }),
  en: ({ name, key }) => ({
    subject: 'Reset your password',
    text: `Dear ${name},

We received a request to reset the password of your account. Please use this link or code within 30 minutes:

${key}

If you did not ask for this, please ignore this e-mail. Your password has not changed.
`,
  }),
};

const passwordChanged: Letters = {
  id: ({ name }) => ({
    subject: 'Kata sandi Anda telah diubah',
    text: `Yth. ${name},

Kata sandi akun Anda baru saja diubah, dan perangkat lain telah dikeluarkan.

Jika bukan Anda yang mengubahnya, segera atur ulang kata sandi Anda dan hubungi klinik.
`,
  }),
  en: ({ name }) => ({
    subject: 'Your password was changed',
    text: `Dear ${name},

The password of your account has just been changed, and your other devices were logged out.

If this was not you, please reset your password at once and contact the clinic.
`,
  }),
};

/** What each kind of mail says, in the language of whoever asked for it. */
export const letters = { password_reset: passwordReset, password_changed: passwordChanged } as const;
