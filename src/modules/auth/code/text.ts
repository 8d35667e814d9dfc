import type { Language } from '../../../core/endpoint/messages.ts';
import { dear, yth } from '../mail/greeting.ts';
import { loginCodeTtlMinutes as minutes } from './rules.ts';

const spaced = (code: string): string => code.replace(/^(\d{3})(\d{3})$/, '$1 $2');

/** What a mailed code is for: to log in, or to confirm who is there. */
export type CodeUse = 'login' | 'confirm';

const uses = {
  login: {
    id: { subject: 'Kode untuk masuk', to: 'untuk masuk ke klinik kami' },
    en: { subject: 'Your code to log in', to: 'to log in at our clinic' },
  },
  confirm: {
    id: {
      subject: 'Kode konfirmasi',
      to: 'untuk mengonfirmasi bahwa Anda yang menggunakan akun klinik Anda',
    },
    en: {
      subject: 'Your code to confirm',
      to: 'to confirm that it is you who uses your account at our clinic',
    },
  },
} as const;

/** The mail with a code. It greets nobody by name: there may be no account. */
export const writeLoginCode = (
  code: string,
  use: CodeUse = 'login',
): Record<Language, { subject: string; text: string }> => ({
  id: {
    subject: uses[use].id.subject,
    text: `${yth('')}

Silakan gunakan kode berikut ${uses[use].id.to}:

${spaced(code)}

Kode ini berlaku selama ${minutes} menit dan hanya dapat digunakan satu kali. Jangan berikan kode ini kepada siapa pun; klinik tidak pernah menanyakannya.

Jika Anda tidak memintanya, abaikan email ini.
`,
  },
  en: {
    subject: uses[use].en.subject,
    text: `${dear('')}

Please use this code ${uses[use].en.to}:

${spaced(code)}

The code is valid for ${minutes} minutes and can be used only once. Please give it to nobody; the clinic never asks for it.

If you did not ask for it, please ignore this e-mail.
`,
  },
});

/** The message with a code to a phone: a template for authentication, whose one value and button are the code. */
export const loginCodeTemplate = (code: string) => ({
  template: 'janji_login_code',
  parameters: [code],
  button: code,
});
