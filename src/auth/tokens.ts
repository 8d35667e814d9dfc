import { sign, verify } from 'hono/jwt';
import type { HmacKey } from '#hashing';
import { fromBase64Url, toBase64Url } from '../encoding.ts';
import type { Role } from '../endpoint.ts';
import type { Claims } from './context.ts';
import { derivationKey } from './derivation.ts';

const issuer = 'janji';
const audience = 'janji';
const clockLeewaySeconds = 30;
const maxCachedTokens = 10_000;
const maxTokenLength = 1_024;

interface LiveKey {
  kid: string;
  /** With what hono/jwt writes into the header; a JWK would be imported anew for every token. */
  key: CryptoKey & { kid: string; alg: 'HS256' };
}

/** The secrets in force: the first signs, each verifies. */
export interface TokenKeys {
  live: readonly LiveKey[];
  /** Tokens whose signature was verified, so that it is computed once; expiry and revocation still count. */
  verified: Map<string, VerifiedClaims>;
  /** From the same secrets, in the same order: what `derive` makes secrets and keyed hashes with. */
  derivation: readonly HmacKey[];
}

interface VerifiedClaims extends Claims {
  expiresAtSeconds: number;
  issuedAtSeconds: number;
}

const liveKey = async (secret: string): Promise<LiveKey> => {
  const bytes = new TextEncoder().encode(secret);
  const kid = toBase64Url((await crypto.subtle.digest('SHA-256', bytes)).slice(0, 9));
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes, hmac, false, ['sign', 'verify']);
  return { kid, key: Object.assign(key, { alg: 'HS256' as const, kid }) };
};

export const createTokenKeys = async (secret: string, previous?: string): Promise<TokenKeys> => {
  const secrets = [secret, ...(previous === undefined ? [] : [previous])];
  return {
    live: await Promise.all(secrets.map(liveKey)),
    verified: new Map(),
    derivation: await Promise.all(secrets.map(derivationKey)),
  };
};

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
    aud: audience,
    sub: claims.userId,
    sid: claims.deviceLoginId,
    role: claims.role,
    iat: issuedAt,
    exp: issuedAt + ttlSeconds,
  };
  return sign(payload, current.key, 'HS256');
};

// The last of 43 base64url characters carries two unused bits: only the canonical one counts (RFC 4648, 3.5).
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

const readClaims = (payload: Record<string, unknown>): VerifiedClaims | null => {
  const { sub, sid, iat, exp, role } = payload;
  if (typeof sub !== 'string' || typeof sid !== 'string' || typeof role !== 'string') return null;
  if (!Number.isSafeInteger(iat) || !Number.isSafeInteger(exp)) return null;
  return { userId: sub, deviceLoginId: sid, issuedAtSeconds: iat as number, expiresAtSeconds: exp as number };
};

const verifySignature = async (keys: TokenKeys, token: string): Promise<VerifiedClaims | null> => {
  if (token.length > maxTokenLength) return null;
  const header = headerOf(token);
  if (header?.alg !== 'HS256' || header.typ !== 'JWT') return null;
  const live = keys.live.find(({ kid }) => kid === header.kid);
  if (live === undefined) return null;
  try {
    // hono/jwt's own time checks read the machine's clock and let absent claims pass: they are made here instead.
    const options = { alg: 'HS256', iss: issuer, aud: audience, exp: false, iat: false, nbf: false } as const;
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
  const isInForce =
    claims.expiresAtSeconds > seconds && claims.issuedAtSeconds <= seconds + clockLeewaySeconds;
  return isInForce ? claims : null;
};

const verifyFirst = async (keys: TokenKeys, token: string, now: number): Promise<Claims | null> => {
  const claims = await verifySignature(keys, token);
  if (claims === null) return null;
  remember(keys, token, claims);
  return inForce(claims, now);
};

/**
 * What the token claims if it is genuine and in force at `now`, otherwise null; at once for a token whose signature was
 * verified before. Revocation is the database's.
 */
export const verifyAccessToken = (
  keys: TokenKeys,
  token: string,
  now: number,
): Claims | null | Promise<Claims | null> => {
  const known = keys.verified.get(token);
  return known === undefined ? verifyFirst(keys, token, now) : inForce(known, now);
};
