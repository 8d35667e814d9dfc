import { decodeBase64Url, encodeBase64Url } from 'hono/utils/encode';

/** Base64url without padding (RFC 4648, section 5). */
export const toBase64Url = (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): string =>
  encodeBase64Url(bytes instanceof Uint8Array ? bytes.buffer : bytes).replaceAll('=', '');

/** The bytes of base64url text, padded or not; throws for anything else. */
export const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  decodeBase64Url(text) as Uint8Array<ArrayBuffer>;
