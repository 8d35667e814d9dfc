import { sign, verify } from 'hono/jwt';
import type { HmacKey } from '#hmac';
import { fromBase64Url, toBase64Url } from '../crypto/base64url.ts';
import type { ClinicKeys } from '../crypto/clinic-keys.ts';
import { derivationKey } from '../crypto/key-derivation.ts';
import type { Role } from '../endpoint/endpoint.ts';
import type { Claims } from './context.ts';

const issuer = 'janji';
const clockLeewaySeconds = 30;
const maxCachedTokens = 10_000;
const maxTokenLength = 1_024;

interface LiveKey {
  kid: string;
  audience: string;
  /** The key with the header fields that hono/jwt writes. Given a JWK, it would import the key for every token. */
  key: CryptoKey & { kid: string; alg: 'HS256' };
}

/** The keys in force: the first signs, each verifies. */
export interface TokenKeys extends Pick<ClinicKeys, 'clinicId' | 'hasLegacyKeys'> {
  live: readonly LiveKey[];
  /** Tokens whose signature was already verified. Expiry and revocation are still checked each time. */
  verified: Map<string, VerifiedClaims>;
  /** Keys from the same secrets in the same order; `derive` uses them for derived secrets and keyed hashes. */
  derivation: readonly HmacKey[];
}

interface VerifiedClaims extends Claims {
  expiresAtSeconds: number;
  issuedAtSeconds: number;
  notBeforeSeconds?: number;
}

const liveKey = async ({ text, audience }: ClinicKeys['secrets'][number]): Promise<LiveKey> => {
  const bytes = new TextEncoder().encode(text);
  const kid = toBase64Url((await crypto.subtle.digest('SHA-256', bytes)).slice(0, 9));
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes, hmac, false, ['sign', 'verify']);
  return { kid, audience, key: Object.assign(key, { alg: 'HS256' as const, kid }) };
};

export const createTokenKeys = async ({
  clinicId,
  hasLegacyKeys,
  secrets,
}: ClinicKeys): Promise<TokenKeys> => ({
  clinicId,
  hasLegacyKeys,
  live: await Promise.all(secrets.map(liveKey)),
  verified: new Map(),
  derivation: await Promise.all(secrets.map(({ text }) => derivationKey(text))),
});

export interface AccessTokenClaims extends Claims {
  role: Role;
}

/** Makes an HS256 access token (RFC 7519); `ttlSeconds` is its `expires_in`. */
export const issueAccessToken = (
  keys: TokenKeys,
  claims: AccessTokenClaims,
  now: number,
  ttlSeconds: number,
): Promise<string> => {
  const issuedAt = Math.floor(now / 1000);
  const [current] = keys.live;
  if (current === undefined) throw new Error('There is no signing key.');
  const payload = {
    iss: issuer,
    aud: current.audience,
    sub: claims.userId,
    sid: claims.deviceLoginId,
    role: claims.role,
    iat: issuedAt,
    exp: issuedAt + ttlSeconds,
    ...(claims.generation !== undefined && { gen: claims.generation }),
  };
  return sign(payload, current.key, 'HS256');
};

// The last of 43 base64url characters has two unused bits: only the canonical form is accepted (RFC 4648, 3.5).
const compactForm = /^([\w-]+)\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

const headerOf = (token: string): { alg?: unknown; typ?: unknown; kid?: unknown } | null => {
  const encoded = compactForm.exec(token)?.[1];
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(fromBase64Url(encoded ?? '')));
    return typeof header === 'object' ? header : null;
  } catch {
    return null;
  }
};

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

const readClaims = (payload: Record<string, unknown>): VerifiedClaims | null => {
  const { sub, sid, iat, exp, nbf, gen, role } = payload;
  if (typeof sub !== 'string' || typeof sid !== 'string' || typeof role !== 'string') return null;
  if (!isWhole(iat) || !isWhole(exp)) return null;
  const claims = { userId: sub, deviceLoginId: sid, issuedAtSeconds: iat, expiresAtSeconds: exp };
  // These two are optional, but must be valid if present.
  if (nbf !== undefined && !isWhole(nbf)) return null;
  if (gen !== undefined && !isWhole(gen)) return null;
  return {
    ...claims,
    ...(nbf !== undefined && { notBeforeSeconds: nbf }),
    ...(gen !== undefined && { generation: gen }),
  };
};

const verifySignature = async (keys: TokenKeys, token: string): Promise<VerifiedClaims | null> => {
  if (token.length > maxTokenLength) return null;
  const header = headerOf(token);
  if (header?.alg !== 'HS256' || header.typ !== 'JWT') return null;
  const live = keys.live.find(({ kid }) => kid === header.kid);
  if (live === undefined) return null;
  try {
    // hono/jwt's time checks use the machine's clock and accept missing claims, so the checks are made here.
    const { audience: aud } = live;
    const options = { alg: 'HS256', iss: issuer, aud, exp: false, iat: false, nbf: false } as const;
    return readClaims(await verify(token, live.key, options));
  } catch {
    return null;
  }
};

const remember = (keys: TokenKeys, token: string, claims: VerifiedClaims): void => {
  if (keys.verified.size >= maxCachedTokens) {
    const oldest = keys.verified.keys().next().value;
    if (oldest !== undefined) keys.verified.delete(oldest);
  }
  keys.verified.set(token, claims);
};

const inForce = (claims: VerifiedClaims, now: number): Claims | null => {
  const seconds = now / 1000;
  const beginsAt = Math.max(claims.issuedAtSeconds, claims.notBeforeSeconds ?? 0);
  const isInForce = claims.expiresAtSeconds > seconds && beginsAt <= seconds + clockLeewaySeconds;
  return isInForce ? claims : null;
};

const verifyFirst = async (keys: TokenKeys, token: string, now: number): Promise<Claims | null> => {
  const claims = await verifySignature(keys, token);
  if (claims === null) return null;
  remember(keys, token, claims);
  return inForce(claims, now);
};

/**
 * The claims of a token that is genuine and in force at `now`, otherwise null. Synchronous if its signature was verified
 * before. Revocation is checked in the database.
 */
export const verifyAccessToken = (
  keys: TokenKeys,
  token: string,
  now: number,
): Claims | null | Promise<Claims | null> => {
  const known = keys.verified.get(token);
  return known === undefined ? verifyFirst(keys, token, now) : inForce(known, now);
};
