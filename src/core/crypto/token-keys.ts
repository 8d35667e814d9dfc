import { type HmacKey, importHmacKey } from '#hmac';
import { toBase64Url } from './base64url.ts';
import type { ClinicKeys } from './clinic-keys.ts';
import { derivationKey } from './key-derivation.ts';

/** The claims of a verified access token. Only the database decides whether it is still valid. */
export interface Claims {
  userId: string;
  deviceLoginId: string;
  /** The refresh token that it came with, counted from 0 in its device login; older tokens have none. */
  generation?: number;
}

export interface VerifiedClaims extends Claims {
  expiresAtSeconds: number;
  issuedAtSeconds: number;
  notBeforeSeconds?: number;
}

export interface LiveKey {
  kid: string;
  audience: string;
  endsAt?: number;
  /** The key and what hono/jwt writes into the header; with a JWK it would import the key again for every token. */
  signs: CryptoKey & { kid: string; alg: 'HS256' };
  /** The same key, to verify the signatures of received tokens. */
  verifies: HmacKey;
}

/** The keys in force: the first signs, each verifies. */
export interface TokenKeys extends Pick<ClinicKeys, 'clinicId' | 'hasLegacyKeys'> {
  live: readonly LiveKey[];
  /** Tokens whose signature was verified, so that it is computed once; expiry and revocation still count. */
  verified: Map<string, VerifiedClaims>;
  /** Keys from DATA_KEY, the current one first, which `derive` uses for derived secrets and keyed hashes. */
  derivation: readonly HmacKey[];
}

const liveKey = async ({ text, ...secret }: ClinicKeys['secrets'][number]): Promise<LiveKey> => {
  const bytes = new TextEncoder().encode(text);
  const kid = toBase64Url((await crypto.subtle.digest('SHA-256', bytes)).slice(0, 9));
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes, hmac, false, ['sign']);
  const signs = Object.assign(key, { alg: 'HS256' as const, kid });
  return { ...secret, kid, signs, verifies: await importHmacKey(bytes) };
};

export const createTokenKeys = async ({
  clinicId,
  hasLegacyKeys,
  secrets,
  dataSecrets,
}: ClinicKeys): Promise<TokenKeys> => ({
  clinicId,
  hasLegacyKeys,
  live: await Promise.all(secrets.map(liveKey)),
  verified: new Map(),
  derivation: await Promise.all(dataSecrets.map(derivationKey)),
});
