import type { Deps } from '../../deps.ts';
import type { Role } from '../../endpoint/endpoint.ts';
import { hashToken, newRefreshToken } from '../refresh-token.ts';
import { refreshTokenTtlMs } from '../rules.ts';
import { issueAccessToken } from '../tokens.ts';

/** The device that logs in: the id that it chose, and its User-Agent. */
export interface Device {
  deviceId: string;
  userAgent: string;
}

interface Holder {
  id: string;
  role: Role;
}

/** The refresh token that a device gets, and its number within the device login. */
interface IssuedToken {
  deviceLoginId: string;
  refreshToken: string;
  generation: number;
}

/** The tokens that a client receives. */
export const tokensOf = async (
  deps: Deps,
  { id, role }: Holder,
  { deviceLoginId, refreshToken, generation }: IssuedToken,
  now: number,
) => {
  const ttlSeconds = deps.config.ACCESS_TOKEN_TTL_SECONDS;
  const claims = { userId: id, deviceLoginId, role, generation };
  return {
    access_token: await issueAccessToken(deps.tokenKeys, claims, now, ttlSeconds),
    token_type: 'bearer' as const,
    expires_in: ttlSeconds,
    refresh_token: refreshToken,
  };
};

/** The rows of a new device login, not yet written, and its tokens. */
export const newDeviceLogin = async (deps: Deps, user: Holder, device: Device, now: number) => {
  const id = deps.newId();
  const refreshToken = newRefreshToken();
  const expiresAt = now + refreshTokenTtlMs;
  const [hash, tokens] = await Promise.all([
    hashToken(deps.tokenKeys, refreshToken),
    tokensOf(deps, user, { deviceLoginId: id, refreshToken, generation: 0 }, now),
  ]);
  return {
    login: { id, userId: user.id, ...device, createdAt: now, lastSeenAt: now, expiresAt },
    token: { hash, deviceLoginId: id, generation: 0, issuedAt: now, expiresAt },
    tokens,
  };
};
