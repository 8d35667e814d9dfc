import type { Sentence } from '../endpoint/sentences.ts';

/** For a machine whose key no longer opens anything, or never did. */
export const keyRefused = {
  id: 'Kunci API ini tidak berlaku.',
  en: 'This API key is not valid.',
} as const satisfies Sentence;

/** For somebody who registers with an e-mail that already has an account. */
export const alreadyRegistered = {
  id: 'Email ini sudah terdaftar. Silakan masuk, atau atur ulang kata sandi Anda.',
  en: 'This e-mail is already registered. Please log in, or reset your password.',
} as const satisfies Sentence;
