import type { Deps } from '../../../core/deps.ts';
import type { Role } from '../../../core/endpoint/endpoint.ts';
import { hashToken, newRefreshToken } from '../refresh-token.ts';
import { loginSpan, tokenTtlMs } from '../rules.ts';
import { newDeviceToken } from '../throttle/device-token.ts';
import { issueAccessToken } from '../tokens.ts';

/** The device that logs in: the id that it chose, and its User-Agent. */
interface Device {
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
export const signTokens = async (
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

/** The header that marks this device as known to the account; a known device keeps its id. */
export const deviceHeader = async (
  { deps, now }: { deps: Deps; now: number },
  account: string,
  device: string | null,
) => ({ 'X-Device-Token': await newDeviceToken(deps.tokenKeys, account, device, now) });

/** The rows of a new device login, not yet written, and its tokens. */
export const newDeviceLogin = async (
  deps: Deps,
  user: Holder,
  device: Device,
  now: number,
  id = deps.newId(),
) => {
  const refreshToken = newRefreshToken();
  const { idleMs, totalMs } = loginSpan(user.role, deps.config);
  const times = { createdAt: now, lastSeenAt: now, idleMs, endsAt: now + totalMs };
  const expiresAt = now + Math.min(idleMs, totalMs);
  const [hash, tokens] = await Promise.all([
    hashToken(deps.tokenKeys, refreshToken),
    signTokens(deps, user, { deviceLoginId: id, refreshToken, generation: 0 }, now),
  ]);
  return {
    login: { id, userId: user.id, ...device, ...times, expiresAt },
    token: {
      hash,
      deviceLoginId: id,
      generation: 0,
      issuedAt: now,
      expiresAt: now + tokenTtlMs(deps.config),
    },
    tokens,
  };
};
