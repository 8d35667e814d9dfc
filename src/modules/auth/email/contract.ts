import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { emailCode } from '../code-fields.ts';

export const SendEmailCode = endpoint({
  method: 'post',
  path: '/v1/auth/email/code',
  tag: 'auth',
  summary: 'Ask for a mail that proves the e-mail',
  description:
    'The mail holds a code of eight digits that is good once, for 30 minutes, and takes the place of any before it. Registration sends the first one by itself where mail can leave.',
  access: 'bearer',
  returns: {
    202: {
      description: 'A mail is on its way.',
      message: {
        id: 'Kode verifikasi telah kami kirim ke email Anda.',
        en: 'We have sent a code to your e-mail.',
      },
    },
  },
  fails: ['email_missing', 'email_already_proved', 'rate_limited'],
});

export const VerifyEmail = endpoint({
  method: 'post',
  path: '/v1/auth/email/verify',
  tag: 'auth',
  summary: 'Prove the e-mail by the code from the mail',
  description:
    'Five wrong codes void the one that was mailed. An account whose e-mail is proved is answered 200 whatever the code.',
  access: 'bearer',
  body: () =>
    z.object({
      code: emailCode(),
    }),
  returns: {
    200: {
      description: 'The e-mail is proved.',
      message: { id: 'Email Anda berhasil diverifikasi.', en: 'Your e-mail is proved.' },
    },
  },
  fails: ['email_missing', 'email_code_invalid', 'rate_limited'],
});
