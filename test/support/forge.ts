import { fromBase64Url, toBase64Url } from '../../src/core/crypto/base64url.ts';
import { findKeys, secret as ownSecret } from './world.ts';

const encoder = new TextEncoder();
const encoded = (value: unknown): string =>
  toBase64Url(encoder.encode(typeof value === 'string' ? value : JSON.stringify(value)));
const decoded = (part: string | undefined): Record<string, unknown> =>
  JSON.parse(new TextDecoder().decode(fromBase64Url(part ?? '')));

export interface Forgery {
  /** Overrides members of the header; `undefined` removes one. */
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  /** Instead of the claims: whatever text, made from the genuine one. */
  payload?: (genuine: string) => string;
  secret?: string;
  /** Whether the secret is bound to the tests' clinic first, as the service does. */
  isBound?: boolean;
  hash?: 'SHA-256' | 'SHA-384' | 'SHA-512';
  /** Instead of a signature. */
  signature?: string;
}

/** A genuine token with changes, signed again with the real secret unless another is given. */
export const forged = async (token: string, changes: Forgery): Promise<string> => {
  const {
    header = {},
    claims = {},
    payload,
    secret = ownSecret,
    isBound = true,
    hash = 'SHA-256',
    signature,
  } = changes;
  const [ownHeader, ownPayload] = token.split('.');
  const head = encoded({ ...decoded(ownHeader), ...header });
  const genuine = { ...decoded(ownPayload), ...claims };
  const body = encoded(payload === undefined ? genuine : payload(JSON.stringify(genuine)));
  const text = isBound ? ((await findKeys(secret)).secrets[0]?.text ?? '') : secret;
  const key = await crypto.subtle.importKey('raw', encoder.encode(text), { name: 'HMAC', hash }, false, [
    'sign',
  ]);
  const made = toBase64Url(await crypto.subtle.sign('HMAC', key, encoder.encode(`${head}.${body}`)));
  return `${head}.${body}.${signature ?? made}`;
};

export const claimsOf = (token: string): Record<string, unknown> => decoded(token.split('.')[1]);
export const headerOf = (token: string): Record<string, unknown> => decoded(token.split('.')[0]);
