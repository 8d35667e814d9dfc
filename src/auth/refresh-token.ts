import { sha256 } from '#hashing';
import { toBase64Url } from '../encoding.ts';

/** A refresh token as the client holds it: 256 random bits, base64url. */
export const newRefreshToken = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(32)));

/** What is stored of a refresh token: SHA-256, which suffices for a secret that cannot be guessed. */
export const hashRefreshToken = async (token: string): Promise<string> => sha256(token);
