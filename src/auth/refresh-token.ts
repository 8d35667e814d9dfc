import { sha256 } from '#hmac';
import { toBase64Url } from '../crypto/base64url.ts';
import type { ClinicIdentity } from '../crypto/clinic-keys.ts';

/** A refresh token as the client holds it: 256 random bits, base64url. */
export const newRefreshToken = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(32)));

/**
 * What is stored of a refresh or reset token: SHA-256, which suffices for a secret that cannot be guessed, over the
 * clinic's id as well, so that a copy of the database under another id finds none of them.
 */
export const hashToken = async ({ clinicId }: Pick<ClinicIdentity, 'clinicId'>, token: string) =>
  sha256(`${clinicId}\n${token}`);

/** The hashes under which a token may lie: two in a database that is older than its clinic's id, else twice the same. */
export const tokenHashes = async (clinic: ClinicIdentity, token: string) => {
  const hash = await hashToken(clinic, token);
  return { hash, legacyHash: clinic.hasLegacyKeys ? await sha256(token) : hash };
};
