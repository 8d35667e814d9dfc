import { createHash, createHmac } from 'node:crypto';

export type HmacKey = Uint8Array;

// Synchronous: a login needs about six of these, and WebCrypto would wait for a pool thread each time.

export const importHmacKey = (bytes: Uint8Array): HmacKey => bytes;

/** HMAC-SHA-256 of the text's UTF-8, base64url. */
export const hmac = (key: HmacKey, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');

/** SHA-256 of the text's UTF-8, base64url. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');
