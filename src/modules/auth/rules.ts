import { dayMs, hourMs, minuteMs } from '../../core/clinic/durations.ts';
import type { Role } from '../../core/endpoint/endpoint.ts';
import type { Config } from '../../core/settings/config.ts';

/** When a device login without a stored maximum age ends, in milliseconds: after 180 days. */
export const oldestLoginMs = 180 * dayMs;

/** How long a device login lasts, in milliseconds: without use, and in all. */
interface LoginSpan {
  idleMs: number;
  totalMs: number;
}

type Spans = Readonly<
  Record<
    'SESSION_IDLE_DAYS' | 'SESSION_MAX_DAYS' | 'CLINIC_SESSION_IDLE_HOURS' | 'CLINIC_SESSION_MAX_DAYS',
    number
  >
>;

/** The people of the clinic see many patients' records, on machines that others use, too. */
export const loginSpan = (role: Role, settings: Spans): LoginSpan =>
  role === 'patient'
    ? { idleMs: settings.SESSION_IDLE_DAYS * dayMs, totalMs: settings.SESSION_MAX_DAYS * dayMs }
    : {
        idleMs: settings.CLINIC_SESSION_IDLE_HOURS * hourMs,
        totalMs: settings.CLINIC_SESSION_MAX_DAYS * dayMs,
      };

/** How long a refresh token is stored, in milliseconds: its device login ends before it, or with it. */
export const tokenTtlMs = (settings: Spans): number =>
  Math.max(loginSpan('patient', settings).idleMs, loginSpan('admin', settings).idleMs);

/** Whether a password, or a code in its place, opens no account of this person: the clinic has them log in by its provider. */
export const mustUseSso = (
  {
    OIDC_PASSWORDS_OFF: off,
    OIDC_BREAK_GLASS: breakGlass,
  }: Pick<Config, 'OIDC_PASSWORDS_OFF' | 'OIDC_BREAK_GLASS'>,
  { role, email }: { role: Role; email: string | null },
): boolean => role !== 'patient' && off.includes(role) && email !== breakGlass;

/**
 * Whether the work account of an account takes the place of its password, to confirm who is there. Whoever has a second
 * factor confirms by that, and a person of another provider than the present one cannot be asked for.
 */
export const confirmsBySso = (
  { OIDC_ISSUER: issuer }: Pick<Config, 'OIDC_ISSUER'>,
  {
    role,
    ssoSubject,
    secondFactorAt,
  }: { role: Role; ssoSubject: string | null; secondFactorAt: number | null },
): boolean =>
  role !== 'patient' &&
  secondFactorAt === null &&
  issuer !== undefined &&
  ssoSubject !== null &&
  new URL((JSON.parse(ssoSubject) as [string, string])[0]).href === new URL(issuer).href;

/** How long a login counts as recent, in milliseconds: 10 minutes. */
export const recentLoginMs = 10 * minuteMs;

/** How long a used refresh token may be sent again in any case, in milliseconds: parallel requests may be under way. */
export const refreshGraceMs = 10_000;

/** How long it may be sent again while its child is unused, in milliseconds: 24 hours, as the answer may be lost. */
export const lostAnswerMs = dayMs;

/** How long a password reset can be used, in milliseconds: 30 minutes. */
export const resetTtlMs = 30 * minuteMs;
export const resetTtlMinutes = resetTtlMs / 60_000;

/** How long the link for a first password is valid, in milliseconds: 48 hours. */
export const setupTtlMs = 48 * hourMs;

/** How old `last_seen_at` may become before it is written again, in milliseconds: saves a write on most requests. */
export const lastSeenAgeMs = 5 * minuteMs;

// Far above the 254 characters of a valid e-mail: normalising many combining marks takes quadratic time.
const maxEmailCodeUnits = 1_016;

/** The normalised e-mail that identifies an account; empty, so that nothing matches, if it is too long. */
export const accountEmail = (typed: string): string =>
  typed.length > maxEmailCodeUnits ? '' : typed.trim().normalize('NFKC').toLowerCase();

/** The name under which the limits and the known devices of an account are kept: its e-mail, or its id where it has none. */
export const accountName = ({ id, email }: { id: string; email: string | null }): string => email ?? id;
