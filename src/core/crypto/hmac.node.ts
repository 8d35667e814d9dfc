import { createHash, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

export type HmacKey = KeyObject;

// Synchronous: WebCrypto would wait for a pool thread each time. A login needs about six of these, and the first request
// with a token one.

export const importHmacKey = (bytes: Uint8Array): HmacKey => createSecretKey(bytes);

/** HMAC-SHA-256 of the text's UTF-8, base64url. */
export const hmac = (key: HmacKey, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');

/** Whether `mac` is the HMAC-SHA-256 of the text's UTF-8, base64url; how much of it is right does not show in the time. */
export const isHmac = (key: HmacKey, text: string, mac: string): boolean => {
  const expected = createHmac('sha256', key).update(text).digest();
  const given = Buffer.from(mac, 'base64url');
  return given.length === expected.length && timingSafeEqual(given, expected);
};

/** SHA-256 of the text's UTF-8, base64url. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');
