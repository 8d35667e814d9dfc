import type { Sentence } from '../endpoint/sentences.ts';

/** For somebody who registers with an e-mail that already has an account. */
export const alreadyRegistered = {
  id: 'Email ini sudah terdaftar. Silakan masuk, atau atur ulang kata sandi Anda.',
  en: 'This e-mail is already registered. Please log in, or reset your password.',
} as const satisfies Sentence;
