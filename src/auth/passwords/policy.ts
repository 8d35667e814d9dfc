import { isCommonPassword } from './common-passwords.ts';
import { hashedForm, PASSWORD_MAX_LENGTH } from './form.ts';

/** In characters (Unicode code points); the setting `minLength` can only raise it. */
export const PASSWORD_MIN_LENGTH = 8;

export type PasswordProblem =
  | 'too_short'
  | 'too_long'
  | 'malformed'
  | 'common'
  | 'same_as_email'
  | 'same_as_name';

/**
 * The first reason to refuse a new password, or null. It is judged in the form that is hashed (NFKC), so that
 * one password gets one verdict from every keyboard; characters are code points (NIST SP 800-63B). The e-mail
 * and the name must have been checked for length: they are normalised here as well.
 */
export function passwordProblem(
  password: string,
  { minLength, email, name }: { minLength: number; email: string; name: string },
): PasswordProblem | null {
  if (!password.isWellFormed() || password.includes('\0')) return 'malformed';
  const hashed = hashedForm(password);
  if (hashed === null) return 'too_long';
  const length = [...hashed].length;
  if (length < Math.max(minLength, PASSWORD_MIN_LENGTH)) return 'too_short';
  if (length > PASSWORD_MAX_LENGTH) return 'too_long';
  if (isCommonPassword(hashed.toLowerCase())) return 'common';
  const [localPart = ''] = email.split('@', 1);
  if (same(password, email) || same(password, localPart)) return 'same_as_email';
  return same(password, name) ? 'same_as_name' : null;
}

const same = (a: string, b: string) => folded(a) === folded(b);
const folded = (text: string) => text.normalize('NFKC').trim().toLowerCase();
