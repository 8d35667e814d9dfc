/** Counted in Unicode code points of the form that is hashed. */
export const PASSWORD_MAX_LENGTH = 128;

// A composed character has at most 4 code points of 2 code units each: longer text cannot normalise to 128.
const MOST_CODE_UNITS = PASSWORD_MAX_LENGTH * 8;

/**
 * The form of a password that is checked and hashed: NFKC, as NIST SP 800-63B says. Null for lone surrogates, which
 * would all hash as U+FFFD, and for very long text, because normalising takes quadratic time.
 */
export function hashedForm(password: string): string | null {
  if (!password.isWellFormed() || password.length > MOST_CODE_UNITS) return null;
  return password.normalize('NFKC');
}
