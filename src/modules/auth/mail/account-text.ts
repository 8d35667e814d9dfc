import { hourMs } from '../../../core/clinic/durations.ts';
import { setupTtlMs } from '../rules.ts';
import { emailCodeTtlMs } from './email-code-rules.ts';
import { dear, type Letters, yth } from './greeting.ts';

const minutes = emailCodeTtlMs / 60_000;
const hours = setupTtlMs / hourMs;

const spaced = (code: string): string => code.replace(/^(\d{4})(\d{4})$/, '$1 $2');

export const emailCode: Letters = {
  id: ({ name, key, link }) => ({
    subject: 'Verifikasi email Anda',
    text: `${yth(name)}

Silakan gunakan kode berikut untuk memverifikasi email Anda:

${spaced(key)}
${link == null ? '' : `\nAtau buka tautan berikut pada perangkat tempat Anda masuk:\n\n${link}\n`}
Kode ini berlaku selama ${minutes} menit dan hanya dapat digunakan satu kali. Jangan berikan kode ini kepada siapa pun.

Jika Anda tidak membuat akun di klinik kami, abaikan email ini.
`,
  }),
  en: ({ name, key, link }) => ({
    subject: 'Verify your e-mail',
    text: `${dear(name)}

Please use this code to verify your e-mail:

${spaced(key)}
${link == null ? '' : `\nOr open this link on the device on which you are logged in:\n\n${link}\n`}
The code is valid for ${minutes} minutes and can be used only once. Please give it to nobody.

If you did not create an account at our clinic, please ignore this e-mail.
`,
  }),
};

export const passwordSetup: Letters = {
  id: ({ name, key, isLink }) => ({
    subject: 'Buat kata sandi untuk akun klinik Anda',
    text: `${yth(name)}

Admin klinik telah memberikan hak akses baru kepada akun Anda. Demi keamanan, silakan ${
      isLink
        ? 'buka tautan berikut untuk membuat kata sandi:'
        : 'gunakan kode berikut untuk membuat kata sandi:'
    }

${key}

${isLink ? 'Tautan' : 'Kode'} ini berlaku selama ${hours} jam dan hanya dapat digunakan satu kali. Kata sandi lama, jika ada, tidak berlaku lagi.

Jika Anda tidak mengenal klinik kami, abaikan email ini.
`,
  }),
  en: ({ name, key, isLink }) => ({
    subject: 'Choose a password for your account at the clinic',
    text: `${dear(name)}

An admin of the clinic has given your account new rights. To keep it safe, please ${
      isLink ? 'open this link to choose a password:' : 'use this code to choose a password:'
    }

${key}

The ${isLink ? 'link' : 'code'} is valid for ${hours} hours and can be used only once. An earlier password, if there was one, is no longer valid.

If you do not know our clinic, please ignore this e-mail.
`,
  }),
};
