import { sha256 } from '#hmac';
import { fromBase64Url, toBase64Url } from '../../../core/crypto/base64url.ts';
import { derive, deriveEach, type Purpose } from '../../../core/crypto/key-derivation.ts';
import type { TokenKeys } from '../../../core/crypto/token-keys.ts';

/** Values that a client stores for us and sends back: signed for one purpose, readable, and stored nowhere. */
export const sealText = async (keys: TokenKeys, purpose: Purpose, values: readonly unknown[]) => {
  const text = JSON.stringify(values);
  return `${toBase64Url(new TextEncoder().encode(text))}.${await derive(keys, purpose, text)}`;
};

/** The values that were sealed for this purpose; null unless they are genuine. */
export const openText = async (
  keys: TokenKeys,
  purpose: Purpose,
  given: string,
): Promise<readonly unknown[] | null> => {
  const [encoded = '', signature = ''] = given.split('.');
  let text: string;
  try {
    text = new TextDecoder().decode(fromBase64Url(encoded));
  } catch {
    return null;
  }
  const genuine = await deriveEach(keys, purpose, text);
  // Hashes are compared, so that the time taken reveals nothing about the genuine signature.
  const [sent, ...wanted] = await Promise.all([signature, ...genuine].map(async (one) => sha256(one)));
  return wanted.some((hash) => hash === sent) ? JSON.parse(text) : null;
};
