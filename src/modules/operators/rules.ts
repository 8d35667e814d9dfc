// Pure: how long an operator stays logged in, and how often somebody may try.

import { hourMs, minuteMs } from '../../core/clinic/durations.ts';

/** A login ends after so long without a request, and at the latest after so long. */
export const idleMs = 30 * minuteMs;
export const longestMs = 8 * 60 * minuteMs;

/** How often the use of a login is written down, in milliseconds. */
export const noteUseMs = minuteMs;

/** What operators did is kept for 400 days. */
export const actsTtlMs = 400 * 24 * 60 * minuteMs;

/** When a login ends that was used at an instant and began at another. */
export const endOfLogin = ({ createdAt, usedAt }: { createdAt: number; usedAt: number }): number =>
  Math.min(usedAt + idleMs, createdAt + longestMs);

/** How long attempts count, from the first one on. */
export const windowMs = 15 * minuteMs;

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

/** How long the link is good that proves the e-mail of a clinic that signs up. */
export const proofTtlMs = 24 * hourMs;
/** How long a clinic that has proved its e-mail waits for a decision, at most. */
export const decisionTtlMs = 90 * 24 * hourMs;
/** How long somebody may take to add the clinic of a request before another may. */
export const claimMs = minuteMs;

/** How many requests there may be in a day: from a network, and mails to an e-mail. */
export const signupsWindowMs = 24 * hourMs;
export const mostSignups = { network: 10, email: 3 } as const;
/** How many may wait in all: a flood of them ends here. */
export const mostWaiting = 500;
