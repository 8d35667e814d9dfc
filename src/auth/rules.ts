/** How long a device stays logged in without being used, in milliseconds: 30 days. */
export const refreshTokenTtlMs = 30 * 24 * 60 * 60 * 1000;

/** The form in which an e-mail identifies an account. */
export const accountEmail = (typed: string): string => typed.trim().normalize('NFKC').toLowerCase();
