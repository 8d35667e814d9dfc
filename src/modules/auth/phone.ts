import { Failure } from '../../core/endpoint/errors.ts';
import { ownNumber } from '../../core/search/phone-rules.ts';

interface Given {
  phone_number?: string | undefined;
  phone_country_code?: string | undefined;
}

interface Phone {
  phoneNumber: string;
  phoneCountryCode: string;
}

const refused = (rule: 'other_country' | 'phone') =>
  new Failure('validation_failed', { issues: [{ path: 'phone_number', rule }] });

/**
 * The phone of a person after an input: digits, without a leading plus and country code. Throws `validation_failed` where the
 * plus leads to another country than the country code, or where too few digits are behind that.
 */
export const phoneIn = (given: Given, before: Phone = { phoneNumber: '', phoneCountryCode: '' }): Phone => {
  const phoneCountryCode = given.phone_country_code ?? before.phoneCountryCode;
  if (given.phone_number === undefined) return { phoneNumber: before.phoneNumber, phoneCountryCode };
  const phoneNumber = ownNumber(given.phone_number, phoneCountryCode);
  if (phoneNumber === null) throw refused('other_country');
  if (/^\d{1,3}$/.test(phoneNumber)) throw refused('phone');
  return { phoneNumber, phoneCountryCode };
};
