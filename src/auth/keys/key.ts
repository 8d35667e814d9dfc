import { stringify } from 'uuid';
import { sha256 } from '#hmac';
import { fromBase64Url, toBase64Url } from '../../crypto/base64url.ts';
import type { ClinicIdentity } from '../../crypto/clinic-keys.ts';
import { keyStart } from '../bearer.ts';
import { hashToken } from '../refresh-token.ts';

// 24 random bytes and a checksum, by which scanners tell a key from text that looks like one.
const form = new RegExp(`^(${keyStart}[\\w-]{32})([\\w-]{6})$`);

/** How much of a key is stored and shown: too little to be of use. */
const shownLength = keyStart.length + 4;

/** What a presented key says of itself; whether it stands, the database knows. */
export interface KeyClaims {
  /** The key's id: it acts under it as a person acts under theirs. */
  userId: string;
  hash: string;
}

const checksumOf = async (text: string): Promise<string> => (await sha256(text)).slice(0, 6);

/** A key as its holder has it. */
export const newKey = async (): Promise<string> => {
  const text = `${keyStart}${toBase64Url(crypto.getRandomValues(new Uint8Array(24)))}`;
  return text + (await checksumOf(text));
};

export const shownPartOf = (key: string): string => key.slice(0, shownLength);

/** A UUID (version 8, RFC 9562) that is part of a hash. */
const idIn = (hash: string): string => {
  const bytes = fromBase64Url(hash).slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return stringify(bytes);
};

/**
 * The hash of a key at a clinic, and the id in it; null for a text that is no key. Its 192 random bits cannot be guessed,
 * so SHA-256 is enough, and to look the hash up takes the same time whatever was presented.
 */
export const keyClaims = async (
  clinic: Pick<ClinicIdentity, 'clinicId'>,
  key: string,
): Promise<KeyClaims | null> => {
  const [, text, checksum] = form.exec(key) ?? [];
  if (text === undefined || checksum !== (await checksumOf(text))) return null;
  const hash = await hashToken(clinic, key);
  return { userId: idIn(hash), hash };
};
