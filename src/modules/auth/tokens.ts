import { decode, sign } from 'hono/jwt';
import { isHmac } from '#hmac';
import type { Claims, LiveKey, TokenKeys, VerifiedClaims } from '../../core/crypto/token-keys.ts';
import type { Role } from '../../core/endpoint/endpoint.ts';

const issuer = 'janji';
const clockLeewaySeconds = 30;
const maxCachedTokens = 10_000;
const maxTokenLength = 1_024;

interface AccessTokenClaims extends Claims {
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
  return sign(payload, current.signs, 'HS256');
};

// The last of 43 base64url characters has two unused bits: only the canonical form is accepted (RFC 4648, 3.5).
const compactForm = /^([\w-]+\.[\w-]+)\.([\w-]{42}[AEIMQUYcgkosw048])$/;

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

/** The key that a token's header names; a header that demands more than HS256 is refused (RFC 7515, 4.1.11). */
const keyFor = (keys: TokenKeys, header: object): LiveKey | undefined => {
  const { alg, typ, kid, crit } = header as Record<string, unknown>;
  if (alg !== 'HS256' || typ !== 'JWT' || crit !== undefined) return undefined;
  return keys.live.find((live) => live.kid === kid);
};

const verifySignature = async (keys: TokenKeys, token: string): Promise<VerifiedClaims | null> => {
  if (token.length > maxTokenLength) return null;
  const [, signed, signature] = compactForm.exec(token) ?? [];
  if (signed === undefined || signature === undefined) return null;
  try {
    const { header, payload } = decode(token);
    const live = keyFor(keys, header);
    // Not by hono/jwt's `verify`, which waits for a pool thread on Node: docs/decisions/2026-11-25-token-signatures.md.
    if (live === undefined || !(await isHmac(live.verifies, signed, signature))) return null;
    if (payload.iss !== issuer || payload.aud !== live.audience) return null;
    const claims = readClaims(payload);
    if (claims === null || live.endsAt === undefined) return claims;
    return { ...claims, expiresAtSeconds: Math.min(claims.expiresAtSeconds, live.endsAt / 1000) };
  } catch {
    return null;
  }
};

/** A token's place in the cache is the whole header as clients send it: to cut the token out of it costs more. */
const asSent = (token: string): string => `Bearer ${token}`;

const remember = (keys: TokenKeys, token: string, claims: VerifiedClaims): void => {
  if (keys.verified.size >= maxCachedTokens) {
    const oldest = keys.verified.keys().next().value;
    if (oldest !== undefined) keys.verified.delete(oldest);
  }
  keys.verified.set(asSent(token), claims);
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
 * The claims of an Authorization header that was verified before: null if they are no longer valid; undefined for an
 * unknown header.
 */
export const claimsOfKnown = (
  keys: TokenKeys,
  authorization: string,
  now: number,
): Claims | null | undefined => {
  const known = keys.verified.get(authorization);
  return known && inForce(known, now);
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
  const known = claimsOfKnown(keys, asSent(token), now);
  return known === undefined ? verifyFirst(keys, token, now) : known;
};
