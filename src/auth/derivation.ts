import { toBase64Url } from '../encoding.ts';

const encoder = new TextEncoder();
const hmac = { name: 'HMAC', hash: 'SHA-256' } as const;

/** What a derived value is for: the same text gives unrelated values for different purposes. */
export type Purpose = 'refresh' | 'password-reset' | 'network' | 'throttle';

const importKey = (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey('raw', bytes, hmac, false, ['sign']);

/** A key of its own from a server secret, so that no derived value can pass for a token's signature. */
export const derivationKey = async (secret: string): Promise<CryptoKey> => {
  const parent = await importKey(encoder.encode(secret));
  return importKey(await crypto.subtle.sign('HMAC', parent, encoder.encode('janji derivation')));
};

const deriveWith = async (key: CryptoKey, purpose: Purpose, text: string): Promise<string> =>
  toBase64Url(await crypto.subtle.sign('HMAC', key, encoder.encode(`${purpose}\n${text}`)));

interface Keys {
  derivation: readonly CryptoKey[];
}

/** HMAC-SHA-256 of the text under the current server key, base64url. */
export const derive = ({ derivation: [current] }: Keys, purpose: Purpose, text: string): Promise<string> => {
  if (current === undefined) throw new Error('There is no derivation key.');
  return deriveWith(current, purpose, text);
};

/** The same under every key in force, the current one first: what was derived before a rotation is found again. */
export const deriveEach = ({ derivation }: Keys, purpose: Purpose, text: string): Promise<string[]> =>
  Promise.all(derivation.map((key) => deriveWith(key, purpose, text)));
