import { fromBase64Url, toBase64Url } from './base64url.ts';

/** A key of 32 bytes as `openssl rand` writes it: in base64, base64url or hex. */
export const keyPattern = /^(?:[\da-f]{64}|[\w+/-]{43}=?)$/i;

const bytesOfHex = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** The canonical form of a key: its bytes in base64url, so that the same key in another notation is equal. */
export const keyText = (given: string): string =>
  toBase64Url(given.length === 64 ? bytesOfHex(given) : fromBase64Url(given));
