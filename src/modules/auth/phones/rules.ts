import { phoneProofMs } from '../code/rules.ts';

interface Contact {
  phoneNumber: string;
  phoneCountryCode: string;
}

/**
 * The number for messages after another phone was proved: that one, where there was none or it was the phone before. Some
 * people type the country code into the field of the number, too.
 */
export const contactAfter = (
  before: Contact & { loginPhone: string | null },
  { phoneNumber, phoneCountryCode }: Contact,
): Contact => {
  const number = before.phoneNumber.replace(/^0+/, '');
  const isFollowed =
    number === '' || [before.phoneCountryCode + number, number].some((word) => word === before.loginPhone);
  return isFollowed
    ? { phoneNumber, phoneCountryCode }
    : { phoneNumber: before.phoneNumber, phoneCountryCode: before.phoneCountryCode };
};

/** Whether a phone is told that it opens the account no longer: not where it may be somebody else's by now. */
export const isTold = (phoneProvedAt: number | null, now: number): boolean =>
  phoneProvedAt !== null && now - phoneProvedAt < phoneProofMs;
