import type { Sentence } from '../../core/endpoint/sentences.ts';

/** For a machine whose key no longer opens anything, or never did. */
export const keyRefused = {
  id: 'Kunci API ini tidak berlaku.',
  en: 'This API key is not valid.',
} as const satisfies Sentence;

/** For a program that sends its key or token in another way than this service reads it (RFC 6750, 2.1). */
export const bearerExpected = {
  id: 'Kirim token atau kunci API di header Authorization: Bearer.',
  en: 'Send the token or the API key in the header Authorization: Bearer.',
} as const satisfies Sentence;

/** For somebody who registers with an e-mail that already has an account. */
export const alreadyRegistered = {
  id: 'Email ini sudah terdaftar. Silakan masuk, atau atur ulang kata sandi Anda.',
  en: 'This e-mail is already registered. Please log in, or reset your password.',
} as const satisfies Sentence;
