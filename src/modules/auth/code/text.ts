import type { Language } from '../../../core/endpoint/messages.ts';
import { dear, yth } from '../mail/greeting.ts';
import { loginCodeTtlMinutes as minutes } from './rules.ts';

const spaced = (code: string): string => code.replace(/^(\d{3})(\d{3})$/, '$1 $2');

/** The mail with a code to log in. It greets nobody by name: there may be no account. */
export const writeLoginCode = (code: string): Record<Language, { subject: string; text: string }> => ({
  id: {
    subject: 'Kode untuk masuk',
    text: `${yth('')}

Silakan gunakan kode berikut untuk masuk ke klinik kami:

${spaced(code)}

Kode ini berlaku selama ${minutes} menit dan hanya dapat digunakan satu kali. Jangan berikan kode ini kepada siapa pun; klinik tidak pernah menanyakannya.

Jika Anda tidak memintanya, abaikan email ini.
`,
  },
  en: {
    subject: 'Your code to log in',
    text: `${dear('')}

Please use this code to log in at our clinic:

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
