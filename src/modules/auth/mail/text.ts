import { minutesInWords } from '../../../core/endpoint/sentences.ts';
import { resetTtlMinutes } from '../rules.ts';
import { emailCode, passwordSetup } from './account-text.ts';
import { dear, type Letters, yth } from './greeting.ts';
import {
  accountsJoined,
  emailChangeAsked,
  loginPhoneChanged,
  newDevice,
  recordAdded,
} from './notice-text.ts';

const lifetime = minutesInWords(resetTtlMinutes);

const passwordReset: Letters = {
  id: ({ name, key, isLink }) => ({
    subject: 'Atur ulang kata sandi Anda',
    text: `${yth(name)}

Kami menerima permintaan untuk mengatur ulang kata sandi akun Anda. ${
      isLink
        ? 'Silakan buka tautan berikut untuk membuat kata sandi baru:'
        : 'Silakan gunakan kode berikut untuk membuat kata sandi baru:'
    }

${key}

${isLink ? 'Tautan' : 'Kode'} ini berlaku selama ${lifetime.id} sejak permintaan Anda dan hanya dapat digunakan satu kali.

Jika Anda tidak memintanya, abaikan email ini. Kata sandi Anda tidak berubah.
`,
  }),
  en: ({ name, key, isLink }) => ({
    subject: 'Reset your password',
    text: `${dear(name)}

We received a request to reset the password of your account. ${
      isLink
        ? 'Please open this link to choose a new password:'
        : 'Please use this code to choose a new password:'
    }

${key}

The ${isLink ? 'link' : 'code'} is valid for ${lifetime.en} from your request and can be used only once.

If you did not ask for this, please ignore this e-mail. Your password has not changed.
`,
  }),
};

const passwordChanged: Letters = {
  id: ({ name }) => ({
    subject: 'Kata sandi Anda telah diubah',
    text: `${yth(name)}

Kata sandi akun Anda baru saja diubah, dan Anda telah keluar dari semua perangkat lain.

Jika bukan Anda yang mengubahnya, segera atur ulang kata sandi Anda dan hubungi klinik.
`,
  }),
  en: ({ name }) => ({
    subject: 'Your password was changed',
    text: `${dear(name)}

The password of your account has just been changed, and you were logged out of all other devices.

If this was not you, please reset your password at once and contact the clinic.
`,
  }),
};

/** The text of each kind of mail in both languages. */
export const letters = {
  password_reset: passwordReset,
  password_changed: passwordChanged,
  password_setup: passwordSetup,
  email_code: emailCode,
  email_change: emailCode,
  email_change_asked: emailChangeAsked,
  login_phone_changed: loginPhoneChanged,
  new_device: newDevice,
  record_added: recordAdded,
  accounts_joined: accountsJoined,
} as const;
