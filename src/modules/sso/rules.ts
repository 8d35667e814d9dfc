import type { Role } from '../../core/endpoint/endpoint.ts';
import { accountEmail } from '../auth/rules.ts';

/** How long a login at the provider may take, in milliseconds: 10 minutes. */
export const ssoTtlMs = 10 * 60 * 1000;

/** How far the provider's clock may be from ours, in seconds. */
export const toleranceSeconds = 60;

/** What a provider says about a person, as far as it is used. */
export interface Person {
  /** Issuer and subject: what stays the same of a person at a provider. */
  subject: string;
  email: string;
  name: string;
  /** What the claim of roles says; null where no such claim is set. */
  roles: readonly string[] | null;
}

interface Claims extends Readonly<Record<string, unknown>> {
  iss: string;
  sub: string;
}

/** The person of an ID token; null unless the provider has verified their e-mail. */
export const readPerson = (claims: Claims, roleClaim: string | undefined): Person | null => {
  const { iss, sub, email, email_verified: isVerified, name } = claims;
  if (isVerified !== true || typeof email !== 'string' || accountEmail(email) === '') return null;
  const said = roleClaim === undefined ? null : claims[roleClaim];
  const roles = said === null ? null : [said].flat().filter((one): one is string => typeof one === 'string');
  return {
    subject: JSON.stringify([iss, sub]),
    email: accountEmail(email),
    name: typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 255).toWellFormed() : email,
    roles,
  };
};

const known = ['admin', 'staff', 'doctor'] as const;

/** The first role of ours that a claim has: more rights before fewer. */
const roleIn = (roles: readonly string[]): (typeof known)[number] | null =>
  known.find((role) => roles.includes(role)) ?? null;

/** Whether the e-mail is of one of these domains; of any where none is named. */
const isOfDomains = (email: string, domains: readonly string[]): boolean =>
  domains.length === 0 || domains.includes(email.slice(email.lastIndexOf('@') + 1));

/** The account, as far as it decides. */
interface Account {
  role: Role;
  email: string | null;
  ssoSubject: string | null;
  deactivatedAt: number | null;
}

interface Settings {
  domains: readonly string[];
  breakGlass: string | undefined;
}

/** What follows from a person whom the provider vouches for. */
export type Decision =
  | { is: 'refused' }
  | { is: 'opened'; links: boolean; role: Role }
  | { is: 'made'; role: 'admin' | 'staff' };

/**
 * Whose account this is. A patient's is never opened: anybody may have registered it. One that belongs to another
 * person of the provider is not either, although the e-mail is the same.
 */
export const decideSso = (
  account: Account | undefined,
  { subject, email, roles }: Pick<Person, 'subject' | 'email' | 'roles'>,
  { domains, breakGlass }: Settings,
): Decision => {
  const refused = { is: 'refused' } as const;
  const role = roles === null ? null : roleIn(roles);
  if (!isOfDomains(email, domains)) return refused;
  if (account === undefined)
    return domains.length > 0 && (role === 'admin' || role === 'staff') ? { is: 'made', role } : refused;
  if (account.role === 'patient' || account.deactivatedAt !== null) return refused;
  if (account.ssoSubject !== null && account.ssoSubject !== subject) return refused;
  const opened = { is: 'opened', links: account.ssoSubject === null } as const;
  // Nothing that a provider says takes the rights of the one who has to get in without it.
  if (roles === null || account.email === breakGlass) return { ...opened, role: account.role };
  // An account of a doctor is linked to one here, which no claim can name.
  if (role === null || (role === 'doctor' && account.role !== 'doctor')) return refused;
  return { ...opened, role };
};

/** Whether a person is the one to whom the account belongs, and would be let into it as it is. */
export const confirmsAccount = (account: Account, person: Person, settings: Settings): boolean => {
  const decision = decideSso(account, person, settings);
  return decision.is === 'opened' && !decision.links && decision.role === account.role;
};
