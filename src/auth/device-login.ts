import type { Deps } from '../deps.ts';
import type { Role } from '../endpoint.ts';
import { hashRefreshToken, newRefreshToken } from './refresh-token.ts';
import { refreshTokenTtlMs } from './rules.ts';
import { issueAccessToken } from './tokens.ts';

/** The device that asks: what it calls itself, and what its software says. */
export interface Device {
  deviceId: string;
  userAgent: string;
}

interface Holder {
  id: string;
  role: Role;
}

/** What a client holds of a device login. */
export const tokensOf = async (
  deps: Deps,
  { id, role }: Holder,
  deviceLoginId: string,
  refreshToken: string,
  now: number,
) => {
  const ttlSeconds = deps.config.ACCESS_TOKEN_TTL_SECONDS;
  const claims = { userId: id, deviceLoginId, role };
  return {
    access_token: await issueAccessToken(deps.tokenKeys, claims, now, ttlSeconds),
    token_type: 'bearer' as const,
    expires_in: ttlSeconds,
    refresh_token: refreshToken,
  };
};

/** The rows of a new device login, still to be written, and the tokens that will open it. */
export const newDeviceLogin = async (deps: Deps, user: Holder, device: Device, now: number) => {
  const id = deps.newId();
  const refreshToken = newRefreshToken();
  const expiresAt = now + refreshTokenTtlMs;
  const [hash, tokens] = await Promise.all([
    hashRefreshToken(refreshToken),
    tokensOf(deps, user, id, refreshToken, now),
  ]);
  return {
    login: { id, userId: user.id, ...device, createdAt: now, lastSeenAt: now, expiresAt },
    token: { hash, deviceLoginId: id, generation: 0, issuedAt: now, expiresAt },
    tokens,
  };
};
