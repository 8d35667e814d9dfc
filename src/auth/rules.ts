/** How long a device stays logged in without being used, in milliseconds: 30 days. */
export const refreshTokenTtlMs = 30 * 24 * 60 * 60 * 1000;

/** How long a used refresh token may be sent again in any case, in milliseconds: parallel requests may be under way. */
export const refreshGraceMs = 10_000;

/** How long it may be sent again while its child is unused, in milliseconds: 24 hours, as the answer may be lost. */
export const lostAnswerMs = 24 * 60 * 60 * 1000;

/** How long a password reset can be used, in milliseconds: 30 minutes. */
export const resetTtlMs = 30 * 60 * 1000;
export const resetTtlMinutes = resetTtlMs / 60_000;

/** How long the link for a first password is valid, in milliseconds: 48 hours. */
export const setupTtlMs = 48 * 60 * 60 * 1000;

/** How old `last_seen_at` may become before it is written again, in milliseconds: saves a write on most requests. */
export const lastSeenAgeMs = 5 * 60 * 1000;

// Far above the 254 characters of a valid e-mail: normalising many combining marks takes quadratic time.
const maxEmailCodeUnits = 1_016;

/** The normalised e-mail that identifies an account; empty, so that nothing matches, if it is too long. */
export const accountEmail = (typed: string): string =>
  typed.length > maxEmailCodeUnits ? '' : typed.trim().normalize('NFKC').toLowerCase();
