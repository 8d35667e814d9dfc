import { fromBase64Url, toBase64Url } from '../../../core/crypto/base64url.ts';
import { derive, deriveEach } from '../../../core/crypto/key-derivation.ts';
import type { TokenKeys } from '../../../core/crypto/token-keys.ts';
import { hexadecimal } from '../../../core/idempotency/key.ts';
import { keyStart, testKeyStart } from '../bearer.ts';
import type { KeyClaims } from '../context.ts';
import { hashToken } from '../refresh-token.ts';

// 24 random bytes, and the mark by which the server knows what it made.
const form = new RegExp(`^((?:${testKeyStart}|${keyStart})[\\w-]{32})([\\w-]{8})$`);
const markLength = 8;

/** How much of a key is stored and shown: too little to be of use. */
const shownBeyondStart = 4;

/** A UUID (version 8, RFC 9562) that is part of a hash. */
const idIn = (hash: string): string =>
  hexadecimal(fromBase64Url(hash)).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-8$3-8$4-$5');

/**
 * Its 192 random bits cannot be guessed, so SHA-256 is enough, and to look the hash up takes the same time whatever was
 * presented.
 */
const claimsAt = async (keys: TokenKeys, key: string, isProved: boolean): Promise<KeyClaims> => {
  const hash = await hashToken(keys, key);
  return { userId: idIn(hash), hash, isProved };
};

interface NewKey extends KeyClaims {
  key: string;
  /** Its first characters. */
  prefix: string;
}

/** A new key as its holder has it, and what a clinic, or its sandbox, knows it by. */
export const newKey = async (keys: TokenKeys, start = keyStart): Promise<NewKey> => {
  const text = `${start}${toBase64Url(crypto.getRandomValues(new Uint8Array(24)))}`;
  const key = text + (await derive(keys, 'api-key', text)).slice(0, markLength);
  return { key, prefix: key.slice(0, start.length + shownBeyondStart), ...(await claimsAt(keys, key, true)) };
};

/**
 * The hash of a key at a clinic, and the id in it; null for an invalid text. After a change of DATA_KEY the old marks
 * are unknown, but the keys stay valid.
 */
export const keyClaims = async (keys: TokenKeys, key: string): Promise<KeyClaims | null> => {
  const [, text, mark = ''] = form.exec(key) ?? [];
  if (text === undefined) return null;
  const own = await deriveEach(keys, 'api-key', text);
  return claimsAt(
    keys,
    key,
    own.some((derived) => derived.startsWith(mark)),
  );
};
