import { sha256 } from '#hmac';
import { toBase64Url } from '../../core/crypto/base64url.ts';
import type { ClinicIdentity } from '../../core/crypto/clinic-keys.ts';

/** A refresh token in the client's form: 256 random bits, base64url. */
export const newRefreshToken = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(32)));

/**
 * The stored hash of a refresh or reset token. SHA-256 is enough, because the token cannot be guessed. It includes the
 * clinic's id, so that no token is valid in a copy of the database that became another clinic.
 */
export const hashToken = async ({ clinicId }: Pick<ClinicIdentity, 'clinicId'>, token: string) =>
  sha256(`${clinicId}\n${token}`);

/** The hashes under which a token may be stored. They differ only in a database that is older than its clinic's id. */
export const tokenHashes = async (clinic: ClinicIdentity, token: string) => {
  const hash = await hashToken(clinic, token);
  return { hash, legacyHash: clinic.hasLegacyKeys ? await sha256(token) : hash };
};
