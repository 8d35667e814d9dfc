import type { IsCommonPassword } from '../../../core/deps.ts';
import { hashedForm, PASSWORD_MAX_LENGTH } from './form.ts';

/** In Unicode code points; the setting `minLength` can only raise it. */
export const PASSWORD_MIN_LENGTH = 8;

export type PasswordProblem =
  | 'too_short'
  | 'too_long'
  | 'malformed'
  | 'common'
  | 'same_as_email'
  | 'same_as_name';

/** The account of the new password, and the rules for it. */
interface NewPasswordOf {
  minLength: number;
  email: string;
  name: string;
  isCommon: IsCommonPassword;
}

/**
 * The first reason to refuse a new password, or null. Checks the form that is hashed (NFKC), so that the result does
 * not depend on the keyboard. Length counts code points (NIST SP 800-63B). The caller has already limited the length
 * of the e-mail and the name, because they are normalised here too.
 */
export function passwordProblem(
  password: string,
  { minLength, email, name, isCommon }: NewPasswordOf,
): PasswordProblem | null {
  if (!password.isWellFormed() || password.includes('\0')) return 'malformed';
  const hashed = hashedForm(password);
  if (hashed === null) return 'too_long';
  const length = [...hashed].length;
  if (length < Math.max(minLength, PASSWORD_MIN_LENGTH)) return 'too_short';
  if (length > PASSWORD_MAX_LENGTH) return 'too_long';
  if (isCommon(hashed.toLowerCase())) return 'common';
  const [localPart = ''] = email.split('@', 1);
  if (same(password, email) || same(password, localPart)) return 'same_as_email';
  return same(password, name) ? 'same_as_name' : null;
}

const same = (a: string, b: string) => folded(a) === folded(b);
const folded = (text: string) => text.normalize('NFKC').trim().toLowerCase();
