import { limitHeaders, type Policy } from '../throttle/rules.ts';

/** How old `last_used_at` may become before it is written again, in milliseconds. */
export const lastUsedAgeMs = 60_000;

/** A key may make this many requests at once; its allowance refills at the same rate a minute. */
export const toLimit = (perMinute: number): Policy => ({
  free: perMinute,
  firstWaitMs: 0,
  drainMs: Math.floor(60_000 / perMinute),
});

/** How long the next request has to wait, in milliseconds, where a counter is empty at `emptyAt`. */
export const computeWait = ({ free, drainMs }: Policy, emptyAt: number, now: number): number =>
  Math.max(0, emptyAt - now - (free - 1) * drainMs);

/** The headers that say how much of its limit a key has left. */
export const buildLimitHeaders = (limit: Policy, emptyAt: number, now: number): Record<string, string> =>
  limitHeaders('requests', limit, { emptyAt, blockedUntil: 0 }, now);

interface Lifetime {
  expiresAt: number | null;
  revokedAt: number | null;
}

/** Whether a key still opens anything. */
export const computeStatus = (
  { expiresAt, revokedAt }: Lifetime,
  now: number,
): 'active' | 'expired' | 'revoked' => {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
};
