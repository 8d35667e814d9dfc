import lz from 'lz-string';

/** The clinic's account with BPJS. */
export interface BpjsAccount {
  consId: string;
  secret: string;
}

const utf8 = (text: string) => new TextEncoder().encode(text);

/** The signature of a request: HMAC-SHA256 of "consid&timestamp" in base64; the timestamp is in seconds. */
export const signRequest = async ({ consId, secret }: BpjsAccount, timestamp: string): Promise<string> => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', utf8(secret), algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, utf8(`${consId}&${timestamp}`));
  return btoa(String.fromCharCode(...new Uint8Array(signature)));
};

/**
 * The content of an encrypted answer: AES-256-CBC under the SHA-256 of account and timestamp (that of the request, not
 * of the answer), around text that is packed with LZ-String. Throws if it cannot be read.
 */
export const openAnswer = async (
  { consId, secret }: BpjsAccount,
  timestamp: string,
  sealed: string,
): Promise<unknown> => {
  const digest = await crypto.subtle.digest('SHA-256', utf8(`${consId}${secret}${timestamp}`));
  const key = await crypto.subtle.importKey('raw', digest, 'AES-CBC', false, ['decrypt']);
  const algorithm = { name: 'AES-CBC', iv: digest.slice(0, 16) };
  const bytes = Uint8Array.from(atob(sealed), (character) => character.charCodeAt(0));
  const packed = new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, bytes));
  return JSON.parse(lz.decompressFromEncodedURIComponent(packed) ?? '');
};
