import { fromBase64Url, toBase64Url } from './base64url.ts';

export type HmacKey = CryptoKey;

const encoder = new TextEncoder();
const algorithm = { name: 'HMAC', hash: 'SHA-256' } as const;

// Uses WebCrypto, because loading node:crypto would slow down a Worker's start.

export const importHmacKey = (bytes: Uint8Array<ArrayBuffer>): Promise<HmacKey> =>
  crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify']);

/** HMAC-SHA-256 of the text's UTF-8, base64url. */
export const hmac = async (key: HmacKey, text: string): Promise<string> =>
  toBase64Url(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));

/** Whether `mac` is the HMAC-SHA-256 of the text's UTF-8, base64url; how much of it is right does not show in the time. */
export const isHmac = (key: HmacKey, text: string, mac: string): Promise<boolean> =>
  crypto.subtle.verify('HMAC', key, fromBase64Url(mac), encoder.encode(text));

/** SHA-256 of the text's UTF-8, base64url. */
export const sha256 = async (text: string): Promise<string> =>
  toBase64Url(await crypto.subtle.digest('SHA-256', encoder.encode(text)));
