import { type HmacKey, hmac, importHmacKey } from '#hmac';
import { fromBase64Url } from './base64url.ts';

/** The purpose of a derived value: for different purposes the same text gives unrelated values. */
export type Purpose =
  | 'refresh'
  | 'password-reset'
  | 'network'
  | 'throttle'
  | 'device'
  | 'email-code'
  | 'email-proof'
  | 'login-code'
  | 'hold'
  | 'patient-number'
  | 'claim-code'
  | 'idempotency'
  | 'login-challenge'
  | 'passkey-challenge'
  | 'audit-seal'
  | 'audit-filter'
  | 'api-key'
  | 'calendar-link'
  | 'notice-stop'
  | 'offer-link'
  | 'visit-link'
  | 'cursor';

/** A key for derived values only: with a key from before DATA_KEY, none of them can be used as a token's signature. */
export const derivationKey = async (secret: string): Promise<HmacKey> => {
  const parent = await importHmacKey(new TextEncoder().encode(secret));
  return importHmacKey(fromBase64Url(await hmac(parent, 'janji derivation')));
};

const deriveWith = async (key: HmacKey, purpose: Purpose, text: string): Promise<string> =>
  hmac(key, `${purpose}\n${text}`);

interface Keys {
  derivation: readonly HmacKey[];
}

/** HMAC-SHA-256 of the text under the current data key, base64url. */
export const derive = ({ derivation: [current] }: Keys, purpose: Purpose, text: string): Promise<string> => {
  if (current === undefined) throw new Error('There is no derivation key.');
  return deriveWith(current, purpose, text);
};

/** The same under every active key, the current one first, so that values from before a rotation are still found. */
export const deriveEach = ({ derivation }: Keys, purpose: Purpose, text: string): Promise<string[]> =>
  Promise.all(derivation.map((key) => deriveWith(key, purpose, text)));
