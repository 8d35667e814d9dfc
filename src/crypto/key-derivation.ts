import { type HmacKey, hmac, importHmacKey } from '#hmac';
import { fromBase64Url } from './base64url.ts';

/** What a derived value is for: the same text gives unrelated values for different purposes. */
export type Purpose =
  | 'refresh'
  | 'password-reset'
  | 'network'
  | 'throttle'
  | 'device'
  | 'email-code'
  | 'email-proof';

/** A key of its own from a server secret, so that no derived value can pass for a token's signature. */
export const derivationKey = async (secret: string): Promise<HmacKey> => {
  const parent = await importHmacKey(new TextEncoder().encode(secret));
  return importHmacKey(fromBase64Url(await hmac(parent, 'janji derivation')));
};

const deriveWith = async (key: HmacKey, purpose: Purpose, text: string): Promise<string> =>
  hmac(key, `${purpose}\n${text}`);

interface Keys {
  derivation: readonly HmacKey[];
}

/** HMAC-SHA-256 of the text under the current server key, base64url. */
export const derive = ({ derivation: [current] }: Keys, purpose: Purpose, text: string): Promise<string> => {
  if (current === undefined) throw new Error('There is no derivation key.');
  return deriveWith(current, purpose, text);
};

/** The same under every key in force, the current one first: what was derived before a rotation is found again. */
export const deriveEach = ({ derivation }: Keys, purpose: Purpose, text: string): Promise<string[]> =>
  Promise.all(derivation.map((key) => deriveWith(key, purpose, text)));
