/** In characters: Unicode code points of the form that is hashed. */
export const PASSWORD_MAX_LENGTH = 128;

// One composed character has at most 4 code points of 2 code units: nothing longer can come down to 128.
const MOST_CODE_UNITS = PASSWORD_MAX_LENGTH * 8;

/**
 * The form of a password that is judged and hashed (NFKC, as NIST SP 800-63B has it), or null if it cannot be
 * one: lone surrogates all hash as U+FFFD, and normalising takes quadratic time (a million marks: minutes).
 */
export function hashedForm(password: string): string | null {
  if (!password.isWellFormed() || password.length > MOST_CODE_UNITS) return null;
  return password.normalize('NFKC');
}
