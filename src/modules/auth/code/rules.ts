import { dayMs, minuteMs } from '../../../core/clinic/durations.ts';
import { textWords } from '../../../core/search/rules.ts';

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

/**
 * How long a proof of a phone stands without use, in milliseconds: 60 days. Operators give numbers that are not used
 * to somebody else, after two months at the earliest.
 */
export const phoneProofMs = 60 * dayMs;

/** The account of a phone, as far as it decides whether the phone alone may open it. */
interface PhoneHolder {
  name: string;
  birthDate: string | null;
  phoneProvedAt: number | null;
}

/**
 * Whether the person who has the phone now is surely the holder of the account: they used it lately, or they give the date of
 * birth of the account's person and one word of the name.
 */
export const isStillHolder = (
  account: PhoneHolder,
  given: { name: string; birthDate: string } | null,
  now: number,
): boolean => {
  if (account.phoneProvedAt !== null && now - account.phoneProvedAt < phoneProofMs) return true;
  if (given === null || account.birthDate === null || given.birthDate !== account.birthDate) return false;
  const words = textWords(account.name);
  return textWords(given.name).some((word) => words.includes(word));
};
