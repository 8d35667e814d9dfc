/** The requests of a key are counted by the minute. */
const spanMs = 60_000;

/** How old `last_used_at` may become before it is written again, in milliseconds. */
export const lastUsedAgeMs = 60_000;

/** How long the counter of a key takes to forget one request, in whole milliseconds. */
const drainMs = (perMinute: number): number => Math.floor(spanMs / perMinute);

/** When a counter will be empty once one more request is counted; null where there is no room for it. */
export const countedTo = (emptyAt: number, now: number, perMinute: number): number | null => {
  const next = Math.max(emptyAt, now) + drainMs(perMinute);
  return next - now > perMinute * drainMs(perMinute) ? null : next;
};

const inSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** How long a key without room has to wait, in seconds. */
export const secondsToWait = (emptyAt: number, now: number, perMinute: number): number =>
  inSeconds(emptyAt - now - (perMinute - 1) * drainMs(perMinute));

/** The two headers of draft-ietf-httpapi-ratelimit-headers-10. */
export const keyLimitHeaders = (emptyAt: number, now: number, perMinute: number): Record<string, string> => {
  const fullness = Math.max(0, emptyAt - now);
  const left = Math.max(0, perMinute - Math.ceil(fullness / drainMs(perMinute)));
  return {
    'RateLimit-Policy': `"requests";q=${perMinute};w=${spanMs / 1000}`,
    RateLimit: `"requests";r=${left};t=${inSeconds(fullness)}`,
  };
};

interface Lifetime {
  expiresAt: number | null;
  revokedAt: number | null;
}

/** Whether a key still opens anything. */
export const statusOf = (
  { expiresAt, revokedAt }: Lifetime,
  now: number,
): 'active' | 'expired' | 'revoked' => {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
};
