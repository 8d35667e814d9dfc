import type { Sentence } from '../endpoint/sentences.ts';

/** For a machine whose key no longer opens anything, or never did. */
export const keyRefused = {
  id: 'Kunci API ini tidak berlaku.',
  en: 'This API key is not valid.',
} as const satisfies Sentence;

/** For a machine that asks for what wants a person. */
export const forPeopleAlone = {
  id: 'Tindakan ini hanya dapat dilakukan dengan akun, bukan dengan kunci API.',
  en: 'This takes an account, and no API key.',
} as const satisfies Sentence;

/** For somebody who registers with an e-mail that already has an account. */
export const alreadyRegistered = {
  id: 'Email ini sudah terdaftar. Silakan masuk, atau atur ulang kata sandi Anda.',
  en: 'This e-mail is already registered. Please log in, or reset your password.',
} as const satisfies Sentence;
