import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { FieldProblem } from '../../../core/endpoint/field-sentences.ts';
import { reachablePhone } from '../../../core/search/phone-rules.ts';
import { takesCodes, takesMailCodes, takesPhoneCodes } from '../../../core/takes-codes.ts';

/** Where a code goes, as far as sending it needs to know. */
export type Target = { by: 'mail'; email: string } | { by: 'phone'; phone: string };

/** A phone to which codes go. */
export interface PhoneWay {
  by: 'phone';
  /** The number in the one form in which numbers are compared. */
  phone: string;
  phoneNumber: string;
  phoneCountryCode: string;
}

/** Where a code goes. */
export type Way = { by: 'mail'; email: string } | PhoneWay;

const refusePhone = (problem: FieldProblem): Failure =>
  new Failure('validation_failed', { issues: [{ path: 'phone', ...problem }] });

/**
 * A typed number to which a code goes. Throws `phone_codes_off` where the clinic sends none to phones, and
 * `validation_failed` for anything but one number to which it sends.
 */
export const toPhoneWay = (deps: Deps, phone: string): PhoneWay => {
  if (!takesPhoneCodes(deps)) throw new Failure('phone_codes_off');
  const found = reachablePhone(phone);
  if (found === null) throw refusePhone({ rule: 'phone_reachable' });
  const countries = deps.config.PHONE_CODE_COUNTRIES;
  if (!countries.includes(found.code))
    throw refusePhone({ rule: 'phone_country', limit: countries.map((one) => `+${one}`).join(', ') });
  return { by: 'phone', phone: found.word, phoneNumber: found.number, phoneCountryCode: found.code };
};

/**
 * Where a code goes by the fields of a request. Throws `not_found` or `phone_codes_off` where the clinic sends none that
 * way, and `validation_failed` for anything but one address or one number to which it sends.
 */
export const toWay = (
  deps: Deps,
  { email, phone }: { email?: string | undefined; phone?: string | undefined },
): Way => {
  if (!takesCodes(deps)) throw new Failure('not_found');
  if ((email === undefined) === (phone === undefined))
    throw new Failure('validation_failed', {
      issues: [{ path: 'email', rule: 'any_of', limit: 'what_reaches' }],
    });
  if (phone === undefined) {
    if (!takesMailCodes(deps)) throw new Failure('not_found');
    return { by: 'mail', email: email ?? '' };
  }
  return toPhoneWay(deps, phone);
};

/** What the attempts of this way are counted for: no e-mail begins like this. */
export const countedFor = (way: Target): string => (way.by === 'mail' ? way.email : `phone:${way.phone}`);
