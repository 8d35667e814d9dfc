// Pure: how long an operator stays logged in, and how often somebody may try.

const minute = 60_000;

/** A login ends after so long without a request, and at the latest after so long. */
export const idleMs = 30 * minute;
export const longestMs = 8 * 60 * minute;

/** How often the use of a login is written down, in milliseconds. */
export const noteUseMs = minute;

/** What operators did is kept for 400 days. */
export const actsTtlMs = 400 * 24 * 60 * minute;

/** When a login ends that was used at an instant and began at another. */
export const endOfLogin = ({ createdAt, usedAt }: { createdAt: number; usedAt: number }): number =>
  Math.min(usedAt + idleMs, createdAt + longestMs);

/** How long attempts count, from the first one on. */
export const windowMs = 15 * minute;

/** How many attempts there may be in that time: at an account from one network, at an account, and from a network. */
export const mostAttempts = { pair: 5, account: 20, network: 50 } as const;
export type AttemptScope = keyof typeof mostAttempts;

interface Counted {
  scope: AttemptScope;
  count: number;
  until: number;
}

/** How many seconds to wait before the next attempt; 0 if this one is allowed. */
export const secondsToWait = (counted: readonly Counted[], now: number): number =>
  Math.max(
    0,
    ...counted
      .filter(({ scope, count }) => count > mostAttempts[scope])
      .map(({ until }) => Math.ceil((until - now) / 1000)),
  );

/** How many clinics a page of the list has. */
export const clinicsOfPage = 25;
