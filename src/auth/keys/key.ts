import { sha256 } from '#hmac';
import { fromBase64Url, toBase64Url } from '../../crypto/base64url.ts';
import type { ClinicIdentity } from '../../crypto/clinic-keys.ts';
import { hexadecimal } from '../../idempotency/key.ts';
import { keyStart } from '../bearer.ts';
import { hashToken } from '../refresh-token.ts';

// 24 random bytes and a checksum, by which scanners tell a key from text that looks like one.
const form = new RegExp(`^(${keyStart}[\\w-]{32})([\\w-]{6})$`);

/** How much of a key is stored and shown: too little to be of use. */
const shownLength = keyStart.length + 4;

type Clinic = Pick<ClinicIdentity, 'clinicId'>;

/** What a presented key says of itself; whether it stands, the database knows. */
export interface KeyClaims {
  /** The key's id: it acts under it as a person acts under theirs. */
  userId: string;
  hash: string;
}

const checksumOf = async (text: string): Promise<string> => (await sha256(text)).slice(0, 6);

/** A UUID (version 8, RFC 9562) that is part of a hash. */
const idIn = (hash: string): string =>
  hexadecimal(fromBase64Url(hash)).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-8$3-8$4-$5');

/**
 * Its 192 random bits cannot be guessed, so SHA-256 is enough, and to look the hash up takes the same time whatever was
 * presented.
 */
const claimsAt = async (clinic: Clinic, key: string): Promise<KeyClaims> => {
  const hash = await hashToken(clinic, key);
  return { userId: idIn(hash), hash };
};

interface NewKey extends KeyClaims {
  key: string;
  /** Its first characters. */
  prefix: string;
}

/** A new key as its holder has it, and what a clinic knows it by. */
export const newKey = async (clinic: Clinic): Promise<NewKey> => {
  const text = `${keyStart}${toBase64Url(crypto.getRandomValues(new Uint8Array(24)))}`;
  const key = text + (await checksumOf(text));
  return { key, prefix: key.slice(0, shownLength), ...(await claimsAt(clinic, key)) };
};

/** The hash of a key at a clinic, and the id in it; null for a text that is no key. */
export const keyClaims = async (clinic: Clinic, key: string): Promise<KeyClaims | null> => {
  const [, text, checksum] = form.exec(key) ?? [];
  const isKey = text !== undefined && checksum === (await checksumOf(text));
  return isKey ? claimsAt(clinic, key) : null;
};
