import type { Target } from '../code/way.ts';

interface Account {
  role: string;
  email: string | null;
  emailProvedAt: number | null;
  loginPhone: string | null;
  passwordUnsetAt: number | null;
  secondFactorAt: number | null;
}

/**
 * Where the code goes that confirms who is at the device; null for none. It takes the place of a password alone: whoever
 * has one, or a second factor, confirms by that. A mail costs nothing, so it comes first.
 */
export const confirmationTarget = (
  { role, email, emailProvedAt, loginPhone, passwordUnsetAt, secondFactorAt }: Account,
  sends: { mail: boolean; phone: boolean },
): Target | null => {
  if (role !== 'patient' || passwordUnsetAt === null || secondFactorAt !== null) return null;
  if (sends.mail && email !== null && emailProvedAt !== null) return { by: 'mail', email };
  return sends.phone && loginPhone !== null ? { by: 'phone', phone: loginPhone } : null;
};
