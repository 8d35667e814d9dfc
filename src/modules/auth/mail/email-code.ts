import { fromBase64Url } from '../../../core/crypto/base64url.ts';
import { derive, deriveEach } from '../../../core/crypto/key-derivation.ts';
import type { Deps } from '../../../core/deps.ts';
import { codeFrom } from './email-code-rules.ts';

type Keys = Deps['tokenKeys'];

export interface Addressee {
  userId: string;
  email: string;
}

const serialize = ({ userId, email }: Addressee, code: string): string =>
  JSON.stringify([userId, email, code]);

/** The code in a mail: derived from the mail's id, so that it is stored nowhere. */
export const codeOfMail = async (keys: Keys, mailId: string): Promise<string> =>
  codeFrom(fromBase64Url(await derive(keys, 'email-code', mailId)));

/** The same under every key in force. */
export const codesOfMail = async (keys: Keys, mailId: string): Promise<string[]> =>
  (await deriveEach(keys, 'email-code', mailId)).map((text) => codeFrom(fromBase64Url(text)));

/** The stored hash of a code. It has a key, because eight digits are easy to guess, and fits one account and address. */
export const hashCode = (keys: Keys, to: Addressee, code: string): Promise<string> =>
  derive(keys, 'email-proof', serialize(to, code));

/** The same under every key in force. */
export const hashesOfCode = (keys: Keys, to: Addressee, code: string): Promise<string[]> =>
  deriveEach(keys, 'email-proof', serialize(to, code));
