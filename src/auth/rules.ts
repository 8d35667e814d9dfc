/** How long a device stays logged in without being used, in milliseconds: 30 days. */
export const refreshTokenTtlMs = 30 * 24 * 60 * 60 * 1000;

/** How long the direct parent of a refresh token may come again in any case, in milliseconds: others may be on their way. */
export const refreshGraceMs = 10_000;

/** How long it may come again while its child is unused, in milliseconds, 24 hours: the answer may have been lost. */
export const lostAnswerMs = 24 * 60 * 60 * 1000;

/** How long a password reset can be used, in milliseconds: 30 minutes. */
export const resetTtlMs = 30 * 60 * 1000;
export const resetTtlMinutes = resetTtlMs / 60_000;

/** How long a password can be set for an account that the clinic gave rights to, in milliseconds: 48 hours. */
export const setupTtlMs = 48 * 60 * 60 * 1000;

/** How old `last_seen_at` may be, in milliseconds, before it is written again: not on every request. */
export const lastSeenAgeMs = 5 * 60 * 1000;

// Far above the 254 characters of any account: normalising a long run of combining marks takes quadratic time.
const maxEmailCodeUnits = 1_016;

/** The form in which an e-mail identifies an account; empty, as nobody's is, for what is too long to be one. */
export const accountEmail = (typed: string): string =>
  typed.length > maxEmailCodeUnits ? '' : typed.trim().normalize('NFKC').toLowerCase();
