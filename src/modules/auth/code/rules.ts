import { minuteMs } from '../../../core/clinic/durations.ts';

/** How long a code opens an account, in milliseconds: 10 minutes. */
export const loginCodeTtlMs = 10 * minuteMs;

export const loginCodeTtlMinutes = loginCodeTtlMs / 60_000;

const digits = 6;

/** A code of six digits from six random bytes: of the remainder no code is noticeably likelier than another. */
export const loginCodeFrom = (bytes: Uint8Array): string => {
  const number = bytes.slice(0, 6).reduce((sum, byte) => sum * 256 + byte, 0);
  return String(number % 10 ** digits).padStart(digits, '0');
};

/** The account, as far as it decides whether a code alone may open it. */
interface Opened {
  role: string;
  secondFactorAt: number | null;
  emailProvedAt: number | null;
}

/**
 * Whether a code from the mailbox may open an account. Of those who work here none without a second factor, nor before
 * the mailbox was shown to be theirs.
 */
export const opensByCode = ({ role, secondFactorAt, emailProvedAt }: Opened): boolean =>
  role === 'patient' || (secondFactorAt !== null && emailProvedAt !== null);
